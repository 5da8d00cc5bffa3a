"""Running programs of one worker: which process plays which seat.

A process plays one seat of one match at a time.  Where a puzzle hides something or has chance, it
plays one match only: otherwise a program that changes seats would know both hands of a start.
Elsewhere it may play further matches, each with a new object in a new namespace.
"""

from __future__ import annotations

import json
import os
import weakref
from collections import OrderedDict
from collections.abc import Callable

from .failures import ProgramFailed
from .host import Sandbox
from .levels import open_sandbox
from .library import Program
from .processes import Process

MOST_IDLE = 64  # processes that wait for another match
SHARE = 4  # of the free memory, that idle processes may fill


class ProgramPool:
    """The processes of programs; the sandbox starts with the first of them."""

    def __init__(self, opened: Callable[[], Sandbox] = open_sandbox) -> None:
        self._opened = opened
        self._sandbox: Sandbox | None = None
        self._idle = OrderedDict[int, tuple[str, Process]]()  # by id, in order of last use
        self._most_idle = MOST_IDLE
        self._end: Callable[[], object] = bool
        self.timeouts = set[bytes]()  # what programs had been told when their clock ran out

    def process(self, program: Program, *, shared: bool) -> Process:
        """A process that has loaded a program and plays no match; ProgramFailed if it cannot."""
        if shared:
            for number in reversed(self._idle):
                if self._idle[number][0] == program.hash:
                    return self._idle.pop(number)[1]
        process = self._started()
        try:
            loaded = process.ask(b'{"load": %s' % json.dumps(program.code).encode())
            if not loaded.has_player:
                raise ProgramFailed("unreadable", "the code defines no class Player")
        except BaseException:
            process.close()
            raise
        return process

    def release(self, program: Program, process: Process, *, shared: bool) -> None:
        """The match of a process is over."""
        if not shared:
            process.close()
            return
        self._idle[process.pid] = program.hash, process
        while len(self._idle) > self._most_idle:
            self._idle.popitem(last=False)[1][1].close()

    def close(self) -> None:
        """End all processes."""
        self._sandbox = None
        self._end()

    def _started(self) -> Process:
        if self._sandbox is None:
            self._sandbox = self._opened()
            self._end = weakref.finalize(self, _end, self._sandbox, self._idle)
            free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
            self._most_idle = max(2, min(MOST_IDLE, free // SHARE // self._sandbox.memory))
        try:
            return self._sandbox.start()
        except ProgramFailed:  # the fork server is gone; the next match has a new one
            self.close()
            raise


def _end(sandbox: Sandbox, idle: OrderedDict[int, tuple[str, Process]]) -> None:
    """End a sandbox with its processes: now, or when nothing uses the pool any more."""
    for _, process in idle.values():
        process.close()
    idle.clear()
    sandbox.close()
