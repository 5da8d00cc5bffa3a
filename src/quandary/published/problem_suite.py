"""The problems of an import as a suite, with the settings of the paper's own one."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path

from quandary.arena import suite
from quandary.arena.suite import PLAY, Entry, Suite
from quandary.catalogue.spec import Spec
from quandary.core import codec
from quandary.core.errors import UserError, unknown

from .imports import PROBLEMS, Problem, paper_of, problems_of

# By paper: what the published graders need besides the questions.
GRADING_FILES = {"textgames": "words", "finereason": "keys.jsonl"}


def problem_suite(folder: Path, games: Sequence[str] = (), sessions: Sequence[str] = ()) -> Suite:
    """The problems of an import; `games` and `sessions` choose among them."""
    paper = paper_of(folder)
    if paper not in GRADING_FILES:
        raise UserError(
            f"{folder} is not an import; make one with quandary import, and give its --out."
        )
    if not (folder / GRADING_FILES[paper]).exists():  # before anything is played
        raise UserError(
            f"{folder} has no {GRADING_FILES[paper]}, which the published grading needs; import "
            f"the published files again, into another folder."
        )
    chosen = _chosen(list(problems_of(folder).values()), games, sessions)
    if not chosen:
        raise UserError(f"{folder} has no such problem of these games; try without --session.")
    digest = blake2b((folder / PROBLEMS).read_bytes(), digest_size=8).hexdigest()
    return replace(
        suite.load(paper),
        title=f"The published problems of {paper}",
        entries=tuple(Entry(Spec.parse(problem.name), PLAY[:1]) for problem in chosen),
        small=(),
        problems={problem.name: codec.to_json(problem.question) for problem in chosen},
        imported=f"{paper} {digest}",
    )


def _chosen(
    problems: Sequence[Problem], games: Sequence[str], sessions: Sequence[str]
) -> list[Problem]:
    for game in games:
        known = dict.fromkeys(problem.game for problem in problems)
        if game not in known:
            raise unknown("game", game, known)
    for session in sessions:
        names = dict.fromkeys(problem.session for problem in problems)
        if not any(fnmatchcase(name, session) for name in names):
            raise unknown("session", session, names)
    return [
        problem
        for problem in problems
        if (not games or problem.game in games)
        and (not sessions or any(fnmatchcase(problem.session, one) for one in sessions))
    ]


def keep_keys(folder: Path, run: Path) -> None:
    """Copy what the published graders need from an import into a run of its problems."""
    name = GRADING_FILES[paper_of(folder)]
    if (folder / name).is_dir():
        shutil.copytree(folder / name, run / name, dirs_exist_ok=True)
    else:
        shutil.copyfile(folder / name, run / name)
