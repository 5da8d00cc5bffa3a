"""The folder of a run: a manifest and a growing file of records, one line per finished match.

Nothing here holds all records: files are read line by line, and single records by their offsets.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, takewhile
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, overload

import msgspec

from quandary.core.errors import Malformed, OtherVersion, UserError
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.record import Record
from quandary.matches.versions import (
    PuzzleVersion,
    ReadVersions,
    stored_versions,
    version_here,
)

from .headers import Collector, Header, RecordKey, headers, is_header, lines
from .jsonl import append, is_complete, lock, repair, set_aside
from .left_out import LeftOut, sentence, warn
from .manifest import SERVERS, by_names_now, grown
from .manifest_types import check_types

RECORDS, MANIFEST = "records.jsonl", "manifest.json"


class Store:
    """The folder of a run; this is its only writer."""

    def __init__(
        self,
        folder: Path,
        manifest: dict[str, Any],
        notify: Callable[[str], None] = lambda message: None,  # told what users may want to know
        collectors: Sequence[Collector] = (),
    ) -> None:
        self.folder, self.manifest, self.notify = folder, manifest, notify
        self.collectors = collectors
        self.file: BinaryIO

    def __enter__(self) -> Store:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = (self.folder / RECORDS).open("ab+", buffering=0)
        except OSError as reason:
            raise self._refusal(reason) from None
        try:
            if not lock(self.file, wait=False):
                raise UserError(
                    f"another run is writing to {self.folder}; wait for it, or choose another "
                    f"--out."
                )
            self._same_run()
            self._read()
        except BaseException:
            self.file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.file.close()

    def append(self, record: Record) -> int:
        """Store a record, and return its offset."""
        return self.append_json(record_json(record))

    def append_json(self, record: str) -> int:
        return append(self.file, record.encode() + b"\n")

    def grow(self, manifest: dict[str, Any]) -> None:
        """Go on with a manifest that has more players and instances."""
        self.manifest = grown(self.manifest, manifest, str(self.folder))
        self._write_manifest()

    def _read(self) -> None:
        """Tell the collectors of the stored records, and prepare the file for more of them.

        Damaged ones are moved to another file, and their matches will be played again.  UserError
        if a record has another version than its puzzle has here; the manifest may not show that.
        """
        path, damaged, versions = self.folder / RECORDS, list[int](), ReadVersions()
        for number, offset, header in lines(path):
            if header is None:
                damaged.append(number)
                continue
            if needed := versions.unread(header.start):
                raise UserError(
                    f"{self.folder} contains records that need version {needed.version} of "
                    f"{needed.puzzle}, which this quandary cannot continue; choose another --out."
                )
            self._check_version(header)
            if not damaged:  # else all of them are read again
                for collector in self.collectors:
                    collector.add(offset, header)
        if damaged:
            self.notify(set_aside(path, damaged))
            with self.file:  # keeps its lock until the new file has one
                self.file = path.open("ab+", buffering=0)
                lock(self.file, wait=False)
            for collector in self.collectors:
                collector.clear()
            self._read()
        else:
            repair(self.file)

    def _check_version(self, header: Header) -> None:
        """Raise UserError if a record has another version than the same match would get here."""
        here = version_here(stored_versions(bytes(header.start)))
        if None not in (header.version, here) and header.version != here:
            raise UserError(
                f"{self.folder} was begun with version {header.version} of "
                f"{header.name.split('/')[0]}, and this quandary has version {here}; choose "
                "another --out."
            )

    def _same_run(self) -> None:
        known = manifest_of(self.folder)
        if known is None:
            if self.file.tell():
                raise UserError(
                    f"{self.folder} contains records but no manifest; choose another --out."
                )
            self._write_manifest()
            return
        servers = self.manifest.get(SERVERS, {})
        self.manifest = grown(known, self.manifest, str(self.folder))
        self._add_servers(known, servers)
        if self.manifest != known:
            self._write_manifest()

    def _add_servers(self, known: dict[str, Any], servers: dict[str, list[str]]) -> None:
        """List the servers of this session in the manifest: a run may go on at other addresses."""
        listed = {provider: list(there) for provider, there in known.get(SERVERS, {}).items()}
        for provider, addresses in servers.items():
            here = listed.setdefault(provider, [])
            new = [address for address in addresses if address not in here]
            if here and new:
                self.notify(f"the run goes on at {new[0]}; before, it was at {', '.join(here)}.")
            here += new
        if listed:
            self.manifest[SERVERS] = listed

    def _write_manifest(self) -> None:
        path = self.folder / MANIFEST
        draft = path.with_suffix(".draft")
        try:
            draft.write_text(
                json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n", "utf-8"
            )
            draft.replace(path)
        except OSError as reason:
            raise self._refusal(reason) from None

    def _refusal(self, reason: OSError) -> UserError:
        return UserError(
            f"the run cannot be kept in {self.folder}: {reason.strerror}; choose another --out."
        )


class StoredRecords(Sequence[Record]):
    """Records of a file by their offsets, each read on demand."""

    def __init__(self, path: Path, offsets: Sequence[int]) -> None:
        self.path, self.offsets = path, offsets

    def __len__(self) -> int:
        return len(self.offsets)

    def __iter__(self) -> Iterator[Record]:
        if self.offsets:
            with self.path.open("rb") as file:
                for offset in self.offsets:
                    file.seek(offset)
                    line = file.readline()
                    try:
                        record = record_from_json(line)
                    except UserError as reason:
                        raise line_error(self.path, offset, line, reason) from None
                    yield record

    @overload
    def __getitem__(self, index: int) -> Record: ...

    @overload
    def __getitem__(self, index: slice) -> StoredRecords: ...

    def __getitem__(self, index: int | slice) -> Record | StoredRecords:
        if isinstance(index, slice):
            return StoredRecords(self.path, self.offsets[index])
        [record] = StoredRecords(self.path, [self.offsets[index]])
        return record


def records(folder: Path) -> StoredRecords:
    """Return the record of each match of a run that can be read: of those that were cut off, the
    last.
    """
    offsets, cut_off, left_out = array("q"), dict[RecordKey, int](), LeftOut()
    for offset, header in headers(folder / RECORDS):
        if left_out.add(header.start):
            continue
        if cut_off:
            cut_off.pop(header.key, None)
        if header.is_cut_off:
            cut_off[header.key] = offset
        else:
            offsets.append(offset)
    tell_left_out(folder / RECORDS, left_out.needed, left_out.records)
    return StoredRecords(folder / RECORDS, array("q", sorted([*offsets, *cut_off.values()])))


def keep(path: Path, *records: Record) -> None:
    """Append records to a file; without records, check that it can be written."""
    try:
        with path.open("ab+", buffering=0) as file:
            lock(file, wait=True)
            repair(file)
            for record in records:
                append(file, record_json(record).encode() + b"\n")
    except OSError as reason:
        raise UserError(
            f"the record cannot be written to {path}: {reason.strerror or reason}."
        ) from None


def read(path: Path, *, whole: bool = False) -> Iterator[Record]:
    """Yield the records of a file, without those of versions of puzzles that are not read here.

    An incomplete last line, as a crash leaves it, is ignored, or refused if `whole` is set.
    """
    left_out = LeftOut()
    for record in read_all(path, whole=whole):
        if isinstance(record, OtherVersion):
            left_out.count(PuzzleVersion(record.puzzle, record.version))
        else:
            left_out.count(None)
            yield record
    tell_left_out(path, left_out.needed, left_out.records)


def read_all(path: Path, *, whole: bool = False) -> Iterator[Record | OtherVersion]:
    """Yield the records of a file as `read` gives them, with the errors of those that are
    not read.
    """
    try:
        with path.open("rb") as file:
            yield from _read(file, path, whole)
    except OSError as reason:
        raise UserError(f"{path} cannot be read: {reason.strerror}.") from None


def _read(file: BinaryIO, path: Path, whole: bool) -> Iterator[Record | OtherVersion]:
    offset = 0
    for line in file:
        if not line.endswith(b"\n") and line.strip() and not is_complete(line):
            if whole:
                raise UserError(
                    f"the last line of {path} is not a complete record; if a crash cut it off, "
                    f"continue the run or delete that line."
                )
        elif line.strip():
            try:
                yield record_from_json(line)
            except OtherVersion as reason:
                yield reason
            except UserError as reason:
                raise line_error(path, offset, line, reason) from None
        offset += len(line)


def line_error(path: Path, offset: int, line: bytes, reason: Exception) -> UserError:
    """Return the error for a line that cannot be read: which one it is, and what to do about it."""
    where = f"line {_line_number(path, offset)} of {path}"
    if isinstance(reason, UserError) and not isinstance(reason, Malformed):
        return UserError(f"{where}: {reason}")  # which says what to do
    damage = str(reason).removesuffix(".")
    remedy = (
        "repeat the command that started the run, which moves the line aside and plays its match "
        "again"
        if path.name == RECORDS and not is_header(line)
        else "delete that line, and repeat the command that wrote it, which plays its match again"
    )
    return UserError(f"{where} is damaged ({damage}); {remedy}.")


def _line_number(path: Path, offset: int) -> int:
    """Return the number of the line that begins at an offset, from 1."""
    with path.open("rb") as file:
        ends = accumulate(map(len, file))
        return 1 + sum(1 for _ in takewhile(lambda end: end <= offset, ends))


def left_out_of(path: Path) -> str:
    """Return a sentence about the records of a file that are left out; "" if there are none."""
    left_out = LeftOut()
    for _, header in headers(path):
        left_out.add(header.start)
    return sentence(path.name, left_out.needed, left_out.records) if left_out.needed else ""


def tell_left_out(path: Path, needed: Mapping[PuzzleVersion, int], records: int) -> None:
    """Warn that some of the records of a file are left out, if there are any."""
    if needed:
        wrote = ""
        with suppress(UserError):  # the file may be there without its run
            wrote = str((manifest_of(path.parent) or {}).get("quandary", ""))
        warn(sentence(str(path), needed, records, wrote))


def manifest_of(folder: Path, without: Collection[str] = ()) -> dict[str, Any] | None:
    """Return the manifest in a folder, or only a part of it; None if there is none."""
    path = folder / MANIFEST
    try:
        raw = msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw])
        known = {key: msgspec.json.decode(raw[key]) for key in raw if key not in without}
        known = by_names_now(known)
        check_types(known)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as reason:
        raise UserError(
            f"{path} cannot be read as the manifest of a run ({reason}); restore it from a copy, "
            f"or name another folder."
        ) from None
    return known


def averages_of(folder: Path) -> dict[str, list[str]]:
    """Return the sets of puzzles over which the solve rates of a run are averaged."""
    return dict((manifest_of(folder) or {}).get("averages", {}))
