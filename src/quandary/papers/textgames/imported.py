"""TextGames imported into a folder: problems as positions, replies as records, and word lists."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from quandary.arena.store import MANIFEST, Store
from quandary.arena.suite import averages
from quandary.core.errors import UserError
from quandary.matches.drivers import turns
from quandary.matches.match import Match
from quandary.matches.player import Reply
from quandary.matches.record import Record
from quandary.papers.imports import (
    Problem,
    check_target,
    keep_import,
    manifest_for,
    problems_of,
    read_lines,
    write_lines,
    write_problems,
)
from quandary.scoring.regrade import Given
from quandary.tasks.question_game import QuestionGame

from .archive import Skipped
from .grading import list_files, lists
from .problems import load as load_problems
from .replies import Session
from .replies import load as load_replies

REPLIES = "replies.jsonl"
KEYS = "words"  # the folder of the lists that the published graders need


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
    check_target(folder, source)
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
    keep_import(folder, lambda draft: _write_all(draft, source, problems, sessions, tell))
    return Imported(len(problems), sum(len(session.replies) for session in sessions), skipped)


def _write_all(
    folder: Path,
    source: Path,
    problems: Mapping[str, Problem],
    sessions: list[Session],
    tell: Callable[[int, int], None],
) -> None:
    with Store(folder, _manifest(problems, sessions)) as store:
        write_problems(folder, problems.values())
        write_lines(
            folder / REPLIES,
            (json.dumps(session._asdict(), ensure_ascii=False) for session in sessions),
        )
        (folder / KEYS).mkdir()
        for path in list_files(source):
            shutil.copyfile(path, folder / KEYS / path.name)
        for done, session in enumerate(sessions):
            tell(done, len(sessions))
            store.append(record(problems[session.problem], session))


def record(problem: Problem, session: Session) -> Record:
    """Return the session as a match by our rules, which ends with the first accepted or last
    answer.
    """
    match = Match(QuestionGame(problem.question, len(session.replies)), problem.name)
    for turn, reply in zip(turns(match), session.replies, strict=False):
        match.receive(turn.seat, Reply(reply))
    return match.record([session.player])


def is_import(folder: Path) -> bool:
    return (folder / REPLIES).exists() and (folder / MANIFEST).exists()


def sessions_of(folder: Path) -> Iterator[Session]:
    for where, line in read_lines(folder / REPLIES, SessionLine):
        if len(line["replies"]) != len(line["solved"]):
            raise UserError(f"{where} does not have one verdict per reply.")
        yield Session(
            line["player"], line["problem"], tuple(line["replies"]), tuple(line["solved"])
        )


def given(folder: Path) -> Iterator[Given]:
    """Yield all sessions of an import, to be graded again."""
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
    """Return the players whose verdicts show the older grader, which read None as a word."""
    return frozenset(
        session.player
        for session in sessions_of(folder)
        if session.problem.startswith("textgames anagram_scribble/")
        and any(
            right and reply == "None"
            for reply, right in zip(session.replies, session.solved, strict=True)
        )
    )


def _manifest(problems: Mapping[str, Problem], sessions: list[Session]) -> dict[str, Any]:
    players = list(dict.fromkeys(session.player for session in sessions))
    extra = {"players": players, "averages": averages("textgames")}
    return manifest_for("textgames", problems.values()) | extra
