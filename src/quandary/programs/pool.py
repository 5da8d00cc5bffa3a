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
from collections.abc import Callable
from contextlib import suppress
from time import sleep

from quandary.core.contract import Cause

from .failures import ProgramFailed, SandboxGone
from .levels import Level, found, open_sandbox
from .library import Program
from .sandboxes import ProgramProcess, ProgramSandbox
from .settings import PAUSES, USUAL, ProgramSettings

MOST_IDLE = 64  # processes that wait for another match
SHARE = 4  # of the free memory, that idle processes may fill
USUALLY_FREE = 4 << 30  # bytes
LASTING: tuple[Cause, ...] = ("syntax", "unreadable", "timeout")  # failures of each further loading


class ProgramPool:
    """The processes of programs; the sandbox starts with the first of them."""

    def __init__(
        self,
        settings: ProgramSettings = USUAL,
        opened: Callable[[ProgramSettings], ProgramSandbox] = open_sandbox,
    ) -> None:
        self.settings, self._opened = settings, opened
        self._sandbox: ProgramSandbox | None = None
        self._idle = OrderedDict[int, tuple[str, ProgramProcess]]()  # by id, in order of last use
        self._most_idle = MOST_IDLE
        self._end: Callable[[], object] = bool
        self._failed = dict[str, tuple[Cause, str]]()  # programs that cannot be loaded, by hash
        self._uses = dict[str, list[str]]()  # by hash
        self.timeouts = set[bytes]()  # what programs had been told when their clock ran out

    @property
    def level(self) -> Level:
        """How well programs are locked in; UserError if they are not, and have to be."""
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
        """A process that has loaded a program and plays no match; ProgramFailed if it cannot."""
        if known := self._failed.get(program.hash):
            raise ProgramFailed(*known)
        return (self._woken(program) if shared else None) or self._loaded(program)

    def uses(self, program: Program) -> list[str]:
        """What a program uses that is different each time: clocks, and luck that is not seeded."""
        if program.hash not in self._uses and program.hash not in self._failed:
            with suppress(ProgramFailed):
                self._loaded(program).close()
        return self._uses.get(program.hash, [])

    def release(self, program: Program, process: ProgramProcess, *, shared: bool) -> None:
        """The match of a process is over."""
        if not shared:
            process.close()
            return
        process.rest()
        self._idle[process.pid] = program.hash, process
        while len(self._idle) > self._most_idle:
            self._idle.popitem(last=False)[1][1].close()

    def close(self) -> None:
        """End all processes."""
        self._sandbox = None
        self._end()

    def _woken(self, program: Program) -> ProgramProcess | None:
        """The process that played this program last, if there is one that waits."""
        numbers = [number for number, (known, _) in self._idle.items() if known == program.hash]
        while numbers:
            _, process = self._idle.pop(numbers.pop())
            if process.wake():
                return process
            process.close()  # it ended in between, which is no fault of the match that begins
        return None

    def _loaded(self, program: Program) -> ProgramProcess:
        """A new process that has loaded a program."""
        process = self._started()
        try:
            loaded = process.ask(b'{"load": %s' % json.dumps(program.code).encode())
            if not loaded.has_player:
                raise ProgramFailed("unreadable", "the code defines no class Player")
        except BaseException as failure:
            process.close()
            if isinstance(failure, ProgramFailed) and failure.cause in LASTING:
                if failure.cause == "timeout":
                    failure = ProgramFailed("timeout", f"{failure.words} to compile")
                self._failed[program.hash] = failure.cause, failure.words
            raise failure from None
        self._uses[program.hash] = loaded.uses
        return process

    def _started(self) -> ProgramProcess:
        """A new process; attempts are repeated, since what is missing may be there in a moment."""
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
        """The sandbox, which is started if there is none."""
        if self._sandbox is None:
            self._sandbox = self._opened(self.settings)
            self._end = weakref.finalize(self, _end, self._sandbox, self._idle)
            room = _free_memory() // SHARE // self._sandbox.memory
            self._most_idle = max(2, min(MOST_IDLE, room))
        return self._sandbox

    def _give_up_sandbox(self) -> None:
        """Close a sandbox that starts nothing any more; its processes end with it."""
        if self._sandbox:
            self._sandbox.kill()
        self.close()


def _free_memory() -> int:
    """The bytes that are free, or could be, where the system does not say so."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError):  # Windows and macOS
        return USUALLY_FREE


def _end(sandbox: ProgramSandbox, idle: OrderedDict[int, tuple[str, ProgramProcess]]) -> None:
    """End a sandbox with its processes: now, or when nothing uses the pool any more."""
    _close_all(idle)
    sandbox.close()


def _close_all(idle: OrderedDict[int, tuple[str, ProgramProcess]]) -> None:
    for _, process in idle.values():
        process.close()
    idle.clear()
