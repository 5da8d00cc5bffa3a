"""Runs first in a guest, as its main module: lets `inside` talk through the only door.

-c ... THIS INSIDE MODULES    this text, that of `inside`, and what programs may import, as JSON
"""

from __future__ import annotations

import builtins
import json
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

REPLY, SLEEP = b"r", b"s"  # what goes out begins with one of them
door: Callable[[bytes], bytes]  # bytes go out, and bytes come in
declared: set[str]  # what programs may import
import_any = builtins.__import__
unsent = b""


def main() -> None:
    global door, declared
    import _host  # of the guest's Python

    door = _host.call
    declared = {name.split(".")[0] for name in json.loads(sys.argv[3])}
    inside: Any = ModuleType("inside")
    sys.modules["inside"] = inside  # where dataclasses and others look for it
    exec(compile(sys.argv[2], "inside.py", "exec"), inside.__dict__)
    inside._write, inside._read = write, read
    builtins.__import__ = import_declared  # type: ignore[assignment]
    time.sleep = sleep  # type: ignore[assignment]
    sys.argv = ["program"]
    inside.main()


def write(descriptor: int, data: bytes) -> int:
    global unsent
    unsent += data
    return len(data)


def read(descriptor: int, size: int) -> bytes:
    """Return the next request, for what has been written."""
    global unsent
    written, unsent = unsent, b""
    return door(REPLY + written)


def sleep(seconds: float) -> None:
    """As `time.sleep`, where it is seen: a program's sleep is charged to its clock."""
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    door(SLEEP + str(float(seconds)).encode())


def import_declared(name: str, globals: Any = None, *more: Any) -> Any:
    """As `__import__`; to a program, what it may not import is not there."""
    if globals and globals.get("__name__") == "program" and name.split(".")[0] not in declared:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return import_any(name, globals, *more)


if __name__ == "__main__":
    main()
