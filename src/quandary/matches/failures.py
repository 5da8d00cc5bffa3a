"""Failures of players: their causes, and how a match ends by them."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.core.contract import Cause, Ending

from .player import (
    Forfeit,
    Readings,
    Reply,
    Status,
    checked,
    checked_readings,
    clean,
    described,
)
from .record import MOVED
from .saved import FAILURE_CAUSES


def failure_of(fault: BaseException) -> tuple[Cause, Reply]:
    """Return the cause of a player's failure, and what the player had said by then."""
    if isinstance(fault, Forfeit) and type(fault.cause) is str and fault.cause in FAILURE_CAUSES:
        words = fault.words
        try:
            readings = checked_readings(fault.readings)
            status = _status_of(fault, readings)
            reply = checked(
                Reply(words, words, "unreadable", fault.seconds, fault.tokens, readings)
            )
            return fault.cause, reply._replace(status=status)
        except TypeError as odd:
            fault = odd
    words = clean(f"{type(fault).__name__}: {described(fault)}")
    return "crash", Reply(words, words, "unreadable")


def _status_of(fault: Forfeit, readings: Readings | None) -> Status:
    """Return the status of the last words of a player that failed."""
    if fault.cause == "timeout" or fault.cause == "infrastructure":
        return fault.cause
    if fault.cause == "resigned":
        return "refused"
    if readings is not None and readings.lenient.status not in MOVED:  # else it was no move
        return readings.lenient.status
    return "unreadable" if fault.words else "empty"


def joint_ending(endings: Sequence[Ending]) -> Ending:
    """Return the ending for the failures of one round; if several seats failed, it names none of
    them.

    Where one of them made an illegal move, that is the cause, because the log shows it.
    """
    for ending in endings:
        if ending.cause == "infrastructure":
            return ending
    if len(endings) == 1:
        return endings[0]
    causes = [ending.cause for ending in endings]
    return Ending("illegal" if "illegal" in causes else causes[0], None)
