"""What is read from stored records to continue a run and to score it, without decoding positions
and words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from .jsonl import is_torn


class RecordKey(NamedTuple):
    """Which match of a run a record is about."""

    name: str
    players: tuple[str, ...]
    repeat: int


class Header(msgspec.Struct):
    """What is read from a record; raw fields must exist but are not decoded."""

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

    @property
    def key(self) -> RecordKey:
        return RecordKey(self.name, self.players, self.repeat)

    @property
    def is_cut_off(self) -> bool:
        """Whether the infrastructure failed, so that the match is played again."""
        return self.cause == "infrastructure"


class Collector(Protocol):
    """Is told of every record of a run once, in the order of the file."""

    def clear(self) -> None:
        """Forget all records: they are told again from the first on."""

    def add(self, offset: int, header: Header) -> None:
        """Note a record and where it begins in its file."""


header_in = msgspec.json.Decoder(Header).decode


def headers(path: Path) -> Iterator[tuple[int, Header]]:
    """The records of a file, each by its offset, without those that are damaged."""
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
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                if line.strip() and not is_torn(line):
                    yield number, offset, None
            offset += len(line)
