"""What rows say about a question with a worked answer (LogicGame): how each part was judged.

All of it follows from the record: its last reply is judged again by the checker of its question.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from quandary.catalogue import registry
from quandary.core.contract import Game, Question, Seat
from quandary.core.json_answers import NO_JSON, unread_kind
from quandary.core.worked import Worked
from quandary.core.wrapper import innermost
from quandary.matches.record import RULED
from quandary.models.provider import Generation
from quandary.players.reading.thinking import separate
from quandary.tasks.question_game import asked_question

from .lines import Played
from .state_questions import OTHER

# Causes of matches whose last words are a reply; others end by a failure or come too late.
REPLIED = {*RULED, "unreadable"}


class WorkedAnswer(NamedTuple):
    """The columns of a worked answer; all None for other matches, and without a result."""

    error: str | None = None
    answer_right: bool | None = None
    process_share: float | None = None
    lenient_answer_right: bool | None = None
    lenient_right: bool | None = None
    first_wrong_step: int | None = None
    first_wrong_share: float | None = None


RIGHT = WorkedAnswer("", True, 1.0, True, True)


def domain_of(start: Game, puzzle: str) -> str | None:
    """Return where the puzzle of a question with a worked answer stands: `execution`,
    `planning`.
    """
    return registry.group(puzzle).rpartition("/")[2] if _asked(start) else None


def worked_answer(played: Played, seat: Seat, start: Callable[[], Game]) -> WorkedAnswer:
    """Return how the last reply to a question with a worked answer was judged."""
    if played.scores is None:
        return WorkedAnswer()
    if played.scores[seat] >= 1.0:
        return RIGHT
    last = next((reply for reply in reversed(played.said) if reply.seat == seat), None)
    if last is None or played.cause not in REPLIED:
        return _unread(NO_JSON)
    if last.status != "answered":
        return _unread(unread_kind(separate(Generation(last.words))[1]))
    question = _asked(start())
    return _judged(question, last.move) if question else WorkedAnswer()


def _asked(start: Game) -> Worked | None:
    asked = asked_question(start)
    question = innermost(asked.question) if asked else None
    return question if isinstance(question, Worked) else None


def _unread(kind: str) -> WorkedAnswer:
    return WorkedAnswer(kind, False, 0.0, False, False)


def _judged(question: Question, answer: str) -> WorkedAnswer:
    verdict = question.check(answer)
    parts, step = dict(verdict.parts), verdict.first_wrong_step
    return WorkedAnswer(
        verdict.kind or OTHER,
        parts["answer"] >= 1.0,
        parts["process"],
        parts["lenient_answer"] >= 1.0,
        parts["lenient_answer_and_process"] >= 1.0,
        step,
        None if step is None else _share_of_process(question, step),
    )


def _share_of_process(question: Question, step: int) -> float:
    """Return a step as a share of the right process; one after its end as the last."""
    entries = len(json.loads(question.solution())["process"])
    return min(step, entries) / entries if entries else 1.0
