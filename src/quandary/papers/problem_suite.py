"""The problems of an import as a suite, with the settings of the paper's own one."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from quandary.arena.manifest import IN_PUBLISHED_WORDING
from quandary.arena.suite import PLAY, Entry, Suite
from quandary.catalogue.spec import Spec
from quandary.core import codec
from quandary.core.contract import Question
from quandary.core.errors import UserError, unknown
from quandary.tasks.published_wording import PublishedWording

from .imports import PROBLEMS, Problem, command_of, paper_of, problems_of

Wording: TypeAlias = Literal["ours", "published"]
WORDINGS: tuple[Wording, ...] = get_args(Wording)


def problem_suite(
    folder: Path,
    puzzles: Sequence[str] = (),
    names: Sequence[str] = (),
    wording: Wording = "ours",
) -> Suite:
    """Return the problems of an import; `puzzles` and `names` choose among them."""
    paper, settings = _checked_paper(folder)
    problems = list(problems_of(folder).values())
    if wording not in WORDINGS:
        raise unknown("wording", wording, WORDINGS)
    if wording == "published" and not any(problem.prompt for problem in problems):
        raise UserError(
            f"{folder} has no published prompts, because the problems of {paper} were published "
            f"without; use --wording ours."
        )
    chosen = _chosen(problems, puzzles, names)
    if not chosen:
        raise UserError(f"{folder} has no such problem of these puzzles; try without --problem.")
    if wording == "ours":
        chosen = [problem for problem in chosen if problem.is_scored]
    elif lacking := next((problem for problem in chosen if not problem.prompt), None):
        raise UserError(f"the problem {lacking.name} has no published prompt; use --wording ours.")
    if not chosen:
        raise UserError("these problems have no key; ask them with --wording published.")
    digest = blake2b((folder / PROBLEMS).read_bytes(), digest_size=8).hexdigest()
    published = wording == "published"
    return replace(
        settings,
        title=f"The published problems of {paper}",
        entries=tuple(Entry(Spec.parse(problem.name), PLAY[:1]) for problem in chosen),
        small=(),
        system="" if published else settings.system,
        problems={problem.name: codec.to_json(_asked(problem, wording)) for problem in chosen},
        imported=f"{paper} {digest}{IN_PUBLISHED_WORDING if published else ''}",
        languages={
            problem.name: problem.language
            for problem in chosen
            if problem.language not in ("", settings.language)
        },
    )


def _checked_paper(folder: Path) -> tuple[str, Suite]:
    """Return the paper of an import that is complete, and its settings; UserError for any other
    folder.
    """
    paper = paper_of(folder)
    command = command_of(paper)
    if command is None:
        raise UserError(
            f"{folder} is not an import; make one with quandary import, and give its --out."
        )
    if not (folder / command.KEYS).exists():  # before anything is played
        raise UserError(
            f"{folder} has no {command.KEYS}, which runs of its problems need; import the "
            f"published files again, into another folder."
        )
    return paper, command.settings()


def _asked(problem: Problem, wording: Wording) -> Question:
    if wording == "published" and problem.is_scored:
        return PublishedWording(problem.question, problem.prompt)
    return problem.question


def _chosen(
    problems: Sequence[Problem], puzzles: Sequence[str], names: Sequence[str]
) -> list[Problem]:
    known_puzzles = dict.fromkeys(problem.game for problem in problems)
    for puzzle in puzzles:
        if puzzle not in known_puzzles:
            raise unknown("puzzle", puzzle, known_puzzles)
    known = dict.fromkeys(problem.session for problem in problems)
    for name in names:
        if not any(fnmatchcase(each, name) for each in known):
            raise unknown("problem", name, known)
    return [
        problem
        for problem in problems
        if (not puzzles or problem.game in puzzles)
        and (not names or any(fnmatchcase(problem.session, one) for one in names))
    ]


def keep_keys(folder: Path, run: Path) -> None:
    """Copy what is kept of an import into a run of its problems."""
    command = command_of(paper_of(folder))
    if command is None or not command.KEYS:
        return
    name = command.KEYS
    if (folder / name).is_dir():
        shutil.copytree(folder / name, run / name, dirs_exist_ok=True)
    else:
        shutil.copyfile(folder / name, run / name)
