"""What happened in a match, complete enough to replay it and to recompute every number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .contract import Cause, Ending, Game, Move, Seat
from .player import Status


class Said(NamedTuple):
    """One reply of a player, taken or refused."""

    seat: Seat
    words: str
    status: Status
    move: Move = ""
    seconds: float = 0.0
    tokens: int = 0


@dataclass(frozen=True)
class Record:
    """A finished match.  Folding `log` over `start` reaches `scores`; no luck and no player is needed."""

    name: str  # the spec, or what else names the match
    players: tuple[str, ...]  # one a seat
    start: Game
    log: tuple[tuple[Seat, Move], ...]  # every move, chance's and fouls included, in the order of play
    said: tuple[Said, ...]
    scores: tuple[float, ...] | None  # None: cut off by the infrastructure, so not to be judged
    values: tuple[float, ...] | None
    cause: Cause
    offender: Seat | None = None
    repeat: int = 0  # which playing of the same match by the same players


class Outcome(NamedTuple):
    """How a match stands at its end."""

    position: Game
    scores: tuple[float, ...] | None
    values: tuple[float, ...] | None


class Unfaithful(ValueError):
    """A record whose log does not lead where it says."""


def allowed(position: Game, seat: Seat, move: Move) -> bool:
    """Whether the rules let `seat` make this move now."""
    options = position.options()
    if seat not in options:
        return False
    listed = options[seat]
    return listed is None or move in listed


def settle(position: Game, ending: Ending) -> Outcome:
    """Scores of a match that ended at `position`: by the rules, or by somebody's fault."""
    if ending.cause == "infrastructure":
        return Outcome(position, None, None)
    if not position.options():
        return Outcome(position, position.scores(), position.values())
    if ending.offender is None:  # several seats failed at once: nobody wins
        return Outcome(position, (0.0,) * position.seats, None)
    return Outcome(position, tuple(float(seat != ending.offender) for seat in range(position.seats)), None)


def replay(record: Record) -> list[Game]:
    """Every position of the match, from the log alone; Unfaithful if it does not reach the recorded scores."""
    positions = [record.start]
    for seat, move in record.log:
        here = positions[-1]
        after = here.play(seat, move) if allowed(here, seat, move) else here.foul(seat, move)
        if after is not None:
            positions.append(after)
        elif record.cause != "illegal":
            raise Unfaithful(f"{move!r} of seat {seat} is against the rules, but the record does not end there")
    last = positions[-1]
    ending = Ending(record.cause, record.offender)
    if not last.options() and record.cause != "infrastructure" and last.ending() != ending:
        raise Unfaithful(f"the log ends by {last.ending().cause}, the record says {record.cause}")
    _, scores, values = settle(last, ending)
    if (scores, values) != (record.scores, record.values):
        raise Unfaithful(f"the log leads to scores {scores}, the record says {record.scores}")
    return positions
