"""Grades answers again: what is solved by which turn, and which verdicts changed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from quandary.catalogue.spec import Spec
from quandary.core.contract import Question
from quandary.core.errors import UserError
from quandary.matches.record import Record, Unfaithful, replay
from quandary.tasks.attempt import Attempt

# (answers of a player, answer) -> whether it is right, and the kind of error
Grade = Callable[["Given", str], tuple[bool, str]]


class Given(NamedTuple):
    """The answers of one player to one question, and their recorded verdicts."""

    player: str
    puzzle: str
    level: str
    name: str
    question: Question
    answers: tuple[str, ...]
    was: tuple[bool, ...]
    turns: int  # answers the player could give, or gave


class Flip(NamedTuple):
    """A verdict that changed."""

    player: str
    puzzle: str
    level: str
    name: str
    turn: int
    was: bool
    now: bool
    kind: str  # what the checker now finds wrong, "" if nothing
    answer: str


@dataclass
class Regraded:
    """Questions asked, how many were solved by each turn, and changed verdicts."""

    asked: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    solved: dict[tuple[str, str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    flips: list[Flip] = field(default_factory=list)
    answers: int = 0

    def rates(self) -> Iterator[tuple[str, str, str, int, list[float]]]:
        """Player, puzzle, level, questions, and the shares solved within 1, 2, 3 ... turns."""
        for key, asked in self.asked.items():
            yield *key, asked, [solved / asked for solved in self.solved[key]]


def from_records(records: Iterable[Record]) -> Iterator[Given]:
    """The answered questions of a run's records."""
    for record in records:
        try:
            last = replay(record)[-1]
        except Unfaithful as reason:
            raise UserError(f"the record of {record.name} does not replay: {reason}.") from None
        if isinstance(last, Attempt):  # only questions have answers to grade
            spec = Spec.parse(record.name)
            answers, verdicts = zip(*last.said, strict=True) if last.said else ((), ())
            was = tuple(verdict.score >= 1.0 for verdict in verdicts)
            level = str(replace(spec, seed=0)).removesuffix("#0").partition("/")[2]
            yield Given(
                record.players[0],
                spec.name,
                level,
                record.name,
                last.question,
                answers,
                was,
                last.tries,
            )


def regrade(given: Iterable[Given], grade: Grade) -> Regraded:
    """Grade all answers again; a question is solved from its first accepted answer on."""
    found, first_right, turns = (
        Regraded(),
        defaultdict[tuple[str, str, str], Counter[int]](Counter),
        0,
    )
    for session in given:
        key = (session.player, session.puzzle, session.level)
        found.asked[key] += 1
        found.answers += len(session.answers)
        turns = max(turns, session.turns)
        now = [grade(session, answer) for answer in session.answers]
        first_right[key].update([turn for turn, (right, _) in enumerate(now) if right][:1])
        for turn, ((right, kind), was) in enumerate(zip(now, session.was, strict=True)):
            if right != was:
                found.flips.append(
                    Flip(*session[:4], turn + 1, was, right, kind, session.answers[turn])
                )
    for key in found.asked:
        found.solved[key] = list(accumulate(first_right[key][turn] for turn in range(turns)))
    return found


def strictly(session: Given, answer: str) -> tuple[bool, str]:
    """Grade by the puzzle's own check."""
    verdict = session.question.check(answer)
    return verdict.score >= 1.0, verdict.kind
