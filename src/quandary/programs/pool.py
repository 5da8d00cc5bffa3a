"""Running programs of one worker: which process plays which seat.

A process plays one seat of one match at a time.  Where a puzzle hides something or has chance, it
plays one match only: otherwise a program that changes seats would know both hands of a start.
Elsewhere it may play further matches, each with a new object in a new namespace; in between it is
stopped.
"""

from __future__ import annotations

import json
import os
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import NamedTuple

from quandary.core.contract import Cause

from .failures import ProgramFailed, SandboxGone
from .levels import Level, found, open_sandbox
from .library import Program
from .replies import ProgramReply
from .sandboxes import ProgramProcess, ProgramSandbox
from .settings import PAUSES, USUAL, ProgramSettings

MOST_IDLE = 64  # processes that wait for another match
SHARE = 4  # of the memory that was free at first, the part that they may fill
USUALLY_FREE = 4 << 30  # bytes
# Failures that each further loading would have.
LASTING: tuple[Cause, ...] = ("syntax", "unreadable", "timeout", "memory")


class Idle(NamedTuple):
    """A process that waits for another match of its program."""

    program: str  # its hash
    process: ProgramProcess
    memory: int  # bytes that it fills, which stay the same while it is stopped


class ProgramPool:
    """The processes of programs; the sandbox starts with the first of them."""

    def __init__(
        self,
        settings: ProgramSettings = USUAL,
        opened: Callable[[ProgramSettings], ProgramSandbox] = open_sandbox,
    ) -> None:
        self.settings, self._opened = settings, opened
        self._sandbox: ProgramSandbox | None = None
        self._idle = OrderedDict[int, Idle]()  # by id, in order of last use
        self._most_memory = 0  # that they may fill
        self._end: Callable[[], object] = bool
        self._failed = dict[str, tuple[Cause, str]]()  # programs that cannot be loaded, by hash
        self._uses = dict[str, list[str]]()  # by hash
        # What was recorded when a clock ran out, by what the program had been told until then.
        self.timeouts = dict[bytes, str]()

    @property
    def level(self) -> Level:
        """How well programs are sandboxed; UserError if they are not, and have to be."""
        return found().require(unsafe=self.settings.unsafe)

    def check(self) -> None:
        """UserError if programs cannot run as the settings say."""
        if self.level and self.settings.libraries:
            with suppress(ProgramFailed):  # of which the matches will tell
                self._open()

    def use(self, settings: ProgramSettings) -> None:
        """Run programs by other settings from now on."""
        before, self.settings = self.settings, settings
        if before._replace(process_per_match=settings.process_per_match) != settings:
            self.close()

    def process(self, program: Program, *, shared: bool) -> ProgramProcess:
        """Return a process that has loaded a program and plays no match; ProgramFailed if it
        cannot.
        """
        return self._known(program, shared) or self._loaded(program)

    async def process_async(self, program: Program, *, shared: bool) -> ProgramProcess:
        """Return the same beside other tasks of an event loop, which go on while it is compiled."""
        if process := self._known(program, shared):
            return process
        with self._loading(program) as process:
            self._take(program, await process.ask_async(_request(program)))
            return process

    def _known(self, program: Program, shared: bool) -> ProgramProcess | None:
        """Return a process that waits for another match, if there may be one; ProgramFailed if the
        program is known to fail.
        """
        if known := self._failed.get(program.hash):
            raise ProgramFailed(*known)
        return self._woken(program) if shared else None

    def uses(self, program: Program) -> list[str]:
        """Return what a program uses that is different each time: clocks, and luck that is not
        seeded.
        """
        if program.hash not in self._uses and program.hash not in self._failed:
            with suppress(ProgramFailed):
                self._loaded(program).close()
        return self._uses.get(program.hash, [])

    def release(self, program: Program, process: ProgramProcess, *, shared: bool) -> None:
        """The match of a process is over."""
        if not shared:
            process.close()
            return
        process.has_played = True
        process.rest()
        self._idle[process.pid] = Idle(program.hash, process, process.memory())
        while len(self._idle) > MOST_IDLE or (
            len(self._idle) > 2
            and sum(each.memory for each in self._idle.values()) > self._most_memory
        ):
            self._idle.popitem(last=False)[1].process.close()

    def close(self) -> None:
        """End all processes."""
        self._sandbox = None
        self._end()

    def _woken(self, program: Program) -> ProgramProcess | None:
        """Return the process that played this program last, if there is one that waits."""
        numbers = [at for at, idle in self._idle.items() if idle.program == program.hash]
        while numbers:
            process = self._idle.pop(numbers.pop()).process
            if process.wake():
                return process
            process.close()  # it ended in between, which is no fault of the match that begins
        return None

    def _loaded(self, program: Program) -> ProgramProcess:
        """Return a new process that has loaded a program."""
        with self._loading(program) as process:
            self._take(program, process.ask(_request(program)))
            return process

    @contextmanager
    def _loading(self, program: Program) -> Iterator[ProgramProcess]:
        """A new process, which ends if it cannot load the program."""
        process = self._started()
        try:
            yield process
        except BaseException as failure:
            process.close()
            if isinstance(failure, ProgramFailed) and failure.cause in LASTING:
                if failure.cause == "timeout":
                    failure = ProgramFailed("timeout", f"{failure.words} to compile")
                self._failed[program.hash] = failure.cause, failure.words
            raise failure from None

    def _take(self, program: Program, loaded: ProgramReply) -> None:
        """Note what a process says of a program that it has loaded."""
        if not loaded.has_player:
            is_empty = not program.code.strip()
            what = "there is no code" if is_empty else "the code defines no class Player"
            raise ProgramFailed("unreadable", what)
        self._uses[program.hash] = loaded.uses

    def _started(self) -> ProgramProcess:
        """Return a new process; attempts are repeated, since what is missing may be there in a
        moment.
        """
        for pause in PAUSES:
            try:
                return self._open().start()
            except SandboxGone:
                self._give_up_sandbox()
            except ProgramFailed:  # no process or descriptor is free, so make room
                _close_all(self._idle)
            sleep(pause)
        return self._open().start()

    def _open(self) -> ProgramSandbox:
        """Return the sandbox, which is started if there is none."""
        if self._sandbox is None:
            self._sandbox = self._opened(self.settings)
            self._end = weakref.finalize(self, _end, self._sandbox, self._idle)
            self._most_memory = _free_memory() // SHARE
        return self._sandbox

    def _give_up_sandbox(self) -> None:
        """Close a sandbox that starts nothing any more; its processes end with it."""
        if self._sandbox:
            self._sandbox.kill()
        self.close()


def _free_memory() -> int:
    """Return the bytes that are free, or could be, where the system does not say so."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):  # Windows and macOS
        return USUALLY_FREE


def _request(program: Program) -> bytes:
    return b'{"load": %s' % json.dumps(program.code).encode()


def _end(sandbox: ProgramSandbox, idle: OrderedDict[int, Idle]) -> None:
    """End a sandbox with its processes: now, or when nothing uses the pool any more."""
    _close_all(idle)
    sandbox.close()


def _close_all(idle: OrderedDict[int, Idle]) -> None:
    for each in idle.values():
        each.process.close()
    idle.clear()
