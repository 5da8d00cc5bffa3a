"""Reads what continues and scores a run from its records, without decoding positions and words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from quandary.renamed import player_now

from .jsonl import is_torn

DAMAGED = (msgspec.DecodeError, UnicodeError, RecursionError)  # what decoding such a line raises


CUT_OFF = "infrastructure"  # the cause of a match that is played again


class RecordKey(NamedTuple):
    """The match of a run that a record is about."""

    name: str
    players: tuple[str, ...]
    repeat: int


class Results(Protocol):
    """The result of a match in its record."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def scores(self) -> tuple[float, ...] | None: ...
    @property
    def values(self) -> tuple[float, ...] | None: ...
    @property
    def offender(self) -> int | None: ...


def check_results(record: Results) -> None:
    """Raise ValueError if there are results of seats that have no player."""
    seats, scores, values = len(record.players), record.scores, record.values
    if scores is not None and len(scores) != seats:
        raise ValueError(f"{len(scores)} scores of {seats} players")
    if values is not None and len(values) != seats:
        raise ValueError(f"{len(values)} values of {seats} players")
    if record.offender is not None and not 0 <= record.offender < seats:
        raise ValueError(f"the offender is seat {record.offender} of {seats}")


class Header(msgspec.Struct):
    """The header of a record; raw fields must exist but are not decoded."""

    name: str
    players: tuple[str, ...]
    cause: str
    start: msgspec.Raw
    log: msgspec.Raw
    said: msgspec.Raw
    scores: tuple[float, ...] | None
    values: tuple[float, ...] | None = None
    offender: int | None = None
    repeat: int = 0
    version: int | None = None

    def __post_init__(self) -> None:
        self.players = tuple(map(player_now, self.players))
        check_results(self)

    @property
    def key(self) -> RecordKey:
        return RecordKey(self.name, self.players, self.repeat)

    @property
    def is_cut_off(self) -> bool:
        """Whether the infrastructure failed, so that the match is played again."""
        return self.cause == CUT_OFF


class Collector(Protocol):
    """Receives every record of a run once, in the order of the file."""

    def clear(self) -> None:
        """Forget all records: they come again from the first on."""

    def add(self, offset: int, header: Header) -> None:
        """Note a record and where it begins in its file."""


header_in = msgspec.json.Decoder(Header).decode


def is_cut_off(record: str) -> bool:
    """Return whether the infrastructure failed in a match; most records need not be read for it."""
    return f'"{CUT_OFF}"' in record and header_in(record).is_cut_off


def is_header(line: bytes) -> bool:
    """Return whether this much can be read of a line; `quandary run` moves any other aside."""
    try:
        header_in(line)
    except DAMAGED:
        return False
    return True


def headers(path: Path) -> Iterator[tuple[int, Header]]:
    """Yield the records of a file, each by its offset, without those that are damaged."""
    for _, offset, header in lines(path):
        if header is not None:
            yield offset, header


def lines(path: Path) -> Iterator[tuple[int, int, Header | None]]:
    """Number, offset and header of each line; None for a damaged one, and nothing for one that a
    crash cut off at the end.
    """
    offset = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield number, offset, header_in(line)
            except DAMAGED:
                if line.strip() and not is_torn(line):
                    yield number, offset, None
            offset += len(line)
