"""What an attempt to get out of the sandbox is."""

from __future__ import annotations

from enum import Enum
from textwrap import indent
from typing import Any, NamedTuple

from programs.system_calls import numbers

ESCAPED = "ESCAPED"  # what a program returns if its attempt has worked
REFUSED = ("answer", "crash")
CALLS = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(name, *values):
    values = [CALLS[name], *values]
    return libc.syscall(*[ctypes.c_long(v) if isinstance(v, int) else v for v in values])
def worked(result):
    return "ESCAPED" if result >= 0 else "refused with %d" % ctypes.get_errno()
def reached():
    "Whether the kernel has looked at the arguments of the last call."
    return "refused" if ctypes.get_errno() in (1, 38) else "ESCAPED with %d" % ctypes.get_errno()
"""
CLASS = """
P = {places!r}
CALLS = {calls!r}
{before}
class Player:
    def play(self, view):
{body}
"""


class Twin(Enum):
    """Whether an attempt is also made outside the sandbox, where it must work."""

    NONE = "it would do harm, or concerns the sandbox alone"
    WORKS = "for everyone"
    ROOT = "for root"
    PERHAPS = "where the kernel has it and the machine allows it"


class Attempt(NamedTuple):
    """A program that tries to do what it must not."""

    name: str
    tries: str
    body: str  # of `Player.play`, with the places `P`
    twin: Twin = Twin.NONE
    ends: tuple[str, ...] = REFUSED  # how it may end in the sandbox
    before: str = ""  # the class

    def program(self, places: dict[str, Any]) -> str:
        """The text of the program."""
        uses_calls = "call(" in self.body or "libc" in self.body
        return CLASS.format(
            places=places,
            calls=numbers(),
            before=(CALLS if uses_calls else "") + self.before,
            body=indent(self.body.strip("\n"), " " * 8),
        )
