"""Lets calls through to a server: no more at once than it takes, and those of old matches first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from math import inf
from time import monotonic

from .concurrency import Concurrency
from .pace import Pace
from .rounds import Sent

TICK = 0.001  # seconds by which a timer may be early
LONGEST_PAUSE = 600.0  # seconds to wait for a server at most, whatever it asks for


class RateLimiter:
    """Lets calls through by the age of their matches, so that a stopped run has finished as many
    matches as possible; a match is as old as its first call.
    """

    def __init__(
        self,
        start: int = 16,
        maximum: int = 256,
        timeout: float = inf,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.concurrency, self.pace = Concurrency(start, maximum, timeout, now), Pace()
        self.now = now
        self.in_flight = 0
        self.last = Sent(0.0, 0)  # the last call
        self.ages = dict[str, int]()  # of matches: 0 for the oldest
        self.arrivals = count()
        self.queue: list[tuple[int, int, asyncio.Future[None]]] = []  # a heap: age, arrival, turn
        self.paused_until = 0.0
        self.run_is_over = False
        self.timer: asyncio.TimerHandle | None = None

    async def acquire(self, match: str = "") -> Sent:
        """Wait until a call of a match may be sent."""
        age = self.ages.setdefault(match, len(self.ages))
        if self.queue or not self._is_free():
            turn = asyncio.get_running_loop().create_future()
            heappush(self.queue, (age, next(self.arrivals), turn))
            self._admit()
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():  # already admitted: pass the slot on
                    self._release()
                raise
        else:
            self._let_through()
        self.last = Sent(self.now(), self.last.number + 1)
        return self.last

    def succeeded(self, sent: Sent) -> None:
        """A call got its reply."""
        self.concurrency.succeeded(sent, self.in_flight)
        self.pace.answered(sent)
        self._release()

    def failed(self) -> None:
        """A call failed for a reason other than load."""
        self._release()

    def rate_limited(self, sent: Sent, retry_after: float | None = None) -> None:
        """The server refused a call for load.

        Its client waits as long as the server asks for.  So do all calls once the number of
        refusals shows that calls are limited, not refused by chance.
        """
        wait = min(retry_after or 0.0, LONGEST_PAUSE)
        self.pace.count_refusal(sent)
        is_by_time = self.pace.is_by_time(sent)
        is_expected = self.pace.expects_refusals
        if is_expected:
            self.concurrency.lift_ceiling()
        if is_expected or not self.concurrency.refused(sent, self.last, self.in_flight - 1):
            self.pace.refused(sent, self.last, wait)
            self._pause(self.pace.interval)
        if is_by_time:
            self._pause(wait)
        self._release()

    def timed_out(self, sent: Sent) -> None:
        """The server gave no reply in time: it may have had too many calls to answer."""
        self.concurrency.timed_out(sent, self.last)
        self._release()

    def release_all(self) -> None:
        """Let every waiting and future call through: the run is over, and each call will be
        refused.
        """
        self.run_is_over = True
        self._admit()

    def _release(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _let_through(self) -> None:
        self.in_flight += 1
        self._pause(max(self.pace.interval, self.concurrency.interval))

    def _pause(self, seconds: float) -> None:
        if seconds:
            self.paused_until = max(self.paused_until, self.now() + seconds)

    def _is_free(self) -> bool:
        return self.run_is_over or (
            self.in_flight < self.concurrency.allowed and self.now() >= self.paused_until
        )

    def _admit(self) -> None:
        while self.queue and self._is_free():
            _, _, turn = heappop(self.queue)
            if not turn.done():
                self._let_through()
                turn.set_result(None)
        if self.queue and self.timer is None:
            delay = self.paused_until - self.now()
            if self.concurrency.is_rising:
                delay = max(delay, self.concurrency.between_parts)
            if delay > 0:
                loop = asyncio.get_running_loop()
                self.timer = loop.call_later(delay + TICK, self._resume)

    def _resume(self) -> None:
        self.timer = None
        if self.concurrency.is_rising:
            self.concurrency.rise_further()
        self._admit()
