"""A model server and calls to it, on a clock that is moved on instead of waited for: a busy machine
changes nothing, and minutes take no time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any, Literal

from quandary.models.rate_limiter import RateLimiter
from virtual_time import Clock, run_without_waiting

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0  # seconds before a call is made again, as clients do


@dataclass
class SimulatedServer:
    """Works on so many calls at once and lets others wait, or refuses some; counts what it does."""

    clock: Clock
    latency: Callable[[Random], float] = lambda rng: 1.0  # seconds per call
    slots: int = 10**6
    takes: int = 10**6  # calls at once; others are refused
    per_window: float = inf  # calls that it takes in a window; others are refused
    window: float = 1.0  # seconds
    slides: bool = False  # the window always ends now; else one follows another
    per_second: float = inf  # calls; others are refused, if there were as many as a burst
    burst: float = 10
    chance: float = 0.0  # share of calls that are refused
    refusal: float = 0.005  # seconds until a call is refused
    seed: int = 0
    in_flight: int = 0
    answered: int = 0
    refusals: int = 0
    reached: dict[int, tuple[float, int]] = field(default_factory=dict)
    # calls in flight -> when, and how many were answered before

    def __post_init__(self) -> None:
        self.free, self.rng = asyncio.Semaphore(self.slots), Random(self.seed)
        self.begun = self.counted_at = self.clock()
        self.left, self.taken_at = self.burst, deque[float]()

    async def refusal_of_call(self) -> float | None:
        """None if a call is answered; if it is refused, the seconds until one would be taken."""
        if self._refuses():
            self.refusals += 1
            wait = self._seconds_to_wait()
            await asyncio.sleep(self.refusal)
            return wait
        self.in_flight += 1
        self.reached.setdefault(self.in_flight, (self.clock() - self.begun, self.answered))
        async with self.free:
            await asyncio.sleep(self.latency(self.rng))
        self.in_flight -= 1
        self.answered += 1
        return None

    def _refuses(self) -> bool:
        return (
            self.rng.random() < self.chance
            or self.in_flight >= self.takes
            or (self.per_second < inf and self._is_too_fast())
            or (self.per_window < inf and self._is_window_full())
        )

    def _is_too_fast(self) -> bool:
        more = (self.clock() - self.counted_at) * self.per_second
        self.left, self.counted_at = min(self.burst, self.left + more), self.clock()
        if self.left < 1:
            return True
        self.left -= 1
        return False

    def _is_window_full(self) -> bool:
        while self.taken_at and self.clock() >= self._end_of_window():
            self.taken_at.popleft()
        if len(self.taken_at) >= self.per_window:
            return True
        self.taken_at.append(self.clock())
        return False

    def _end_of_window(self) -> float:
        """When the oldest call no longer counts."""
        if self.slides:
            return self.taken_at[0] + self.window
        number = int((self.taken_at[0] - self.begun) / self.window)
        return self.begun + (number + 1) * self.window

    def _seconds_to_wait(self) -> float:
        if self.per_second < inf:
            return (1 - self.left) / self.per_second
        return self._end_of_window() - self.clock() if self.per_window < inf else 0.0


class Simulated:
    """Calls to a simulated server, made and repeated as a client does, with what came of them."""

    def __init__(
        self,
        calls: int,
        *,
        start: int = 4,
        most: int = 256,
        timeout: float = 600.0,
        retry_after: float | Literal["exact"] | None = None,  # seconds that the server names
        first: int = 10**6,  # calls that go ahead; others follow when one is answered
        lag: float = 0.0,  # seconds that we work on a call, before it is sent and after its reply
        **server: Any,
    ) -> None:
        self.clock, self.rng = Clock(), Random(3)
        self.limiter = RateLimiter(start, most, timeout, now=self.clock)
        self.server = SimulatedServer(self.clock, **server)
        self.timeout, self.retry_after, self.lag = timeout, retry_after, lag
        self.idle_at = begun = self.clock()
        self.given_up = 0  # calls that the server works on for nobody

        async def scene() -> None:
            self.is_answered = asyncio.Event()
            await asyncio.gather(*(self._call(number >= first) for number in range(calls)))

        run_without_waiting(self.clock, scene())
        self.seconds = self.clock() - begun

    async def _call(self, is_held_back: bool) -> None:
        if is_held_back:
            await self.is_answered.wait()
        attempt = 0
        while True:
            sent = await self.limiter.acquire()
            await self._work()
            answer = asyncio.ensure_future(self.server.refusal_of_call())
            wait: float | None = None
            try:
                exact = await asyncio.wait_for(asyncio.shield(answer), self.timeout)
                await self._work()
                if exact is None:
                    self.limiter.succeeded(sent)
                    self.is_answered.set()
                    return
                wait = exact if self.retry_after == "exact" else self.retry_after
                self.limiter.rate_limited(sent, wait)
            except TimeoutError:
                self.given_up += 1
                self.limiter.timed_out(sent)
            attempt += 1
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**attempt)
            await asyncio.sleep(max(wait or 0.0, self.rng.random() * pause))

    async def _work(self) -> None:
        """One call after another, as in one event loop."""
        if self.lag:
            self.idle_at = max(self.idle_at, self.clock()) + self.lag
            await asyncio.sleep(self.idle_at - self.clock())
