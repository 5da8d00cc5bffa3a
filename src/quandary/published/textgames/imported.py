"""TextGames imported into a folder: problems as positions, replies as records, and word lists."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, TypeVar

import msgspec

from quandary.arena.store import MANIFEST, Store
from quandary.arena.suite import averages
from quandary.catalogue import registry
from quandary.core import codec
from quandary.core.contract import Question
from quandary.core.errors import UserError
from quandary.matches.drivers import turns
from quandary.matches.engine import Match
from quandary.matches.player import Reply
from quandary.matches.record import Record
from quandary.scoring.regrade import Given
from quandary.tasks.attempt import Attempt
from quandary.version import VERSION

from .archive import Skipped, unreadable
from .grading import list_files, lists
from .problems import Problem
from .problems import load as load_problems
from .replies import Session
from .replies import load as load_replies

PROBLEMS, REPLIES = "problems.jsonl", "replies.jsonl"
T = TypeVar("T")


class ProblemLine(TypedDict):
    """A line of an import's problems."""

    game: str
    level: str
    session: str
    question: dict[str, Any]


class SessionLine(TypedDict):
    """A line of an import's replies."""

    player: str
    problem: str
    replies: list[str]
    solved: list[bool]


class Imported(NamedTuple):
    """What an import brought, and what it left out."""

    problems: int
    replies: int
    skipped: list[Skipped]


def bring(
    source: Path, folder: Path, tell: Callable[[int, int], None] = lambda done, of: None
) -> Imported:
    """Import the published files in `source`, which may be a checkout of their repository."""
    _check_target(folder, source)
    problems = {problem.name: problem for problem in load_problems(source)}
    if not problems:
        raise UserError(f"{source} contains no problemsets of TextGames.")
    lists(source)  # raises if they are missing or not readable
    sessions, skipped = load_replies(source)
    for session in sessions:
        if session.problem not in problems:
            raise UserError(
                f"{session.player} replies to {session.problem}, which is not a problem of "
                f"{source}."
            )
    home = folder.resolve()
    # Written elsewhere first, so that an import is either complete or absent.
    draft = home.with_name(f"{home.name}.{os.getpid()}.draft")
    try:
        _write_all(draft, source, problems, sessions, tell)
        if home.exists():
            home.rmdir()
        draft.rename(home)
    except OSError as reason:
        raise UserError(
            f"the import cannot be kept in {folder}: {reason.strerror}; choose another --out."
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Imported(len(problems), sum(len(session.replies) for session in sessions), skipped)


def _check_target(folder: Path, source: Path) -> None:
    """Raise UserError unless the folder does not exist yet or is empty."""
    if folder.exists() and source.exists() and folder.samefile(source):
        raise UserError(f"{folder} contains the published files themselves; choose another --out.")
    if is_import(folder):
        raise UserError(f"{folder} already contains an import; choose another --out.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(
            f"{folder} is not empty, and an import needs its own folder; choose another --out."
        )


def _write_all(
    folder: Path,
    source: Path,
    problems: Mapping[str, Problem],
    sessions: list[Session],
    tell: Callable[[int, int], None],
) -> None:
    with Store(folder, _manifest(problems, sessions)) as store:
        _write(folder / PROBLEMS, (_line(problem) for problem in problems.values()))
        _write(
            folder / REPLIES,
            (json.dumps(session._asdict(), ensure_ascii=False) for session in sessions),
        )
        (folder / "words").mkdir()
        for path in list_files(source):
            shutil.copyfile(path, folder / "words" / path.name)
        for done, session in enumerate(sessions):
            tell(done, len(sessions))
            store.append(record(problems[session.problem], session))


def record(problem: Problem, session: Session) -> Record:
    """The session as a match by our rules, which ends with the first accepted or last answer."""
    match = Match(Attempt(problem.question, len(session.replies)), problem.name)
    for turn, reply in zip(turns(match), session.replies, strict=False):
        match.hear(turn.seat, Reply(reply))
    return match.record([session.player])


def is_import(folder: Path) -> bool:
    return (folder / REPLIES).exists() and (folder / MANIFEST).exists()


def problems_of(folder: Path) -> Mapping[str, Problem]:
    """The problems of an import, by name."""
    found = {}
    for where, line in _read(folder / PROBLEMS, ProblemLine):
        try:
            question = codec.unpack(line["question"], registry.load)
        except UserError as reason:
            raise UserError(f"{where}: {reason}") from None
        if not isinstance(question, Question):
            raise UserError(f"{where} contains no question.")
        problem = Problem(line["game"], line["level"], line["session"], question)
        found[problem.name] = problem
    return found


def sessions_of(folder: Path) -> Iterator[Session]:
    for where, line in _read(folder / REPLIES, SessionLine):
        if len(line["replies"]) != len(line["solved"]):
            raise UserError(f"{where} does not have one verdict per reply.")
        yield Session(
            line["player"], line["problem"], tuple(line["replies"]), tuple(line["solved"])
        )


def given(folder: Path) -> Iterator[Given]:
    """All sessions of an import, to be graded again."""
    problems = problems_of(folder)
    for player, name, replies, solved in sessions_of(folder):
        if name not in problems:
            raise UserError(f"{player} replies to {name}, which is not a problem of {folder}.")
        problem = problems[name]
        yield Given(
            player,
            problem.game,
            problem.level,
            name,
            problem.question,
            replies,
            solved,
            len(replies),
        )


def graded_by_the_older(folder: Path) -> frozenset[str]:
    """The players whose verdicts show the older grader, which read None as a word."""
    return frozenset(
        session.player
        for session in sessions_of(folder)
        if session.problem.startswith("textgames anagram_scribble/")
        and any(
            right and reply == "None"
            for reply, right in zip(session.replies, session.solved, strict=True)
        )
    )


def _manifest(problems: Mapping[str, Problem], sessions: list[Session]) -> dict[str, object]:
    games = sorted({problem.game for problem in problems.values()})
    return {
        "quandary": VERSION,
        "import": "textgames",
        "players": list(dict.fromkeys(session.player for session in sessions)),
        "versions": {name: registry.load(name).version for name in games},
        "averages": averages("textgames"),
    }


def _line(problem: Problem) -> str:
    plain = problem._asdict() | {"question": json.loads(codec.to_json(problem.question))}
    return json.dumps(plain, ensure_ascii=False)


def _write(path: Path, lines: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def _read(path: Path, kind: type[T]) -> Iterator[tuple[str, T]]:
    """Each line of an imported file, with its location."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as reason:
        raise unreadable(path, reason) from None
    decoder = msgspec.json.Decoder(kind)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"line {number} of {path}"
            try:
                yield where, decoder.decode(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError) as reason:
                raise UserError(f"{where} is not a line of an import: {reason}.") from None
