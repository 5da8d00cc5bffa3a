"""Checks that one-seat games can be solved, and that they know it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from quandary.core.contract import Ending, Game, StateTasks, solved
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.whole_answers import moves_in
from quandary.tasks.search_tree import refusal
from quandary.tasks.whole import NO_STRATEGY, Whole

from .case import Case, some
from .texts import ODD_TEXTS, mutations


def one_seat_games_can_be_won(case: Case) -> Iterator[str]:
    for match in case.matches_of_the_oracle:
        last, (cause, _) = match.position, match.ending or Ending("unfinished")
        if not last.options() and isinstance(last, StateTasks) and not refusal(match.start):
            yield from _knows_the_end(last)
        if last.options() or (last.scores() != (1.0,) and last.values() is None):
            yield (
                f"an instance cannot be solved, or the oracle cannot solve it: it ended by {cause}"
            )


def solvable_tells_the_truth(case: Case) -> Iterator[str]:
    for start, *_, last in _with_state_tasks(case):
        if not start.solvable():
            yield "an instance cannot be solved, or `solvable` wrongly denies it"
        yield from _knows_the_end(last)


def _knows_the_end(last: StateTasks) -> Iterator[str]:
    if last.solvable() != solved(last):
        yield (
            f"`solvable` is {last.solvable()} where the game is over and "
            f"{'' if solved(last) else 'not '}solved"
        )


def whole_games_are_read_or_refused(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for start in _with_whole_answers(case):
        line = "\n".join(some(start.options()[0], rng, 3))
        for text in (*ODD_TEXTS, *mutations(line, rng, 20)):
            try:
                if not all(isinstance(move, str) for move in moves_in(start, text)):
                    yield f"`moves` of {text[:40]!r} are not texts"
            except Unreadable as refused:
                if not refusal_text(start, refused).strip():
                    yield "a refusal of `moves` is empty: say how moves are written"
            except Exception as reason:
                yield (
                    f"`moves` raised {type(reason).__name__} on {text[:40]!r}: odd text must be "
                    f"Unreadable"
                )


def _with_state_tasks(case: Case) -> Iterator[list[StateTasks]]:
    """The matches of a one-seat game that has state tasks."""
    for match in case.matches:
        if isinstance(match[0], StateTasks) and not refusal(match[0]):
            yield match  # type: ignore[misc]


def _with_whole_answers(case: Case) -> Iterator[Game]:
    """The instances of a one-seat game that can be asked for all moves at once."""
    for start, *_ in case.matches:
        if Whole.refusal(start) in ("", NO_STRATEGY) and start.options().get(0) is not None:
            yield start
