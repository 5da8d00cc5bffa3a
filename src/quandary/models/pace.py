"""How fast calls are sent to a server that refuses those beyond a number per second or minute.

Fewer calls in flight do not help there: each would be sent as soon as another is answered.  Such a
server is known by refusing many calls in a row; others refuse one now and then.  It is sent calls
as fast as it has answered them, pauses included, and then gradually faster.
"""

from __future__ import annotations

from collections.abc import Callable

WEIGHT = 1 / 8  # of the last call in the share of refused ones
MANY = 0.4  # refused calls: as many as four in a row
SLOWER = 1.1  # times the interval, after a refusal at a pace that was right for a while
FASTER, MUCH_FASTER = 0.995, 0.97  # times the interval, after an answer: one of the first, or later
FIRST_ANSWERS = 16  # since a refusal
NO_INTERVAL = 1e-3  # seconds; below, calls are not held back
MOST_IN_VAIN = 6  # pauses after which no more calls are answered
LATENCIES = 20  # that an interval or a pause may last at most
RESTART = 0.05  # seconds over which calls are sent after a pause, at least
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 8.0  # seconds without a call after many refusals


class Pace:
    """The seconds between two calls; 0.0 until a server refuses many."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.interval, self.pause = 0.0, FIRST_PAUSE
        self.share, self.latency = 0.0, 1.0  # refused ones of the last calls; seconds of an answer
        self.refused_at, self.quiet = 0.0, 0  # the last refusal, and answers since then
        self.held_at, self.in_vain = 0.0, 0  # the last pause, and how many did not help
        self.begun, self.answers = 0.0, 0  # since many refusals, or since the first answer

    def answered(self, sent: float) -> None:
        """A call that was sent at that time was answered; older ones tell nothing new."""
        self.begun = self.begun or self.now()
        self.share -= WEIGHT * self.share
        if sent < self.refused_at:
            return
        self.answers += 1
        self.quiet += 1
        self.latency += WEIGHT * (self.now() - sent - self.latency)
        self.pause = max(self.pause / 2, FIRST_PAUSE)
        if self.interval:
            self.interval *= FASTER if self.quiet <= FIRST_ANSWERS else MUCH_FASTER
            if self.interval < NO_INTERVAL:
                self.interval = 0.0

    def refused(self, sent: float, limit: float) -> float:
        """A call that was sent at that time was refused, and as many as the limit may be in flight
        now; returns the seconds in which none should be sent.
        """
        self.share += WEIGHT * (1 - self.share)
        is_too_fast = self.interval and self.quiet >= FIRST_ANSWERS  # it has been faster since
        self.refused_at, self.quiet = self.now(), 0
        if sent < self.held_at or self.in_vain > MOST_IN_VAIN:  # it was before the last pause
            return 0.0
        if self.share < MANY:
            self.interval *= SLOWER if is_too_fast else 1.0
            return FIRST_PAUSE if is_too_fast else 0.0
        self.in_vain = 0 if self.answers >= FIRST_ANSWERS else self.in_vain + 1
        if self.in_vain > MOST_IN_VAIN:  # it refuses calls however slow they come
            self.interval = 0.0
            return 0.0
        if self.answers:
            self.interval = (self.now() - self.begun) / self.answers
        slowest = LATENCIES * self.latency
        self.interval = min(max(self.interval, RESTART / limit), slowest)
        self.begun, self.answers, self.held_at = self.now(), 0, self.now()
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE, FIRST_PAUSE + slowest)
        return pause
