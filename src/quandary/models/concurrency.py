"""How many calls a server takes at once, found by trying.

At first the limit rises as fast as `ramp` allows.  Later it is doubled now and then, and kept if
the server then answers more calls per second.  Servers that queue (llama.cpp, Ollama, LM Studio,
vLLM) never refuse a call: with more calls in flight than they have slots, each call takes longer
and no more are answered.  There the limit goes back, and is tried again later.

A timeout halves the limit, and so does a refusal, unless more calls are left in flight: the server
took those.  After that it rises by one per round.  A limit at which the server refused calls is
tried again only after many answers, and after twice as many each time.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from time import monotonic
from typing import NamedTuple

from .ramp import FACTOR, Ramp, Round

FEWEST_CALLS = 12  # that a measurement counts
WORTHWHILE = 0.25  # more calls per second that twice the limit must bring
ROUNDS_BETWEEN = 8  # measurements before a limit that brought nothing is tried again
SAFE_SHARE = 0.8  # of the timeout that calls may take at a higher limit, should the server queue
SMALLEST_STEP = 1.25  # from a limit to the next one
FIRST_PATIENCE, LONGEST_PATIENCE = 25, 800  # answers before a refused limit is tried again


class Measured(NamedTuple):
    limit: float
    per_second: float  # calls answered


class Concurrency:
    """The number of calls that may be in flight, between 1 and a maximum."""

    def __init__(
        self,
        start: int,
        maximum: int,
        timeout: float = inf,  # seconds per call
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.maximum, self.timeout, self.now = maximum, timeout, now
        self.lowered_at = self.lowest = 0.0  # when and to what, after refusals; 0: never
        self.answers = 0  # since then, with nearly as many calls in flight as allowed
        self.refused_limit = inf  # at which the server refused calls
        self.patience, self.answers_left = FIRST_PATIENCE, 0
        self.start_at(start)
        self.ramp = Ramp(self.limit, now) if self.limit < maximum else None  # None once it is over

    def start_at(self, limit: int) -> None:
        """Begin with a limit that the server named, or that is known otherwise."""
        self._set(min(limit, self.maximum))

    def succeeded(self, sent: float, in_flight: int) -> None:
        """A call that was sent at that time got its reply; so many were in flight, itself
        included.
        """
        is_used = 4 * in_flight >= 3 * int(self.limit)  # else the server could answer more
        self.answers += is_used
        if self.ramp:
            if over := self.ramp.heard(sent, in_flight):
                self._end_round(self.ramp, over)
        elif self.goal:
            if is_used:
                self._climb()
        elif not is_used:
            self._measure(self.rounds)
        elif in_flight <= self.limit:  # else some were sent at a higher limit
            self._count()

    def overloaded(self, sent: float, in_flight: int, *, refused: bool) -> bool:
        """A call that was sent at that time was refused for load, or got no reply in time; so many
        others are in flight.  Returns whether that is news.

        A server that refuses calls says itself what it takes, so nothing has to be measured.

        Calls that were already in flight when the limit was last lowered do not lower it again.
        But if some of them were refused, those that are left are as many as the server takes.
        """
        before, is_new = self.limit, sent >= self.lowered_at
        if is_new:
            self.lowered_at = self.now()
            self.lowest = self._lower(in_flight) if refused else self.limit / 2
            self.answers = 0
            self._set(self.lowest)
        if refused:
            self.limit = max(1.0, min(before, max(self.lowest, in_flight)))
            self.goal, self.refused_limit = float(self.maximum), self.limit + 1
        if refused and is_new:
            self.answers_left = self.patience
            self.patience = min(2 * self.patience, LONGEST_PATIENCE)
        return is_new

    def _lower(self, in_flight: int) -> float:
        """The limit after a refusal: half of it, or one less if that has just worked for long."""
        if self.ramp:
            return (in_flight + 1) / 2
        is_next = self.goal and self.answers >= FIRST_PATIENCE
        return int(self.limit) - 1 if is_next else self.limit / 2

    def _end_round(self, ramp: Ramp, over: Round) -> None:
        if slots := ramp.slots(over):
            self._set(slots)
            return
        goal = min(self.maximum, FACTOR * over.limit, self._safe_limit(over.per_second))
        is_step = goal >= SMALLEST_STEP * over.limit or goal == self.maximum
        if is_step and goal > over.limit:
            self.limit = goal
            ramp.rise(over, goal)
        else:
            self._set(over.limit, ROUNDS_BETWEEN)

    def _safe_limit(self, per_second: float) -> float:
        """At which no call waits until it is given up, should the server queue."""
        return SAFE_SHARE * self.timeout * per_second

    def _set(self, limit: float, rounds: int = 1) -> None:
        """Go to a limit and measure what it brings, whatever was measured before."""
        self.limit = max(1.0, float(limit))
        self.ramp: Ramp | None = None
        self.best: Measured | None = None
        self._measure(rounds)

    def _measure(self, rounds: int = 1) -> None:
        whole = max(1, int(self.limit))
        # Replies to calls that were sent at the last limit are not counted.  Whole rounds are,
        # because calls that were sent together are answered together.
        self.left_out, self.rounds = whole, rounds
        self.counted = rounds * whole * ceil(FEWEST_CALLS / whole)
        self.replies, self.begun, self.goal = 0, self.now(), 0.0

    def _count(self) -> None:
        self.replies += 1
        if self.replies == self.left_out:
            self.begun = self.now()
        elif self.replies == self.left_out + self.counted:
            seconds = max(1e-6, self.now() - self.begun)
            self._decide(Measured(self.limit, self.counted / seconds))

    def _decide(self, now: Measured) -> None:
        best = self.best
        if best:
            wanted = 1 + WORTHWHILE * (now.limit / best.limit - 1)
            if now.per_second < wanted * best.per_second:
                self._set(best.limit, ROUNDS_BETWEEN)
                return
        step = min(2.0, self._safe_limit(now.per_second) / now.limit)
        goal = min(max(now.limit + 1, step * now.limit), self.maximum)
        if step < SMALLEST_STEP or goal <= now.limit:
            self._set(now.limit, ROUNDS_BETWEEN)
            return
        self.best = now
        if self.lowered_at:
            self.goal = goal
        else:
            self.limit = goal
            self._measure()

    def _climb(self) -> None:
        """By one per round, up to a limit that is worth measuring."""
        if self.limit + 1 / self.limit >= self.refused_limit:
            self.answers_left -= 1
            if self.answers_left > 0:
                return
            self.refused_limit = inf
        self.limit = min(self.goal, self.limit + 1 / self.limit)
        if self.limit >= self.goal:
            self._measure()
