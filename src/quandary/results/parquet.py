"""The tables of a run as Parquet files, beside its records.

They come in parts, each of which covers a range of bytes of the records, so that closing a run
again converts only what is new.  A part that does not fit the records or the settings any more is
made again, with all that follow it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from quandary.arena.journal import JOURNAL
from quandary.arena.jsonl import lock
from quandary.arena.store import RECORDS, manifest_of
from quandary.catalogue.discovery import built_in
from quandary.catalogue.registry import WRAPPERS, load
from quandary.core.errors import UserError
from quandary.models.prices import Prices
from quandary.players.reading.version import READER
from quandary.version import VERSION

from . import survey
from .calls import Calls, run_prices
from .columns import REPLIES, SEATS, Buffer
from .from_records import RowMaker
from .lines import RecordLine, lines
from .run_context import context_of
from .run_folders import TABLES

if TYPE_CHECKING:
    from quandary.results.run_context import RunContext

NEEDED = "tables need pyarrow: pip install 'quandary[report]'; CSV needs nothing."
RECORDS_PER_PART, RECORDS_PER_GROUP = 250_000, 10_000
EDGE = 4096  # bytes at both ends of a range, by which it is known again
KEY = b"quandary"  # of a part's metadata
MEANING = 2  # raised when a column of the same name and type comes to mean something else


class Part(msgspec.Struct, frozen=True):
    """What a part covers."""

    begin: int  # bytes of the records
    end: int
    first: int  # number of its first match
    records: int
    edges: str  # digest of the bytes at both ends of the range
    context: str  # digest of what rows depend on beside the records


def is_available() -> bool:
    return find_spec("pyarrow") is not None


def close(folder: Path, by: Prices | None = None, into: Path | None = None) -> int:
    """Bring the tables of a run up to date, and return the number of records that were converted.

    Costs use the given prices, or else those used before.  The tables are in the folder of the run
    unless `into` names another one.
    """
    if not is_available():
        raise UserError(NEEDED)
    context, records = context_of(folder), folder / RECORDS
    by = run_prices(folder, by)
    digest, tables = _digest_of(context, by, _versions_read(folder)), into or folder / TABLES
    with _locked(tables):
        kept = _fitting(tables, records, digest)
        begin, first = (kept[-1].end, kept[-1].first + kept[-1].records) if kept else (0, 1)
        new = lines(records, begin, first)
        line = next(new, None)
        if line is None:
            return 0
        maker, number, converted = RowMaker(context, Calls(folder / JOURNAL, by)), len(kept), 0
        while line is not None:
            number += 1
            with PartWriter(tables, number, records, digest) as writer:
                while line is not None and writer.records < RECORDS_PER_PART:
                    writer.add(line, maker)
                    line = next(new, None)
            converted += writer.records
        return converted


class PartWriter:
    """Writes one part; nothing is left of it if that fails."""

    def __init__(self, tables: Path, number: int, records: Path, context: str) -> None:
        self.source, self.context = records, context
        self.paths = {table: _path(tables, table, number) for table in (REPLIES, SEATS)}
        self.buffers = {table: Buffer(table) for table in self.paths}
        self.records = 0
        self.first: RecordLine | None = None
        self.last: RecordLine | None = None

    def __enter__(self) -> PartWriter:
        from pyarrow.parquet import ParquetWriter

        self.writers = {
            table: ParquetWriter(_draft(path), self.buffers[table].schema, compression="zstd")
            for table, path in self.paths.items()
        }
        return self

    def add(self, line: RecordLine, maker: RowMaker) -> None:
        rows = maker.rows(line)
        self.buffers[SEATS].extend(rows.seats)
        self.buffers[REPLIES].extend(rows.replies)
        self.first, self.last = self.first or line, line
        self.records += 1
        if self.records % RECORDS_PER_GROUP == 0:
            self._flush()

    def _flush(self) -> None:
        for table, writer in self.writers.items():
            if len(rows := self.buffers[table].taken()):
                writer.write_table(rows)

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        try:
            if kind is None and self.first and self.last:
                self._flush()
                begin, end = self.first.begin, self.last.end
                edges = _edges(self.source, begin, end)
                part = Part(begin, end, self.first.match, self.records, edges, self.context)
                for writer in self.writers.values():
                    writer.add_key_value_metadata({KEY: msgspec.json.encode(part)})
        finally:
            for writer in self.writers.values():
                writer.close()
        for path in self.paths.values():  # the seats last: with them, the part is there
            if kind is None:
                _draft(path).replace(path)
            else:
                _draft(path).unlink(missing_ok=True)


def part_files(tables: Path, table: str) -> list[Path]:
    """Return the files of a table, in order."""
    return sorted(tables.glob(f"{table}-*.parquet"))


def covered(tables: Path) -> int:
    """Return the offset up to which the tables cover the records; the run may have added more."""
    files = part_files(tables, SEATS)
    part = _part(files[-1]) if files else None
    return part.end if part else 0


def _path(tables: Path, table: str, number: int) -> Path:
    return tables / f"{table}-{number:05}.parquet"


def _draft(path: Path) -> Path:
    return path.with_suffix(".draft")


def _versions_read(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the first and the last version that is read of each task and each puzzle of a run.

    Not of puzzles from outside, which may be missing when tables are read again.
    """
    names = (manifest_of(folder) or {}).get("versions", {})
    known = WRAPPERS | {name: load(name) for name in names if name in built_in()}
    return {name: (puzzle.rules_since, puzzle.version) for name, puzzle in known.items()}


def _digest_of(context: RunContext, by: Prices, versions: Mapping[str, tuple[int, int]]) -> str:
    columns = [[str(field) for field in Buffer(table).schema] for table in (SEATS, REPLIES)]
    settings = VERSION, MEANING, READER, versions, context.suite, columns, str(by.date), by.models
    encoded = msgspec.json.encode(settings, order="deterministic")
    return blake2b(encoded, digest_size=8).hexdigest()


def _fitting(tables: Path, records: Path, context: str) -> list[Part]:
    """Return the parts that fit the records; all after the first that does not are deleted."""
    kept, end = list[Part](), 0
    files = part_files(tables, SEATS)
    for number, path in enumerate(files, start=1):
        part = _part(path)
        fits = (
            part is not None
            and path == _path(tables, SEATS, number)
            and _path(tables, REPLIES, number).exists()
            and (part.begin >= end and part.context == context)
            and part.edges == _edges(records, part.begin, part.end)
        )
        if not fits or part is None:
            break
        kept.append(part)
        end = part.end
    for path in files[len(kept) :] + part_files(tables, REPLIES)[len(kept) :]:
        path.unlink()
        (tables / survey.KEPT).unlink(missing_ok=True)
    return kept


def _part(path: Path) -> Part | None:
    from pyarrow import ArrowException
    from pyarrow.parquet import read_metadata

    try:
        return msgspec.json.decode(read_metadata(path).metadata[KEY], type=Part)
    except (ArrowException, OSError, KeyError, TypeError, msgspec.DecodeError):
        return None


def _edges(records: Path, begin: int, end: int) -> str:
    """Return a digest of the first and the last bytes of a range; "" if the file is shorter."""
    with records.open("rb") as file:
        if file.seek(0, os.SEEK_END) < end:
            return ""
        file.seek(begin)
        head = file.read(min(EDGE, end - begin))
        file.seek(max(begin, end - EDGE))
        return blake2b(head + file.read(min(EDGE, end - begin)), digest_size=8).hexdigest()


@contextmanager
def _locked(tables: Path) -> Iterator[None]:
    """Let only one process at a time write the tables."""
    tables.mkdir(exist_ok=True)
    with (tables / "lock").open("ab") as file:
        lock(file, wait=True)
        yield
