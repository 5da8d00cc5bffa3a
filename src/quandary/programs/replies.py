"""What a program's process says, read and judged.

It is believed only where lying gains nothing: that its code does not compile, which is said before
any of it runs, and that it failed by an error of its own.  That it ran out of time or memory,
wrote too much, or that the sandbox itself failed, is found from outside.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import msgspec

from quandary.core.contract import Cause

from .failures import ProgramFailed

MOST_BYTES = 1 << 20  # of one reply
# Of the memory limit, what a program has at least used when it runs out: lists double.
SHARE = 1 / 3
DEEPEST = 100  # levels of lists and objects within each other; Python's own limit is not fixed
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
LONGEST_WORDS = 400  # characters of an error that is recorded
LAST_LINE = 10**7  # a larger number is no line of a program


class ProgramReply(msgspec.Struct, forbid_unknown_fields=True):
    """One line of a program's process."""

    number: int = 0
    move: Any = None
    kind: str = ""  # of a value that JSON does not have
    has_player: bool = False
    uses: list[str] = []
    syntax: str = ""
    crash: str = ""
    line: int | None = None
    fault: str = ""  # the sandbox could not be built


_decode = msgspec.json.Decoder(ProgramReply).decode


def read_reply(line: bytes | bytearray) -> ProgramReply:
    """Return what a line says that ends with the first newline in it; ProgramFailed if it is no
    reply.
    """
    if line.index(b"\n") < len(line) - 1:
        raise ProgramFailed("crash", "it wrote more than one line")
    if _is_too_deep(line):
        raise ProgramFailed("unreadable", f"a value of more than {DEEPEST} levels is no move")
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ProgramFailed("crash", "it wrote something that is no reply") from None


def _is_too_deep(line: bytes | bytearray) -> bool:
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    signs = re.findall(rb"[][{}]", STRING.sub(b"", line))
    levels = list(accumulate(1 if sign in b"[{" else -1 for sign in signs))
    return levels[-1:] == [0] and max(levels) > DEEPEST  # otherwise it is no JSON


def no_reply_to_this_turn() -> ProgramFailed:
    return ProgramFailed("crash", "it wrote something that is no reply to this turn")


def flood() -> ProgramFailed:
    return ProgramFailed("flood", f"a reply of more than {MOST_BYTES:,} bytes")


def judged(
    reply: ProgramReply, *, is_first: bool, has_used_memory: Callable[[], bool]
) -> ProgramReply:
    """Return a reply of a process; raise the failure that it names.

    Its first reply is written before any code of the program runs.  Whether it has had so much
    memory that there may have been no more is asked if it says so.
    """
    if is_first and reply.fault:
        raise ProgramFailed("infrastructure", reply.fault)
    cause: Cause = "syntax" if is_first and reply.syntax else "crash"
    if words := reply.syntax if cause == "syntax" else reply.crash:
        if words.startswith("MemoryError") and has_used_memory():
            cause = "memory"
        raise ProgramFailed(cause, _with_line(words, reply.line))
    if reply.kind:
        reply.kind = _printable(reply.kind)
    return reply


def _with_line(words: str, line: int | None) -> str:
    """Return an error in one line that can be printed, whatever the program has put into it."""
    shown = _printable(words)
    return shown if line is None or not 0 <= line <= LAST_LINE else f"{shown} (line {line})"


def _printable(words: str) -> str:
    return "".join(c if c.isprintable() else " " for c in words[:LONGEST_WORDS])
