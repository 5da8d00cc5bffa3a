"""How fast calls are sent to a server that refuses those beyond a number per second or minute.

Fewer calls in flight do not help there: each would be sent as soon as another is answered.  So
after a refusal calls are sent slower than the server has answered them since the one before, and
then gradually faster.
"""

from __future__ import annotations

from collections.abc import Callable

SLOWER = 1.2  # times the interval, after a refusal
FASTER, MUCH_FASTER = 0.995, 0.97  # times the interval, after an answer: one of the first, or later
MANY = 16  # answers without a refusal, if it refuses calls in flight and not calls per second
NO_INTERVAL = 1e-3  # seconds; below, calls are not held back
RESTART = 0.1  # seconds over which calls are sent after a pause, at least
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0  # seconds without a call after a refusal


class Pace:
    """The seconds between two calls; 0.0 until a server refuses one."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.interval = 0.0
        self.pause = FIRST_PAUSE
        self.begun, self.answers = 0.0, 0  # since the last refusal, or the first answer

    def answered(self, sent: float) -> None:
        """A call that was sent at that time was answered; older ones tell nothing new."""
        if not self.begun:
            self.begun = self.now()
        elif sent < self.begun and self.interval:
            return
        self.answers += 1
        self.pause = max(self.pause / 2, FIRST_PAUSE)
        if self.interval:
            self.interval *= FASTER if self.answers <= MANY else MUCH_FASTER
            if self.interval < NO_INTERVAL:
                self.interval = 0.0

    def refused(self, limit: float) -> float:
        """A call was refused, and as many as the limit may be in flight now; returns the seconds in
        which none should be sent.
        """
        if self.answers:
            answered_every = (self.now() - self.begun) / self.answers
            is_held_back = 2 * self.interval > answered_every
            is_too_fast = is_held_back or self.answers < MANY
            self.interval = max(self.interval, answered_every) * (SLOWER if is_too_fast else 1.0)
        self.interval = max(self.interval, RESTART / limit)
        self.begun, self.answers = self.now(), 0
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE)
        return pause
