"""How well programs can be sandboxed on this machine, found by trial.

strong   both locks: seccomp and Landlock
safe     seccomp alone, which suffices; Landlock is a second lock
wasm     a Python that is WebAssembly, where there is no seccomp
none     no lock, so programs are refused unless the user insists

What is imported here can be imported on every system; the sandbox of Linux is imported for use.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from functools import cache
from time import sleep
from typing import Literal, NamedTuple, TypeAlias

from quandary.core.errors import UserError

from .failures import ProgramFailed
from .imports import libraries
from .sandboxes import ProgramSandbox
from .settings import PAUSES, USUAL, Locks, ProgramSettings
from .wasm import sandbox as wasm
from .wasm.sandbox import WasmSandbox

Level: TypeAlias = Literal["strong", "safe", "wasm", "none"]
LOCKS: dict[Level, Locks] = {
    "strong": Locks(),
    "safe": Locks(landlock=False),
    "none": Locks(seccomp=False, landlock=False),
}
LINUX = "Linux"
NO_LIBRARIES = "the sandbox of WebAssembly has the modules of Python alone; leave it out."
TRIED = ("socket",)  # modules that the next lines need
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
    wasm: str  # "installed", or why not

    def require(self, *, unsafe: bool = False) -> Level:
        """Return the level; UserError if there is none, and the user does not insist."""
        if self.level == "none" and platform.system() != LINUX:
            raise UserError(
                f"programs cannot be sandboxed here: {self.why}; install what is missing, or use a "
                "machine, a virtual machine or a container with Linux."
            )
        if self.level == "none" and not unsafe:
            raise UserError(
                f"programs cannot be sandboxed here: {self.why}; --unsafe runs them anyway, with "
                "all your permissions."
            )
        return self.level


@cache
def found() -> Finding:
    """Return what can be reached here."""
    finding = _by_locks()
    if finding.level != "none":
        return finding
    why = wasm.reason_missing() or _why_not_contained(lambda: WasmSandbox(modules=TRIED))
    if why:
        return finding._replace(why=f"{finding.why}, and {why}")
    return finding._replace(level="wasm")


def _by_locks() -> Finding:
    """Return the level that is reached by the locks of Linux."""
    has_wasm = wasm.reason_missing() or "installed"
    if platform.system() != LINUX:
        reason = f"{platform.system()} has no seccomp"
        return Finding("none", reason, 0, reason, has_wasm)
    from .host import Sandbox
    from .sandbox import landlock, seccomp

    if reason := seccomp.reason_missing():
        return Finding("none", reason, 0, reason, has_wasm)
    version = landlock.version()
    why = "this kernel has no Landlock, or does not allow it"
    if version:
        why = _why_not_contained(lambda: Sandbox(LOCKS["strong"], modules=TRIED))
        if not why:
            return Finding("strong", "works", version, "", has_wasm)
    if reason := _why_not_contained(lambda: Sandbox(LOCKS["safe"], modules=TRIED)):
        return Finding("none", reason, version, reason, has_wasm)
    return Finding("safe", "works", version, why, has_wasm)


def open_sandbox(settings: ProgramSettings = USUAL) -> ProgramSandbox:
    """Return a sandbox of the highest level, with libraries.

    UserError if there is none and the user does not insist, or if a library cannot be imported.
    """
    allowed = libraries(settings.libraries)
    level = found().require(unsafe=settings.unsafe)
    if level == "wasm":
        if allowed:
            raise UserError(f"--library {allowed[0].name}: {NO_LIBRARIES}")
        return WasmSandbox()
    from .host import Sandbox

    try:
        return Sandbox(
            LOCKS[level],
            modules=[module for library in allowed for module in library.modules],
            folders=list(dict.fromkeys(library.folder for library in allowed)),
        )
    except ModuleNotFoundError as reason:
        raise UserError(f"--library: {reason}; leave it out.") from None


def _why_not_contained(opened: Callable[[], ProgramSandbox]) -> str:
    """Return what a program can do that it must not, or why none runs; "" if it is contained."""
    why = ""
    for pause in PAUSES:  # a machine may have no process to spare for a moment
        try:
            done = _reached(opened)
        except ProgramFailed as failure:
            why = f"the sandbox does not start: {failure.words}"
            sleep(pause)
        else:
            return f"a program in the sandbox could reach: {done}" if done else ""
    return why


def _reached(opened: Callable[[], ProgramSandbox]) -> str:
    """Return what a program can do that it must not; ProgramFailed if none runs."""
    sandbox = opened()
    try:
        process = sandbox.start()
        process.ask(b'{"load": %s' % json.dumps(ATTEMPT).encode())
        process.ask(b'{"luck": ""')
        return str(process.ask(b'{"view": {}').move)
    finally:
        sandbox.close()
