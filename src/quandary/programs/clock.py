"""The time that a program has used, found by looking at its process from outside."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SLICE = 0.2  # seconds between two looks at the clock of a program that has not answered
LOADING = 30.0  # seconds that a program may take to compile
SLEEPING = "STt"  # states of a process that could go on and does not, as the kernel names them


class Look(NamedTuple):
    """What is seen of a program at one moment, in seconds."""

    wall: float
    computed: float
    waited: float  # for a processor, when none was free; known only after it has got one
    sleeps: bool = True  # otherwise it computes, or waits for a processor


class Clock:
    """The seconds that a program has used: those in which it computed, or slept when asked.

    Those in which it waited for a processor do not count.  Sleep of less than two slices is not
    noticed, nor that before a look at which it does not sleep.
    """

    def __init__(self, pid: int) -> None:
        self.pid, self.most, self.slept = pid, LOADING, 0.0
        self.number = (~pid << 3) | 2  # of the clock that each process has
        self.begun = self.answered_at = 0.0  # on the clock of the process
        self.seen: Look | None = None  # since it was asked
        self.next_look = 0.0

    def start(self, most: float) -> None:
        """Begin a match, in which the program may use so many seconds, with what it computed since
        it answered last.
        """
        self.most, self.begun, self.slept = most, self.answered_at, 0.0

    def asked(self) -> None:
        """From now on the program is to think."""
        self.seen, self.next_look = None, 0.0

    def look(self) -> Look | None:
        """Look at a program that has not answered; None if it was looked at a moment ago."""
        now = time.monotonic()
        if now < self.next_look:
            return None
        self.next_look = now + SLICE
        return Look(now, self._computed(), self._waited(), self._sleeps())

    def is_over(self, now: Look) -> bool:
        """Whether a program that had not answered when it was looked at has used all its time."""
        if self.seen:
            wall, computed = now.wall - self.seen.wall, now.computed - self.seen.computed
            waited = now.waited - self.seen.waited
            self.slept += max(0.0, wall - computed - waited) if now.sleeps else 0.0
        self.seen = now
        return now.computed - self.begun + self.slept > self.most

    def is_over_at_answer(self) -> bool:
        """The same of a program that has answered, and waits for its next turn from now on."""
        self.answered_at = self._computed()
        return self.answered_at - self.begun + self.slept > self.most

    def _computed(self) -> float:
        try:
            return time.clock_gettime(self.number)
        except OSError:  # it has ended
            return self.answered_at

    def _waited(self) -> float:
        with suppress(OSError, ValueError, IndexError):
            told = Path(f"/proc/{self.pid}/schedstat").read_text("ascii")
            return int(told.split()[1]) / 1e9
        return 0.0

    def _sleeps(self) -> bool:
        with suppress(OSError):
            told = Path(f"/proc/{self.pid}/stat").read_text("utf-8", "replace")
            return told.rpartition(")")[2].split()[0] in SLEEPING
        return False
