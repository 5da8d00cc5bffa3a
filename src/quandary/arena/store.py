"""The folder of a run: a manifest and a growing file of records, one line per finished match."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import msgspec

from quandary.core.errors import UserError
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.record import Record

from .jsonl import append, is_complete, is_torn, lock, repair, set_aside

RECORDS, MANIFEST = "records.jsonl", "manifest.json"
SERVERS = "servers"  # the only part of a manifest that may change: addresses by provider


class Store:
    """The folder of a run, of which this is the only writer."""

    def __init__(
        self,
        folder: Path,
        manifest: dict[str, Any],
        notify: Callable[[str], None] = lambda message: None,  # told what users may want to know
    ) -> None:
        self.folder, self.manifest, self.notify = folder, manifest, notify
        self.file: BinaryIO
        self.earlier: list[Record]  # stored by earlier sessions

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
            self.earlier = self._read()
            repair(self.file)
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

    def append(self, record: Record) -> None:
        _append(record, self.file)

    def _read(self) -> list[Record]:
        """The stored records; damaged ones are moved aside, and their matches played again."""
        path, records, damaged = self.folder / RECORDS, list[Record](), list[int]()
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip() and not is_torn(line):
                    try:
                        records.append(record_from_json(line))
                    except UserError:
                        damaged.append(number)
        if damaged:
            self.notify(set_aside(path, damaged))
            with self.file:  # keeps its lock until the new file has one
                self.file = path.open("ab+", buffering=0)
                lock(self.file, wait=False)
        return records

    def _same_run(self) -> None:
        known = manifest_of(self.folder)
        if known is None:
            if self.file.tell():
                raise UserError(
                    f"{self.folder} contains records but no manifest; choose another --out."
                )
            self._write_manifest()
            return
        differing = [
            key for key in self.manifest if key != SERVERS and known.get(key) != self.manifest[key]
        ]
        if differing:
            raise UserError(
                f"{self.folder} contains another run (it differs in {', '.join(differing)}); "
                f"choose another --out."
            )
        self._add_servers(known)

    def _add_servers(self, known: dict[str, Any]) -> None:
        """List the servers of this session in the manifest: a run may go on at other addresses."""
        listed = _lists(known.get(SERVERS, {}), self.folder, SERVERS)
        before = {provider: list(addresses) for provider, addresses in listed.items()}
        for provider, addresses in self.manifest.get(SERVERS, {}).items():
            here = listed.setdefault(provider, [])
            new = [address for address in addresses if address not in here]
            if here and new:
                self.notify(f"the run goes on at {new[0]}; before, it was at {', '.join(here)}.")
            here += new
        self.manifest = known | {SERVERS: listed} if listed else known
        if listed != before:
            self._write_manifest()

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


def keep(path: Path, *records: Record) -> None:
    """Append records to a file; without records, check that it can be written."""
    try:
        with path.open("ab+", buffering=0) as file:
            lock(file, wait=True)
            repair(file)
            for record in records:
                _append(record, file)
    except OSError as reason:
        raise UserError(
            f"the record cannot be written to {path}: {reason.strerror or reason}."
        ) from None


def read(path: Path, *, whole: bool = False) -> Iterator[Record]:
    """The records of a file.

    An incomplete last line, as a crash leaves it, is ignored, or refused if `whole` is set.
    """
    try:
        text = path.read_bytes()
    except OSError as reason:
        raise UserError(f"{path} cannot be read: {reason.strerror}.") from None
    *lines, last = text.split(b"\n")
    if is_complete(last):
        lines.append(last)
    elif whole and last.strip():
        raise UserError(
            f"the last line of {path} is not a complete record; if a crash cut it off, continue "
            f"the run or delete that line."
        )
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield record_from_json(line)
            except UserError as reason:
                raise UserError(f"line {number} of {path}: {reason}") from None


def _append(record: Record, file: BinaryIO) -> None:
    append(file, record_json(record).encode() + b"\n")


def manifest_of(folder: Path) -> dict[str, Any] | None:
    """The manifest in a folder; None if there is none."""
    path = folder / MANIFEST
    try:
        known = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        raise UserError(f"{path} cannot be read as the manifest of a run; choose another --out.")
    return known


def averages_of(folder: Path) -> dict[str, list[str]]:
    """The sets of puzzles over which the solve rates of a run are averaged."""
    return _lists((manifest_of(folder) or {}).get("averages", {}), folder, "averages")


def _lists(plain: Any, folder: Path, key: str) -> dict[str, list[str]]:
    try:
        return msgspec.convert(plain, dict[str, list[str]])
    except msgspec.ValidationError:
        raise UserError(f"{folder / MANIFEST} does not list names under {key}.") from None
