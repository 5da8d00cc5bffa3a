"""Grades answers again: what is solved by which turn, and which verdicts changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from quandary.catalogue.drawing import puzzle_and_level
from quandary.catalogue.spec import Spec
from quandary.core.contract import Question
from quandary.core.errors import UserError
from quandary.matches.origin import is_earlier
from quandary.matches.record import Record, ReplayMismatch, replay
from quandary.tasks.question_game import asked_question

from .solve_rates import QuestionResult, SolveRate, solve_rates

# (answers of a player, answer) -> whether it is right (None: undetermined), and the kind of error
Grade = Callable[["Given", str], tuple[bool | None, str]]


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


class ChangedVerdict(NamedTuple):
    """A verdict that changed."""

    player: str
    puzzle: str
    level: str
    name: str
    turn: int
    was: bool
    now: bool | None  # None: undetermined
    kind: str  # what the checker now finds wrong, "" if nothing
    answer: str


@dataclass
class Regraded:
    """The results of questions, and changed verdicts."""

    results: list[QuestionResult] = field(default_factory=list)
    changes: list[ChangedVerdict] = field(default_factory=list)
    answers: int = 0

    def rates(self) -> list[SolveRate]:
        return solve_rates(self.results)


def from_records(records: Iterable[Record]) -> Iterator[Given]:
    """Yield the answered questions of a run's records, without those cut off."""
    for record in records:
        if record.scores is None:
            continue
        asked = asked_question(record.start)
        if asked:  # only questions have answers to grade
            _check(record)
            answers = tuple(answer for _, answer in record.log)
            yield Given(
                record.players[0],
                *puzzle_and_level(Spec.parse(record.name)),
                record.name,
                asked.question,
                answers,
                # a question ends with the first right answer
                tuple(
                    turn == len(answers) and record.scores[0] >= 1.0
                    for turn in range(1, len(answers) + 1)
                ),
                asked.tries,
            )


def _check(record: Record) -> None:
    """UserError if a record does not replay; earlier versions may have judged its answers
    otherwise.
    """
    try:
        replay(record)
    except ReplayMismatch as reason:
        if not is_earlier(record):
            raise UserError(f"the record of {record.name} does not replay: {reason}.") from None


def regrade(given: Iterable[Given], grade: Grade) -> Regraded:
    """Grade all answers again; a question is solved from its first accepted answer on."""
    found = Regraded()
    for session in given:
        found.answers += len(session.answers)
        now = [grade(session, answer) for answer in session.answers]
        solved_on_turn = next((turn for turn, (right, _) in enumerate(now, start=1) if right), None)
        found.results.append(QuestionResult(*session[:3], session.turns, solved_on_turn))
        for turn, ((right, kind), was) in enumerate(zip(now, session.was, strict=True)):
            if right != was:
                found.changes.append(
                    ChangedVerdict(*session[:4], turn + 1, was, right, kind, session.answers[turn])
                )
    return found


def strictly(session: Given, answer: str) -> tuple[bool, str]:
    """Grade by the puzzle's own check."""
    verdict = session.question.check(answer)
    return verdict.score >= 1.0, verdict.kind
