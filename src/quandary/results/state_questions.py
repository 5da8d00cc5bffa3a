"""What rows say about a question on a position of a search tree (`check:`, `next:`).

All of it follows from the record: the position by the exact solver, the error by the checker.
Counting what lies below a dead end takes longest, up to some 0.1 s: it stops at
`TREE_CAP` positions, and is done once for each question, when the tables of a run are written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from quandary.catalogue.splits import canonical_hash
from quandary.core.contract import Game, Seat
from quandary.matches.record import RULED
from quandary.tasks.blind_rules import Visible, visible
from quandary.tasks.question_game import NO_ANSWER, asked_question
from quandary.tasks.state_task import StateTask

from .lines import Played

OTHER = "other"  # an answer that counted as wrong and is right by the present rules


class StateQuestion(NamedTuple):
    """The columns of a question on a position; all None for any other match."""

    label: str | None = None
    depth: int | None = None
    gaps: int | None = None
    legal_moves: int | None = None
    dead_tree: int | None = None
    state_length: int | None = None
    tried: str | None = None
    tree: str | None = None


def state_question(start: Game) -> StateQuestion:
    """Return what is asked in a match; the label is proven again."""
    task = _asked(start)
    if task is None:
        return StateQuestion()
    found, seen = task.difficulty(), visible(task)
    return StateQuestion(
        "solvable" if found.dead_tree is None else "unsolvable",
        seen.depth,
        found.gaps,
        seen.moves,
        found.dead_tree,
        seen.length,
        _tried(seen),
        f"{canonical_hash(task.start):016x}",
    )


def error_of(played: Played, seat: Seat, start: Callable[[], Game]) -> str | None:
    """Return what is wrong with the last answer: "" if nothing is, None if the match has no result.

    A match that ended without an answer has its cause.
    """
    if played.scores is None:
        return None
    if played.scores[seat] >= 1.0:
        return ""
    if played.cause not in RULED or not played.log:
        return played.cause
    _, answer = played.log[-1]
    if answer == NO_ANSWER:
        return "no_answer"
    task = _asked(start())
    return task.check(answer).kind or OTHER if task else None


def _asked(start: Game) -> StateTask | None:
    asked = asked_question(start)
    return asked.question if asked and isinstance(asked.question, StateTask) else None


def _tried(seen: Visible) -> str:
    """Return whether a child is shown that was tried, and whether the first legal move
    leads to it.
    """
    if not seen.is_child_shown:
        return "none"
    return "first" if seen.is_child_first else "later"
