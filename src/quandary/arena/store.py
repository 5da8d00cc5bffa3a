"""Where a run lives: a folder with a manifest and one growing file of records, one line a finished match."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from quandary.core.codec import record_from_json, record_json
from quandary.core.mistake import Mistake
from quandary.core.record import Record

RECORDS, MANIFEST = "records.jsonl", "manifest.json"
BLOCK = 65_536  # bytes looked at first to find the last line


class Store:
    """The one writer of a run."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder, self.manifest = folder, manifest
        self.file: BinaryIO

    def __enter__(self) -> Store:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = (self.folder / RECORDS).open("ab+")
        except OSError as reason:
            raise self._refusal(reason) from None
        try:
            if not _locked(self.file, wait=False):
                raise Mistake(f"another run is writing to {self.folder}; wait for it, or choose another --out.")
            self._same_run()
            mend(self.file)
        except BaseException:
            self.file.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.file.close()

    def append(self, record: Record) -> None:
        _append(record, self.file)

    def records(self) -> list[Record]:
        return list(read(self.folder / RECORDS))

    def _same_run(self) -> None:
        known = _manifest(self.folder / MANIFEST)
        if known is None:
            if self.file.tell():
                raise Mistake(f"{self.folder} holds records but no manifest; choose another --out.")
            self._write_manifest()
            return
        differing = [key for key in self.manifest if known.get(key) != self.manifest[key]]
        if differing:
            raise Mistake(f"{self.folder} holds another run (it differs in {', '.join(differing)}); choose another --out.")

    def _write_manifest(self) -> None:
        path = self.folder / MANIFEST
        draft = path.with_suffix(".draft")
        try:
            draft.write_text(json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
            draft.replace(path)
        except OSError as reason:
            raise self._refusal(reason) from None

    def _refusal(self, reason: OSError) -> Mistake:
        return Mistake(f"the run cannot be kept in {self.folder}: {reason.strerror}; choose another --out.")


def keep(path: Path, *records: Record) -> None:
    """Add records to a file of them; with none, only see that it can be done."""
    try:
        with path.open("ab+") as file:
            _locked(file, wait=True)
            mend(file)
            for record in records:
                _append(record, file)
    except OSError as reason:
        raise Mistake(f"the record cannot be written to {path}: {reason.strerror or reason}.") from None


def read(path: Path) -> Iterator[Record]:
    """The records of a file, the last one with or without a line end; a torn one, as a crash leaves it, is passed over."""
    try:
        text = path.read_bytes()
    except OSError as reason:
        raise Mistake(f"{path} cannot be read: {reason.strerror}.") from None
    *lines, last = text.split(b"\n")
    if _is_whole(last):
        lines.append(last)
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield record_from_json(line)
            except Mistake as reason:
                raise Mistake(f"line {number} of {path}: {reason}") from None


def mend(file: BinaryIO) -> None:
    """Make a file of records fit to be added to: a whole last record gets its line end, a torn one is cut off."""
    last = _last_line(file)
    if not last:
        return
    if _is_whole(last):
        file.write(b"\n")
    elif last.startswith((b"{", b"\0")):  # the beginning of a record, or what a crash left in its place
        file.truncate(file.tell() - len(last))
    else:
        raise Mistake(f"the last line of {file.name} is no record; choose another --out.")
    file.flush()
    file.seek(0, os.SEEK_END)


def _last_line(file: BinaryIO) -> bytes:
    """What stands behind the last line end; the file is left at its end."""
    end = start = file.seek(0, os.SEEK_END)
    text = b""
    while start and b"\n" not in text:
        start = max(0, start - max(BLOCK, len(text)))
        file.seek(start)
        text = file.read(end - start)
    file.seek(end)
    return text.rpartition(b"\n")[2]


def _is_whole(line: bytes) -> bool:
    """Whether a line is all there: the beginning of a JSON object is never JSON itself."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _append(record: Record, file: BinaryIO) -> None:
    file.write(record_json(record).encode() + b"\n")
    file.flush()


def _manifest(path: Path) -> dict[str, Any] | None:
    """What a folder says of its run; None where it says nothing yet."""
    try:
        known = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError):
        known = None
    if not isinstance(known, dict):
        raise Mistake(f"{path} cannot be read as the manifest of a run; choose another --out.")
    return known


def _locked(file: BinaryIO, *, wait: bool) -> bool:
    """Whether this process is now the one writer of the file."""
    try:
        import fcntl
    except ImportError:  # no such lock on this system: two writers are then the user's care
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # a file that knows no locks, such as one on some network drives
        return True
    return True
