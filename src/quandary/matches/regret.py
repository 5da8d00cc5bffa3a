"""The quality of moves: the worth of the position, and how much of it a move gave away."""

from __future__ import annotations

from typing import NamedTuple

from quandary.core.contract import CHANCE, Game, Move, Seat
from quandary.core.mixins.objectives import judge
from quandary.core.mixins.turns import after_foul

from .record import Record, allowed, replay


class Judged(NamedTuple):
    """A move as the puzzle judges it, knowing no more than its player."""

    worth: float  # expected score of the position under best play
    regret: float  # how much less is expected after the move
    best: Move = ""  # one of the best moves; the move itself where none is better


def judged(position: Game, seat: Seat, move: Move) -> Judged | None:
    """Return how good a move is; None for chance, and if it cannot be computed in bounded time."""
    worth = None if seat == CHANCE else judge(position.seen_by(seat), seat)
    if not worth:
        return None
    best = max(worth.values())
    first = next(each for each, value in worth.items() if value == best)
    if allowed(position, seat, move):
        return Judged(best, best - worth[move], move if worth[move] == best else first)
    # The cost of a foul that only passes the turn is unknown.
    return Judged(best, best, first) if after_foul(position, seat, move) is None else None


def regrets(record: Record) -> list[Judged | None]:
    """Return how good each move of a record's log was."""
    return [
        judged(position, seat, move)
        for position, (seat, move) in zip(replay(record), record.log, strict=False)
    ]
