"""The lines of a run's records with their offsets, decoded and replayed only as far as needed.

The start of a match is decoded once per instance, because that takes most of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from quandary.arena.headers import DAMAGED, Header, check_results
from quandary.arena.jsonl import is_complete
from quandary.arena.store import line_error
from quandary.core.contract import Game, Seat
from quandary.core.errors import UserError
from quandary.matches.codec import record_from_json
from quandary.matches.record import LoggedReply, Record, ReplayMismatch, replay
from quandary.renamed import player_now


class RecordLine(NamedTuple):
    """One record as it stands in its file."""

    path: Path
    match: int  # number of the record in the file, counted from 1
    begin: int  # offset of its first byte
    end: int
    text: bytes


class Played(msgspec.Struct, frozen=True):
    """A record whose start is not decoded."""

    name: str
    players: tuple[str, ...]
    start: msgspec.Raw
    log: tuple[tuple[Seat, str], ...]
    said: tuple[LoggedReply, ...]
    scores: tuple[float, ...] | None
    values: tuple[float, ...] | None
    cause: str
    offender: Seat | None = None
    repeat: int = 0
    version: int | None = None

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "players", tuple(map(player_now, self.players)))
        check_results(self)


Decoded = TypeVar("Decoded")

_headers = msgspec.json.Decoder(Header)
_played = msgspec.json.Decoder(Played)


def lines(path: Path, begin: int = 0, match: int = 1) -> Iterator[RecordLine]:
    """Yield the complete lines of a file of records from an offset on; `match` numbers the
    first.
    """
    try:
        with path.open("rb") as file:
            file.seek(begin)
            for text in file:
                end = begin + len(text)
                if text.strip() and (text.endswith(b"\n") or is_complete(text)):
                    yield RecordLine(path, match, begin, end, text)
                    match += 1
                begin = end
    except OSError as reason:
        raise UserError(f"{path} cannot be read: {reason.strerror}.") from None


def line_at(path: Path, match: int, begin: int) -> RecordLine:
    """Return one line, by its offset."""
    return next(lines(path, begin, match))


def header_of(line: RecordLine) -> Header:
    return _decoded(_headers, line)


def played_in(line: RecordLine) -> Played:
    return _decoded(_played, line)


def record_in(line: RecordLine) -> Record:
    """Return the whole record."""
    try:
        return record_from_json(line.text)
    except UserError as reason:
        raise line_error(line.path, line.begin, line.text, reason) from None


def positions_in(line: RecordLine, record: Record) -> list[Game]:
    """Return the positions of the match in a line; UserError if it does not replay."""
    try:
        return replay(record)
    except ReplayMismatch as reason:
        raise UserError(
            f"match {line.match} of {line.path}, {record.name}, does not replay: {reason}; see "
            f"`quandary replay {line.path} --match {line.match}`."
        ) from None


def _decoded(decoder: msgspec.json.Decoder[Decoded], line: RecordLine) -> Decoded:
    try:
        return decoder.decode(line.text)
    except DAMAGED as reason:
        raise line_error(line.path, line.begin, line.text, reason) from None
