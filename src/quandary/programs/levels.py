"""How well programs are locked in on this machine, found by trying.

strong   both locks: seccomp and Landlock
safe     seccomp alone, which suffices; Landlock is a second lock
none     no lock, so programs are refused unless the user insists
"""

from __future__ import annotations

import json
import platform
from functools import cache
from time import sleep
from typing import Literal, NamedTuple, TypeAlias

from quandary.core.errors import UserError

from .failures import ProgramFailed
from .host import PAUSES, Locks, Sandbox
from .imports import libraries
from .sandbox import landlock, seccomp
from .settings import USUAL, ProgramSettings

Level: TypeAlias = Literal["strong", "safe", "none"]
LOCKS: dict[Level, Locks] = {
    "strong": Locks(),
    "safe": Locks(landlock=False),
    "none": Locks(seccomp=False, landlock=False),
}
# Looks for files, and makes a socket: neither may succeed.
ATTEMPT = """
import os
import socket


class Player:
    def play(self, view):
        done = []
        for name, attempt in (("files", lambda: os.listdir("/")), ("network", socket.socket)):
            try:
                attempt()
            except OSError:
                continue
            done.append(name)
        return ", ".join(done)
"""


class Finding(NamedTuple):
    """The level that is reached, and why it is not higher."""

    level: Level
    seccomp: str  # "works", or why not
    landlock: int  # the version in the kernel, 0 without it
    why: str  # the level is not higher; "" for the highest

    def require(self, *, unsafe: bool = False) -> Level:
        """The level; UserError if there is none, and the user does not insist."""
        if self.level == "none" and platform.system() != "Linux":
            raise UserError(
                f"programs run on Linux only, and this is {platform.system()}; use a machine, a "
                f"virtual machine or a container with Linux."
            )
        if self.level == "none" and not unsafe:
            raise UserError(
                f"programs cannot be locked in here: {self.why}; --unsafe runs them all the same, "
                f"with all rights that you have."
            )
        return self.level


@cache
def found() -> Finding:
    """What can be reached here."""
    if reason := seccomp.reason_missing():
        return Finding("none", reason, 0, reason)
    version = landlock.version()
    why = "this kernel has no Landlock, or does not allow it"
    if version and not (why := _why_not_contained(LOCKS["strong"])):
        return Finding("strong", "works", version, "")
    if reason := _why_not_contained(LOCKS["safe"]):
        return Finding("none", reason, version, reason)
    return Finding("safe", "works", version, why)


def open_sandbox(settings: ProgramSettings = USUAL) -> Sandbox:
    """A sandbox of the highest level, with libraries.

    UserError if there is none and the user does not insist, or if a library cannot be imported.
    """
    allowed = libraries(settings.libraries)
    try:
        return Sandbox(
            LOCKS[found().require(unsafe=settings.unsafe)],
            modules=[module for library in allowed for module in library.modules],
            folders=list(dict.fromkeys(library.folder for library in allowed)),
        )
    except ModuleNotFoundError as reason:
        raise UserError(f"--library: {reason}; leave it out.") from None


def _why_not_contained(locks: Locks) -> str:
    """What a program can do that it must not, or why none runs; "" if it is contained."""
    why = ""
    for pause in PAUSES:  # a machine may have no process to spare for a moment
        try:
            done = _reached(locks)
        except ProgramFailed as failure:
            why = f"the sandbox does not start: {failure.words}"
            sleep(pause)
        else:
            return f"a program in the sandbox could reach: {done}" if done else ""
    return why


def _reached(locks: Locks) -> str:
    """What a program can do that it must not; ProgramFailed if none runs."""
    sandbox = Sandbox(locks, modules=("socket",))
    try:
        process = sandbox.start()
        process.ask(b'{"load": %s' % json.dumps(ATTEMPT).encode())
        process.ask(b'{"sit": ""')
        return str(process.ask(b'{"view": {}').move)
    finally:
        sandbox.close()
