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
            raise Mistake(f"the run cannot be kept in {self.folder}: {reason.strerror}; choose another --out.") from None
        try:
            _lock(self.file, self.folder)
            self._same_run()
            _drop_torn_line(self.file)
        except BaseException:
            self.file.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.file.close()

    def append(self, record: Record) -> None:
        self.file.write(record_json(record).encode() + b"\n")
        self.file.flush()

    def records(self) -> list[Record]:
        return list(read(self.folder / RECORDS))

    def _same_run(self) -> None:
        path = self.folder / MANIFEST
        if path.exists():
            try:
                known = json.loads(path.read_text("utf-8"))
            except ValueError:
                raise Mistake(f"{path} cannot be read; choose another --out.") from None
            differing = [key for key in self.manifest if known.get(key) != self.manifest[key]]
            if differing:
                raise Mistake(f"{self.folder} holds another run (it differs in {', '.join(differing)}); choose another --out.")
            return
        if self.file.tell():
            raise Mistake(f"{self.folder} holds records but no manifest; choose another --out.")
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(self.manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
        draft.replace(path)


def read(path: Path) -> Iterator[Record]:
    """The records of a file; a torn last line, as a crash leaves it, is passed over."""
    try:
        text = path.read_bytes()
    except OSError as reason:
        raise Mistake(f"{path} cannot be read: {reason.strerror}.") from None
    *lines, torn = text.split(b"\n")
    if not lines and torn.strip():
        lines = [torn]  # a single record without a line end is whole if it can be read
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield record_from_json(line)
            except Mistake as reason:
                raise Mistake(f"line {number} of {path}: {reason}") from None


def _drop_torn_line(file: BinaryIO) -> None:
    file.seek(0)
    text = file.read()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        file.truncate(whole)
    file.seek(0, os.SEEK_END)


def _lock(file: BinaryIO, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # no such lock on this system: two writers are then the user's care
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Mistake(f"another run is writing to {folder}; wait for it, or choose another --out.") from None
