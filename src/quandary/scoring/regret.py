"""How good each move was: the worth of the position it was made in, and how much of that it lost."""

from __future__ import annotations

from typing import NamedTuple

from quandary.core.contract import CHANCE, Game, Move, Seat
from quandary.matches.record import Record, allowed, replay


class Judged(NamedTuple):
    """A move as the puzzle's own judge sees it, knowing no more than its player."""

    worth: float  # expected score of the position under best play
    regret: float  # how much less the move can expect


def judged(position: Game, seat: Seat, move: Move) -> Judged | None:
    """What a move is worth; None where nobody can tell in bounded time, and for chance."""
    worth = None if seat == CHANCE else position.seen_by(seat).judge(seat)
    if not worth:
        return None
    best = max(worth.values())
    if allowed(position, seat, move):
        return Judged(best, best - worth[move])
    # what a foul that costs only a turn loses is unknown
    return Judged(best, best) if position.foul(seat, move) is None else None


def regrets(record: Record) -> list[Judged | None]:
    """The same for every entry of a record's log."""
    return [
        judged(position, seat, move)
        for position, (seat, move) in zip(replay(record), record.log, strict=False)
    ]
