"""TextGames brought into a folder of ours: problems as positions, replies as records of matches, and the lists for grading."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import quandary
from quandary.arena.store import MANIFEST, Store
from quandary.core import codec, registry
from quandary.core.attempt import Attempt
from quandary.core.contract import Question
from quandary.core.mistake import Mistake
from quandary.core.record import Record, Said
from quandary.scoring.regrade import Given

from .grading import COUNTRIES, WORDS, lists
from .problems import Problem
from .problems import load as load_problems
from .replies import Session
from .replies import load as load_replies

PROBLEMS, REPLIES = "problems.jsonl", "replies.jsonl"


def bring(source: Path, folder: Path, tell: Callable[[int, int], None] = lambda done, of: None) -> tuple[int, int]:
    """Import all that is published in `source`; gives the numbers of problems and of replies."""
    problems = {problem.name: problem for problem in load_problems(source)}
    if not problems:
        raise Mistake(f"{source} holds no problemsets of TextGames.")
    lists(source)  # they must be there and readable
    sessions = list(load_replies(source))
    for session in sessions:
        if session.problem not in problems:
            raise Mistake(f"{session.player} replies to {session.problem}, which is no problem of {source}.")
    with Store(folder, _manifest(problems, sessions)) as store:
        if store.records():
            raise Mistake(f"{folder} holds an import already; choose another --out.")
        _write(folder / PROBLEMS, (_line(problem) for problem in problems.values()))
        _write(folder / REPLIES, (json.dumps(session._asdict(), ensure_ascii=False) for session in sessions))
        (folder / "words").mkdir(exist_ok=True)
        for name in (WORDS, COUNTRIES):
            shutil.copyfile(source / "words" / name, folder / "words" / name)
        for done, session in enumerate(sessions):
            tell(done, len(sessions))
            store.append(record(problems[session.problem], session))
    return len(problems), sum(len(session.replies) for session in sessions)


def record(problem: Problem, session: Session) -> Record:
    """The session as a match by our rules: it ends with the first answer they accept, or the last one given."""
    position = Attempt(problem.question, len(session.replies))
    start, said = position, list[Said]()
    for reply in session.replies:
        if not position.options():
            break
        position = position.play(0, reply)
        said.append(Said(0, reply, "answered", reply))
    log = tuple((0, reply.move) for reply in said)
    return Record(
        problem.name, (session.player,), start, log, tuple(said), position.scores(), position.values(), *position.ending()
    )


def is_import(folder: Path) -> bool:
    return (folder / REPLIES).exists() and (folder / MANIFEST).exists()


def problems_of(folder: Path) -> Mapping[str, Problem]:
    """The problems of an import, by name."""
    found = {}
    for raw in _read(folder / PROBLEMS):
        question = codec.unpack(raw["question"])
        assert isinstance(question, Question)
        problem = Problem(raw["game"], raw["level"], raw["session"], question)
        found[problem.name] = problem
    return found


def sessions_of(folder: Path) -> Iterator[Session]:
    for raw in _read(folder / REPLIES):
        yield Session(raw["player"], raw["problem"], tuple(raw["replies"]), tuple(raw["solved"]))


def given(folder: Path) -> Iterator[Given]:
    """All sessions of an import, to be graded anew."""
    problems = problems_of(folder)
    for session in sessions_of(folder):
        problem = problems[session.problem]
        yield Given(session.player, problem.game, problem.level, problem.name, problem.question, session.replies, session.solved)


def graded_by_the_older(folder: Path) -> frozenset[str]:
    """The players whose replies were graded by the older grader: it took None for a word, and says so in its verdicts."""
    return frozenset(
        session.player
        for session in sessions_of(folder)
        if any(right and reply == "None" for reply, right in zip(session.replies, session.solved, strict=True))
    )


def _manifest(problems: Mapping[str, Problem], sessions: list[Session]) -> dict[str, object]:
    games = sorted({problem.game for problem in problems.values()})
    return {
        "quandary": quandary.__version__,
        "import": "textgames",
        "players": list(dict.fromkeys(session.player for session in sessions)),
        "versions": {name: registry.load(name).version for name in games},
    }


def _line(problem: Problem) -> str:
    plain = problem._asdict() | {"question": json.loads(codec.to_json(problem.question))}
    return json.dumps(plain, ensure_ascii=False)


def _write(path: Path, lines: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def _read(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)
    except (OSError, ValueError) as reason:
        raise Mistake(f"{path} cannot be read: {reason}.") from None
