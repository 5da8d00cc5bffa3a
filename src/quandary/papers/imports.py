"""Imports: what papers published, kept in a folder as questions of our puzzles.

An import has a manifest that names the paper, and a file of problems; `quandary run --problems`
plays them.  What else it has is up to the paper.
"""

from __future__ import annotations

import json
import os
import shutil
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, Protocol, TypedDict, TypeVar, cast

import msgspec

from quandary.arena.store import manifest_of
from quandary.catalogue import papers, registry
from quandary.catalogue.paper import Import
from quandary.core import codec
from quandary.core.contract import Puzzle, Question
from quandary.core.errors import UserError, unknown_language
from quandary.core.naming import name_of
from quandary.core.translations import LIST_SEPARATORS
from quandary.core.worked import Worked
from quandary.core.wrapper import innermost
from quandary.tasks.published_wording import Unscored, is_scored
from quandary.version import VERSION

if TYPE_CHECKING:
    from quandary.arena.suite import Suite

PROBLEMS = "problems.jsonl"
PAPER = "import"  # the key of a manifest that names the paper
T = TypeVar("T")


class ImportResult(NamedTuple):
    """What `quandary import` prints about an import."""

    notes: Sequence[str]  # sentences about what is missing or unusual
    summary: str


class ImportCommand(Protocol):
    """What the module of a paper has that `Import.command` names."""

    # A file or folder of an import that runs of its problems keep, for the published grading or for
    # submissions; "" for none.
    KEYS: str

    def settings(self) -> Suite:
        """Return how the problems are asked, whatever the instances of the suite are."""

    def bring(self, source: Path, out: Path, tell: Callable[[int, int], None]) -> ImportResult:
        """Import the published files in `source`; `tell` is called with how much is done."""


def command_of(paper: str) -> ImportCommand | None:
    """Return how the problems of a paper are imported and asked; None for a paper without any."""
    known = papers.paper_named(paper)
    return loaded(known.imports) if known and known.imports else None


def loaded(imports: Import) -> ImportCommand:
    """Return the module that a paper names."""
    return cast(ImportCommand, import_module(imports.command))


class Problem(NamedTuple):
    """A published problem, identified by its paper, game, level and session."""

    paper: str
    game: str  # our puzzle's name
    level: str
    session: str
    question: Question
    language: str = ""  # in which it was published; "" where a paper has one
    prompt: str = ""  # its text as published; "" where a paper has none, or ours is as good

    @property
    def is_scored(self) -> bool:
        return is_scored(self.question)

    @property
    def name(self) -> str:
        game = self.game if self.is_scored else Unscored.task  # apart from what has scores
        return f"{self.paper} {game}/{self.level} {self.session}"


class ProblemLine(TypedDict):
    """A line of an import's problems."""

    game: str
    level: str
    session: str
    language: NotRequired[str]
    question: dict[str, Any] | None
    prompt: NotRequired[str]
    why: NotRequired[str]  # why the question is None


def manifest_for(paper: str, problems: Iterable[Problem]) -> dict[str, Any]:
    """Return what identifies an import."""
    games = sorted({name_of(type(innermost(problem.question))) for problem in problems})
    versions = {name: registry.load(name).version for name in games}
    return {"quandary": VERSION, PAPER: paper, "versions": versions}


def paper_of(folder: Path) -> str:
    """Return the paper whose problems an import has; "" if the folder has no import."""
    return str((manifest_of(folder) or {}).get(PAPER, ""))


def keep_import(folder: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a folder that becomes the import: it is either complete or absent."""
    home = folder.resolve()
    draft = home.with_name(f"{home.name}.{os.getpid()}.draft")
    try:
        write(draft)
        if home.exists():
            home.rmdir()
        draft.rename(home)
    except OSError as reason:
        raise UserError(
            f"the import cannot be written to {folder}: {reason.strerror}; choose another --out."
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def check_target(folder: Path, source: Path) -> None:
    """Raise UserError unless the folder does not exist yet or is empty."""
    if folder.exists() and source.exists() and folder.samefile(source):
        raise UserError(f"{folder} contains the published files themselves; choose another --out.")
    if folder.exists() and not folder.is_dir():
        raise UserError(
            f"{folder} is a file, and an import needs its own folder; choose another --out."
        )
    if paper_of(folder):
        raise UserError(f"{folder} already contains an import; choose another --out.")
    if folder.exists() and any(folder.iterdir()):
        raise UserError(
            f"{folder} is not empty, and an import needs its own folder; choose another --out."
        )


def write_problems(folder: Path, problems: Iterable[Problem]) -> None:
    write_lines(folder / PROBLEMS, map(_line, problems))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def problems_of(folder: Path) -> Mapping[str, Problem]:
    """Return the problems of an import, by name."""
    paper, found = paper_of(folder), dict[str, Problem]()
    for where, line in read_lines(folder / PROBLEMS, ProblemLine):
        try:
            question = _question(line)
        except UserError as reason:
            raise UserError(f"{where}: {reason}") from None
        if not isinstance(question, Question):
            raise UserError(f"{where} contains no question.")
        if fault := _fault(line, question):
            raise UserError(f"{where}: {fault}.")
        problem = Problem(
            paper,
            line["game"],
            line["level"],
            line["session"],
            question,
            line.get("language", ""),
            line.get("prompt", ""),
        )
        if problem.name in found:
            raise UserError(f"{where} is the problem {problem.name} of an earlier line again.")
        found[problem.name] = problem
    return found


def _question(line: ProblemLine) -> Puzzle:
    language = line.get("language", "")
    if line["question"] is not None:
        question = codec.unpack(line["question"], registry.load)
        if language and language not in question.languages:
            raise unknown_language(language, question.languages, line["game"])
        return question
    if language and language not in LIST_SEPARATORS:
        raise unknown_language(language, LIST_SEPARATORS)
    if not {"language", "prompt", "why"} <= line.keys():
        raise UserError("a problem without a question needs language, prompt and why.")
    return Unscored(line["prompt"], line["language"], line["why"])


def _fault(line: ProblemLine, question: Question) -> str:
    """Return what is wrong with a line that may have been changed by hand; "" if nothing is."""
    asked = innermost(question)
    if is_scored(question) and name_of(type(asked)) != line["game"]:
        return f"the question is not one of {line['game']}"
    if not isinstance(asked, Worked):
        return ""
    if line["level"] != str(asked.level) or line["level"] not in asked.levels:
        return f"the question is not one of level {line['level']}"
    return unusable(asked)


def unusable(question: Worked) -> str:
    """Return why a question that was not drawn cannot be asked; "" if it can."""
    try:
        question.sample(Random(0))
        question.answer_shape()
        question.canonical()
        for language in question.languages:
            question.rules(language)
            question.text(0, language)
            question.scene(0, language)
            question.legend(0, language)
        is_own_key = question.check(question.solution()).score >= 1.0
    except Exception as reason:  # forged fields may break a puzzle anywhere
        return f"the question cannot be worked out or worded ({type(reason).__name__}: {reason})"
    return "" if is_own_key else "the question does not accept its own solution"


def read_lines(
    path: Path, kind: type[T], what: str = "a line of an import"
) -> Iterator[tuple[str, T]]:
    """Yield each line of an imported file, with its location; UserError for one that is not
    `what`.
    """
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).split(b"\n")
    except OSError as reason:
        raise UserError(f"{path} cannot be read: {reason.strerror}.") from None
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"line {number} of {path}"
            try:
                yield where, decoder.decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as reason:
                raise UserError(f"{where} is not {what}: {reason}.") from None


def _line(problem: Problem) -> str:
    """Return a line without what it does not have, and without the paper, which the
    manifest has.
    """
    question = problem.question
    plain: dict[str, object] = {
        "game": problem.game,
        "level": problem.level,
        "session": problem.session,
        "language": problem.language,
        "question": json.loads(codec.to_json(question)) if problem.is_scored else None,
        "prompt": problem.prompt,
        "why": question.why if isinstance(question, Unscored) else "",
    }
    kept = {name: value for name, value in plain.items() if value != ""}
    return json.dumps(kept, ensure_ascii=False)
