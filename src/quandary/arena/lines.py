"""Files that only grow: one JSON object a line, one writer, and a torn last line mended."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from typing import BinaryIO

from quandary.core.errors import Mistake

BLOCK = 65_536  # bytes looked at first to find the last line


def append(file: BinaryIO, text: bytes) -> None:
    """Add some lines to an unbuffered file, wholly or not at all."""
    end = file.seek(0, os.SEEK_END)
    try:
        if file.write(text) == len(text):
            return
        reason = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file.name)
    except OSError as refused:
        reason = refused
    with suppress(OSError):
        file.truncate(end)
    raise reason


def mend(file: BinaryIO) -> None:
    """Make a file of records fit to be added to: a whole last record gets its line end, a torn one
    is cut off.
    """
    last = _last_line(file)
    if not last:
        return
    if is_whole(last):
        file.write(b"\n")
    # the beginning of a record, or what a crash left in its place
    elif last.startswith((b"{", b"\0")):
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


def is_whole(line: bytes) -> bool:
    """Whether a line is all there: the beginning of a JSON object is never JSON itself."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def locked(file: BinaryIO, *, wait: bool) -> bool:
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
