"""Readings of replies in records of earlier versions, which have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from quandary.core.contract import Seat
from quandary.core.question import form_of
from quandary.matches.record import NO_REPLY, LoggedReply, Record
from quandary.players.model_names import is_model
from quandary.players.reading.stored import readings_of

from .exchanges import Exchange, calls_behind, exchanges
from .job import match_name

AT_ONCE = 1_000  # records that are held in memory


def all_with_readings(records: Iterable[Record], journal: Path) -> Iterator[Record]:
    """Yield the records of a run, each with the readings of its models' replies.

    The journal is read only if some of them lack readings.
    """
    remaining = iter(records)
    while batch := list(islice(remaining, AT_ONCE)):
        lacking = {_name(record) for record in batch if _lacks_readings(record)}
        calls = exchanges(journal, lacking) if lacking and journal.exists() else {}
        for record in batch:
            seats = range(len(record.players))
            own = {seat: calls.get((_name(record), seat), ()) for seat in seats} if calls else {}
            yield with_readings(record, own)


def with_readings(record: Record, calls: Mapping[Seat, Sequence[Exchange]]) -> Record:
    """Return the record with the readings of its models' replies; `calls` are those of the
    journal.
    """
    if not _lacks_readings(record):
        return record
    replies, numbers = list[LoggedReply](), Counter[Seat]()
    for reply in record.said:
        numbers[reply.seat] += 1
        if is_model(record.players[reply.seat]):
            behind = calls_behind(numbers[reply.seat], calls.get(reply.seat, ()))
            generations = (given for call in behind for given in call.generations)
            reply = reply._replace(readings=readings_of(reply, form_of(record.start), generations))
        replies.append(reply)
    return replace(record, said=tuple(replies))


def _lacks_readings(record: Record) -> bool:
    models = [is_model(player) for player in record.players]
    return any(
        models[reply.seat] and not reply.readings and reply.status not in NO_REPLY
        for reply in record.said
    )


def _name(record: Record) -> str:
    return match_name(record.name, record.players, record.repeat)
