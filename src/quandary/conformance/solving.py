"""Checks that one-seat games can be solved, and that they know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from quandary.core.contract import Ending, Game, Move, StateTasks, solved
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.whole_answers import moves_in
from quandary.core.puzzle import strongest_at
from quandary.tasks.search_tree import refusal
from quandary.tasks.whole import NO_STRATEGY, Whole

from .case import Case, played_out, some
from .texts import ODD_TEXTS, mutations

PLAYED = 50  # instances that an optimal player plays
SEARCHED = 60  # moves of a position that are all made
TRIED = 6  # moves of a position that are made to see whether shortcuts agree


def one_seat_games_can_be_won(case: Case) -> Iterator[str]:
    for match in case.matches_of_the_oracle:
        last, (cause, _) = match.position, match.ending or Ending("unfinished")
        if not last.options() and isinstance(last, StateTasks) and not refusal(match.start):
            yield from _knows_the_end(last)
        if last.options() or (last.scores() != (1.0,) and last.values() is None):
            yield (
                f"an instance cannot be solved, or the oracle cannot solve it: it ended by {cause}"
            )


def optimal_players_solve_many(case: Case) -> Iterator[str]:
    """An oracle may fail in few instances; these were drawn already."""
    if strongest_at(case.puzzle, case.level) != "optimal" or any(one_seat_games_can_be_won(case)):
        return
    for seed, start in enumerate(case.kept.get(case.level, ())[:PLAYED]):
        if isinstance(start, Game) and start.seats == 1 and "oracle" in start.strategies:
            match = played_out(start, case.name)
            last, (cause, _) = match.position, match.ending or Ending("unfinished")
            if last.scores() != (1.0,) and last.values() is None:
                yield (
                    f"`strongest` is 'optimal', but the oracle does not solve "
                    f"{case.name}/{case.level}#{seed}: it ended by {cause}"
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


def shortcuts_agree_with_moves(case: Case) -> Iterator[str]:
    """What a state task asks without making moves is the same as after making them."""
    rng = Random(case.name)
    for match in _with_state_tasks(case):
        start, last = match[0], match[-1]
        for position in match[:-1]:
            yield from _agrees_with_moves(position, some(position.legal(0), rng, TRIED))
        for one, other in pairwise(dict.fromkeys(match)):
            if one.leads_to(other) is False:
                yield "`leads_to` is False for a position that was reached by legal moves"
        if last.state() != start.state() and not last.options() and last.leads_to(start):
            yield "`leads_to` is True where no move is left, for a position of the same match"


def _agrees_with_moves(position: StateTasks, moves: Sequence[Move]) -> Iterator[str]:
    for move in moves:
        after = position.after(0, move)
        if position.solvable_after(move) != (solvable := after.solvable()):
            yield f"`solvable_after` is {not solvable} for {move!r}, and `solvable` then {solvable}"
        back = position.move_to(after)
        if back is None or position.after(0, back).state() != after.state():
            yield f"`move_to` gives {back!r} for the position after {move!r}"
        if position.leads_to(after) is False:
            yield f"`leads_to` is False for the position after {move!r}"
    legal = position.legal(0)
    if 0 < len(legal) <= SEARCHED and not solved(position):
        reached = any(position.after(0, move).solvable() for move in legal)
        if position.solvable() != reached:
            yield (
                f"`solvable` is {not reached} for a position, but it is {reached} for "
                f"{'one' if reached else 'all'} of those after its moves"
            )
    tried = position.branches()
    if strangers := [move for move in tried if move not in legal]:
        yield f"`branches` holds {strangers[0]!r}, which is not among the options"
    # A search that tries these alone must not miss all solutions.
    misses = legal and not any(position.solvable_after(move) for move in tried)
    if misses and position.solvable() and not solved(position):
        yield (
            f"`branches` gives {len(tried)} moves and none of them leads to a solution, but "
            f"`solvable` is True"
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
