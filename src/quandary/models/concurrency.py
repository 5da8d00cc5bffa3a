"""How many calls a server takes at once, found by trying.

The limit is doubled as long as the server then answers more calls per second.  Servers that queue
(llama.cpp, Ollama, LM Studio, vLLM) never refuse a call: with more calls in flight than they have
slots, each call takes longer and no more are answered.  There the limit goes back, and is tried
again later.  A refusal or a timeout halves the limit; after that it rises by one per round.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from time import monotonic
from typing import NamedTuple

FEWEST_CALLS = 12  # that a measurement counts
WORTHWHILE = 0.25  # more calls per second that twice the limit must bring
ROUNDS_BETWEEN = 8  # measurements before a limit that brought nothing is tried again
SAFE_SHARE = 0.8  # of the timeout that calls may take at a higher limit, should the server queue
SMALLEST_STEP = 1.25  # from a limit to the next one


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
        self.halved_at = 0.0  # 0: never
        self.start_at(start)

    def start_at(self, limit: int) -> None:
        self._set(min(limit, self.maximum))

    def succeeded(self, in_flight: int) -> None:
        """A call got its reply; so many were in flight, itself included."""
        if self.goal:
            self._climb()
        elif 4 * in_flight < 3 * int(self.limit):  # the server could have answered more
            self._measure(self.rounds)
        else:
            self._count()

    def overloaded(self, sent: float, *, refused: bool) -> None:
        """A call that was sent at that time was refused for load, or got no reply in time.

        A server that refuses calls says itself what it takes, so nothing has to be measured.

        Calls that were already in flight when the limit was last halved do not halve it again.
        """
        if sent >= self.halved_at:
            self.halved_at = self.now()
            self._set(self.limit / 2)
            if refused:
                self.goal = float(self.maximum)

    def _set(self, limit: float, rounds: int = 1) -> None:
        """Go to a limit and measure what it brings, whatever was measured before."""
        self.limit = max(1.0, float(limit))
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
        step = min(2.0, SAFE_SHARE * self.timeout * now.per_second / now.limit)
        goal = min(max(now.limit + 1, step * now.limit), self.maximum)
        if step < SMALLEST_STEP or goal <= now.limit:
            self._set(now.limit, ROUNDS_BETWEEN)
            return
        self.best = now
        if self.halved_at:
            self.goal = goal
        else:
            self.limit = goal
            self._measure()

    def _climb(self) -> None:
        """By one per round, up to a limit that is worth measuring."""
        self.limit = min(self.goal, self.limit + 1 / self.limit)
        if self.limit >= self.goal:
            self._measure()
