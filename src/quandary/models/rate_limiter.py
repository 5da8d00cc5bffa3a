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

LONGEST_PAUSE = 600.0  # seconds to wait for a server at most, whatever it asks for
LATE = 0.002  # seconds that timers may be late


class RateLimiter:
    """Lets calls through by the age of their matches, so that a run which is stopped has finished
    as many matches as it could; a match is as old as its first call.
    """

    def __init__(
        self,
        start: int = 16,
        maximum: int = 256,
        timeout: float = inf,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.concurrency, self.now = Concurrency(start, maximum, timeout, now), now
        self.pace = Pace(now)
        self.in_flight = 0
        self.ages = dict[str, int]()  # of matches: 0 for the oldest
        self.arrivals = count()
        self.queue: list[tuple[int, int, asyncio.Future[None]]] = []  # a heap: age, arrival, turn
        self.paused_until = 0.0  # when the next call may be sent
        self.run_is_over = False
        self.timer: asyncio.TimerHandle | None = None

    async def acquire(self, match: str = "") -> float:
        """Wait until a call of a match may be sent; returns the time."""
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
        return self.now()

    def succeeded(self, sent: float) -> None:
        """A call that was sent at this time got its reply."""
        self.concurrency.succeeded(sent, self.in_flight)
        self.pace.answered(sent)
        self._release()

    def failed(self) -> None:
        """A call failed for a reason other than load."""
        self._release()

    def rate_limited(self, sent: float, retry_after: float | None = None) -> None:
        """The server refused a call for load, that was sent at this time."""
        is_news = self.concurrency.overloaded(sent, self.in_flight - 1, refused=True)
        pause = self.pace.refused(self.concurrency.limit) if is_news else 0.0
        self._pause(min(retry_after or pause, LONGEST_PAUSE))
        self._release()

    def timed_out(self, sent: float) -> None:
        """The server gave no reply in time: it may have had too many calls to answer."""
        self.concurrency.overloaded(sent, self.in_flight - 1, refused=False)
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
        """Count a call that may be sent now; the next one may have to wait."""
        self.in_flight += 1
        interval = self.pace.interval
        if self.concurrency.ramp:
            interval = max(interval, self.concurrency.ramp.interval(self.in_flight))
        if interval:
            # Timers are late, and calls that were held up by that may follow at once.
            self.paused_until = max(self.paused_until, self.now() - LATE) + interval

    def _pause(self, seconds: float) -> None:
        if seconds:
            self.paused_until = max(self.paused_until, self.now() + seconds)

    def _is_free(self) -> bool:
        if self.run_is_over:
            return True
        is_paused = self.paused_until and self.now() < self.paused_until
        return self.in_flight < int(self.concurrency.limit) and not is_paused

    def _admit(self) -> None:
        while self.queue and self._is_free():
            _, _, turn = heappop(self.queue)
            if not turn.done():
                self._let_through()
                turn.set_result(None)
        is_waiting = self.paused_until and self.queue and self.timer is None
        if is_waiting and self.now() < self.paused_until:
            delay = self.paused_until - self.now() + 0.001
            self.timer = asyncio.get_running_loop().call_later(delay, self._resume)

    def _resume(self) -> None:
        self.timer = None
        self._admit()
