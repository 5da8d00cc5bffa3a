"""The time that a program has used, found by looking at its process from outside."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from quandary.core.contract import Cause

SLICE = 0.2  # seconds between two looks at the clock of a program that has not answered
LOADING = 30.0  # seconds that a program may take to compile
WALL = 10  # seconds of wall time per second that a program may use; a busy machine needs some
LONGEST_GAP = 2.0  # seconds between two looks; in longer ones, the machine or we were held up
SLEEPING = "STt"  # states of a process that could go on and does not, as the kernel names them


class Look(NamedTuple):
    """What is seen of a program at one moment, in seconds."""

    wall: float
    computed: float
    waited: float  # for a processor, when none was free; known only after it has got one
    sleeps: bool = True  # otherwise it computes, or waits for a processor


class Wall:
    """The wall time of a match in which a program was to think, and what became of it."""

    def __init__(self) -> None:
        self.passed = self.waited = 0.0
        self.held_up = 0.0  # between looks that are far apart
        self.queued = 0.0  # since it computed last, if it does not sleep: for a processor

    @property
    def could_run(self) -> float:
        """The seconds in which the program could have computed."""
        return self.passed - self.waited - self.held_up - self.queued

    def add(self, seen: Look, now: Look) -> None:
        """Count the time between two looks."""
        gap = now.wall - seen.wall
        self.passed += gap
        self.waited += now.waited - seen.waited
        self.held_up += max(0.0, gap - LONGEST_GAP)
        has_stood = now.computed == seen.computed and not now.sleeps
        self.queued = self.queued + min(gap, LONGEST_GAP) if has_stood else 0.0


class Clock:
    """The seconds that a program has used: those in which it computed, or slept when asked.

    Those in which it waited for a processor do not count.  Sleep of less than two slices is not
    noticed, nor that before a look at which it does not sleep.

    Besides, there is a limit of wall time: for programs that wait without being seen asleep, and
    for machines that stall.
    """

    def __init__(self, pid: int, now: Callable[[], float] = time.monotonic) -> None:
        self.pid, self.now = pid, now
        self.wall = Wall()
        self.most, self.slept = LOADING, 0.0
        self.number = (~pid << 3) | 2  # of the clock that each process has
        self.begun = self.answered_at = 0.0  # on the clock of the process
        self.seen: Look | None = None  # since it was asked
        self.next_look = 0.0

    def start(self, most: float) -> None:
        """Begin a match, in which the program may use so many seconds, with what it computed since
        it answered last.
        """
        self.most, self.begun, self.slept = most, self.answered_at, 0.0
        self.wall = Wall()

    def asked(self) -> None:
        """From now on the program is to think."""
        self.seen, self.next_look = None, 0.0

    def look(self) -> Look | None:
        """Look at a program that has not answered; None if it was looked at a moment ago."""
        now = self.now()
        if now < self.next_look:
            return None
        self.next_look = now + SLICE
        return Look(now, self._computed(), self._waited(), self._sleeps())

    def is_over(self, now: Look) -> bool:
        """Return whether a program that had not answered when it was looked at has used all its
        time.
        """
        if self.seen:
            wall, computed = now.wall - self.seen.wall, now.computed - self.seen.computed
            waited = now.waited - self.seen.waited
            self.slept += max(0.0, wall - computed - waited) if now.sleeps else 0.0
            self.wall.add(self.seen, now)
        self.seen = now
        return now.computed - self.begun + self.slept > self.most

    def wall_is_over(self) -> Cause | None:
        """Return why the program is not waited for any longer; None as long as it is.

        It is a timeout if it could have used its time, and else no fault of the program.
        """
        if self.wall.passed <= WALL * self.most:
            return None
        return "timeout" if self.wall.could_run > self.most else "infrastructure"

    def is_over_at_answer(self) -> bool:
        """Return the same of a program that has answered, and waits for its next turn from
        now on.
        """
        self.answered_at = self._computed()
        return self.answered_at - self.begun + self.slept > self.most

    def _computed(self) -> float:
        try:
            return time.clock_gettime(self.number)
        except OSError:  # it has ended
            return self.answered_at

    def _waited(self) -> float:
        with suppress(OSError, ValueError, IndexError):
            text = Path(f"/proc/{self.pid}/schedstat").read_text("ascii")
            return int(text.split()[1]) / 1e9
        return 0.0

    def _sleeps(self) -> bool:
        with suppress(OSError):
            text = Path(f"/proc/{self.pid}/stat").read_text("utf-8", "replace")
            return text.rpartition(")")[2].split()[0] in SLEEPING
        return False
