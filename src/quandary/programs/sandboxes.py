"""What the sandbox of Linux and that of WebAssembly have in common."""

from __future__ import annotations

from typing import Protocol

from .replies import ProgramReply


class ProgramClock(Protocol):
    """The time that a program has used."""

    def start(self, most: float) -> None: ...


class ProgramProcess(Protocol):
    """A process that loads a program, and plays matches one after another."""

    has_played: bool  # a match that is over

    @property
    def pid(self) -> int: ...

    @property
    def clock(self) -> ProgramClock: ...

    def ask(self, request: bytes) -> ProgramReply: ...

    async def ask_async(self, request: bytes) -> ProgramReply: ...

    def memory(self) -> int: ...

    def rest(self) -> None: ...

    def wake(self) -> bool: ...

    def close(self) -> None: ...


class ProgramSandbox(Protocol):
    """Starts processes, which end with it."""

    @property
    def memory(self) -> int: ...

    def start(self) -> ProgramProcess: ...

    def kill(self) -> None: ...

    def close(self) -> None: ...
