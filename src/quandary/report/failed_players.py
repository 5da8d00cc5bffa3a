"""Why players failed, in the words of their records."""

from __future__ import annotations

from quandary.matches.player import Status
from quandary.matches.record import LoggedReply, Record
from quandary.programs.library import is_program

WORDED: tuple[Status, ...] = ("unreadable", "timeout", "infrastructure")


def failures(record: Record) -> dict[int, str]:
    """Return what went wrong with players, by the number of the reply that stands for it.

    Of programs and errors: what models, people and strategies said last is a reply of theirs.
    """
    last = {reply.seat: number for number, reply in enumerate(record.said)}
    return {
        number: record.said[number].words
        for number in last.values()
        if _is_failure(record, record.said[number])
    }


def _is_failure(record: Record, reply: LoggedReply) -> bool:
    is_own = reply.readings is not None or bool(reply.move)  # it said this itself
    if is_own or reply.status not in WORDED or not reply.words.strip():
        return False
    return is_program(record.players[reply.seat]) or record.cause == "crash"
