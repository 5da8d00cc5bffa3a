"""Append-only files of JSON lines: one writer, and repair of damaged and incomplete lines."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from quandary.core.errors import UserError

BLOCK = 65_536  # bytes read first to find the last line


def append(file: BinaryIO, text: bytes) -> int:
    """Append lines to an unbuffered file, all or nothing, and return where they begin."""
    end = file.seek(0, os.SEEK_END)
    try:
        if file.write(text) == len(text):
            return end
        reason = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file.name)
    except OSError as refused:
        reason = refused
    with suppress(OSError):
        file.truncate(end)
    raise reason


def repair(file: BinaryIO) -> None:
    """Prepare a file for appending: end a complete last line, cut off an incomplete one."""
    last = _last_line(file)
    if not last:
        return
    if is_complete(last):
        file.write(b"\n")
    elif is_torn(last):
        file.truncate(file.tell() - len(last))
    else:
        raise UserError(f"the last line of {file.name} is not a record; choose another --out.")
    file.flush()
    file.seek(0, os.SEEK_END)


def set_aside(path: Path, damaged: Collection[int]) -> str:
    """Move lines, by number from 1, to a file beside their own, and return a sentence that says so.

    The file is replaced as a whole, so a crash loses nothing: open it again after this.
    """
    aside, draft = path.with_suffix(".damaged.jsonl"), path.with_suffix(".draft")
    with path.open("rb") as file, draft.open("wb") as kept, aside.open("ab") as moved:
        for number, line in enumerate(file, start=1):
            if number not in damaged:
                kept.write(line)
            else:
                moved.write(line.removesuffix(b"\n") + b"\n")
        for written in (moved, kept):
            written.flush()
            os.fsync(written.fileno())
    draft.replace(path)
    lines = "1 damaged line" if len(damaged) == 1 else f"{len(damaged)} damaged lines"
    return f"{lines} of {path} moved to {aside.name}."


def is_torn(line: bytes) -> bool:
    """Return whether a last line is what a crash leaves: the beginning of an object, or zeros."""
    return line.startswith((b"{", b"\0")) and not line.endswith(b"\n") and not is_complete(line)


def _last_line(file: BinaryIO) -> bytes:
    """Return the text after the last line break; the file is left at its end."""
    end = start = file.seek(0, os.SEEK_END)
    text = b""
    while start and b"\n" not in text:
        start = max(0, start - max(BLOCK, len(text)))
        file.seek(start)
        text = file.read(end - start)
    file.seek(end)
    return text.rpartition(b"\n")[2]


def is_complete(line: bytes) -> bool:
    """Return whether a line is complete: no proper prefix of a JSON object is JSON."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def lock(file: BinaryIO, *, wait: bool) -> bool:
    """Make this process the only writer of a file, and return whether it is."""
    try:
        import fcntl
    except ImportError:  # this system has no such locks
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # this file system has no locks
        return True
    return True
