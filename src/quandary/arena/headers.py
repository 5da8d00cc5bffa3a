"""What is read from stored records to continue a run, without decoding their matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from .jsonl import is_torn


class RecordKey(NamedTuple):
    """Which match of a run a record is about."""

    name: str
    players: tuple[str, ...]
    repeat: int


class Header(msgspec.Struct):
    """What is read from a record to continue a run; raw fields must exist but are not decoded."""

    name: str
    players: tuple[str, ...]
    cause: str
    start: msgspec.Raw
    log: msgspec.Raw
    said: msgspec.Raw
    scores: tuple[float, ...] | None
    repeat: int = 0
    version: int | None = None

    @property
    def key(self) -> RecordKey:
        return RecordKey(self.name, self.players, self.repeat)

    @property
    def is_cut_off(self) -> bool:
        """Whether the infrastructure failed, so that the match is played again."""
        return self.cause == "infrastructure"


_decoded = msgspec.json.Decoder(Header).decode


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
                yield number, offset, _decoded(line)
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                if line.strip() and not is_torn(line):
                    yield number, offset, None
            offset += len(line)
