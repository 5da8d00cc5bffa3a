"""How many calls are made at once."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

import pytest

from quandary.models.concurrency import Concurrency
from quandary.models.rate_limiter import RateLimiter


@dataclass
class Clock:
    """Shows what it is told."""

    seconds: float = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class Server:
    """Takes so many calls at once and refuses the others."""

    def __init__(self, takes: int, limiter: RateLimiter, wait: float | None = None) -> None:
        self.takes, self.limiter, self.wait = takes, limiter, wait
        self.under_way = self.most = self.refusals = self.served = 0

    async def call(self) -> None:
        while True:
            entered = await self.limiter.acquire()
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            refused = self.under_way > self.takes
            await asyncio.sleep(0.002)
            self.under_way -= 1
            if not refused:
                self.limiter.succeeded(entered)
                self.served += 1
                return
            self.refusals += 1
            self.limiter.rate_limited(entered, self.wait)


class Skipping(selectors.DefaultSelector):
    """Moves a clock on instead of waiting, so that a busy machine changes nothing."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    def select(self, timeout: float | None = None) -> Any:
        self.clock.seconds += timeout or 0.0
        return super().select(0)


def _run_without_waiting(clock: Clock, work: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.SelectorEventLoop(Skipping(clock))
    loop.time = clock  # type: ignore[method-assign]
    try:
        loop.run_until_complete(work)
    finally:
        loop.close()


async def _calls(server: Server, number: int) -> None:
    await asyncio.gather(*(server.call() for _ in range(number)))


def test_it_never_goes_beyond_its_most() -> None:
    """However well things go."""
    limiter = RateLimiter(4, 10)
    server = Server(1_000, limiter)

    asyncio.run(_calls(server, 500))

    assert 10 == server.most


def test_a_server_that_asks_for_rest_gets_it() -> None:
    """No call is let through before the time it asked for is over."""

    async def scene() -> float:
        limiter = RateLimiter(2, 2)
        limiter.rate_limited(await limiter.acquire(), 0.2)
        begun = monotonic()
        await limiter.acquire()
        return monotonic() - begun

    assert asyncio.run(scene()) >= 0.2


def test_one_burst_of_refusals_halves_once() -> None:
    """Calls that were under way when the server first refused are no further news."""

    async def scene() -> float:
        limiter = RateLimiter(16, 16)
        entered = [await limiter.acquire() for _ in range(16)]
        await asyncio.sleep(0.001)
        for when in entered:
            limiter.rate_limited(when)
        return limiter.concurrency.limit

    assert 8.0 == asyncio.run(scene())


def test_who_gives_up_waiting_takes_nobodys_place() -> None:
    """A waiter that is cancelled, before or just as its turn comes, does not block the next."""

    async def scene() -> int:
        limiter = RateLimiter(1, 1)
        await limiter.acquire()
        quitters = [asyncio.create_task(limiter.acquire()) for _ in range(3)]
        patient = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        quitters[1].cancel()
        limiter.failed()
        quitters[0].cancel()  # its turn has come, but it has not heard of it yet
        await asyncio.wait_for(quitters[2], 1)
        limiter.failed()
        await asyncio.wait_for(patient, 1)
        return limiter.in_flight

    assert 1 == asyncio.run(scene())


def test_thrown_open_it_holds_nobody_back() -> None:
    """Neither those who wait nor those who come later, however few were there when it was thrown
    open.
    """

    async def scene() -> int:
        limiter = RateLimiter(1, 1)
        limiter.release_all()
        await asyncio.wait_for(asyncio.gather(*(limiter.acquire() for _ in range(5))), 5)
        return limiter.in_flight

    assert 5 == asyncio.run(scene())


def test_the_oldest_match_goes_first() -> None:
    """A match is as old as its first call, however late its next one comes."""

    async def scene() -> list[str]:
        limiter, order = RateLimiter(1, 1), list[str]()

        async def call(match: str) -> None:
            await limiter.acquire(match)
            order.append(match)

        await call("old")
        waiting = [asyncio.create_task(call(match)) for match in ("new", "newer", "old", "new")]
        await asyncio.sleep(0)
        for _ in waiting:
            limiter.failed()
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)
        return order

    assert ["old", "old", "new", "new", "newer"] == asyncio.run(scene())


def test_a_timeout_halves() -> None:
    """Calls that were in flight at the same time do so once."""

    async def scene() -> list[float]:
        limiter, limits = RateLimiter(16, 16), list[float]()
        sent = [await limiter.acquire() for _ in range(3)]
        await asyncio.sleep(0.001)
        for when in sent:
            limiter.timed_out(when)
            limits.append(limiter.concurrency.limit)
        await asyncio.sleep(0.001)
        limiter.timed_out(await limiter.acquire())
        return [*limits, limiter.concurrency.limit]

    assert [8.0, 8.0, 8.0, 4.0] == asyncio.run(scene())


@dataclass
class SimulatedServer:
    """Works on so many calls at once and lets others wait, or refuses some, at once or per second;
    counts what it does.
    """

    clock: Clock
    latency: Callable[[Random], float] = lambda rng: 1.0  # seconds per call
    slots: int = 10**6
    takes: int = 10**6  # calls at once; others are refused
    per_second: float = 1e6  # calls; others are refused
    burst: float = 1e6  # calls that it takes at first, or after a pause
    refusal: float = 0.01  # seconds until a call is refused
    in_flight: int = 0
    refusals: int = 0
    given_up: int = 0  # calls that nobody waited for any more
    reached: dict[int, float] = field(default_factory=dict)  # calls in flight -> when

    def __post_init__(self) -> None:
        self.free, self.rng = asyncio.Semaphore(self.slots), Random(7)
        self.left, self.counted_at = self.burst, self.clock()

    async def answers(self) -> bool:
        """Whether a call is answered; false if it is refused."""
        more = (self.clock() - self.counted_at) * self.per_second
        self.left, self.counted_at = min(self.burst, self.left + more), self.clock()
        if self.left < 1 or self.in_flight >= self.takes:
            self.refusals += 1
            await asyncio.sleep(self.refusal)
            return False
        self.left -= 1
        self.in_flight += 1
        self.reached.setdefault(self.in_flight, self.clock())
        async with self.free:
            await asyncio.sleep(self.latency(self.rng))
        self.in_flight -= 1
        return True


class Simulated:
    """Calls to a simulated server, made and repeated as a client does."""

    def __init__(
        self, calls: int, start: int = 4, most: int = 256, timeout: float = 600.0, **server: Any
    ) -> None:
        self.clock, self.rng = Clock(), Random(3)
        self.limiter = RateLimiter(start, most, timeout, now=self.clock)
        self.server = SimulatedServer(self.clock, **server)
        self.timeout, self.begun = timeout, self.clock()

        async def scene() -> None:
            await asyncio.gather(*(self._call() for _ in range(calls)))

        _run_without_waiting(self.clock, scene())
        self.seconds = self.clock() - self.begun

    async def _call(self) -> None:
        for attempt in range(1, 50):
            sent = await self.limiter.acquire()
            answer = asyncio.ensure_future(self.server.answers())
            try:
                if await asyncio.wait_for(asyncio.shield(answer), self.timeout):
                    self.limiter.succeeded(sent)
                    return
                self.limiter.rate_limited(sent)
            except TimeoutError:
                self.server.given_up += 1
                self.limiter.timed_out(sent)
            await asyncio.sleep(self.rng.random() * min(60.0, 0.5 * 2**attempt))


def test_a_server_without_limits_soon_has_as_many_calls_as_allowed() -> None:
    """From four calls to 256 within three latencies, and 1,000 calls in twice the ideal time."""
    played = Simulated(1_000)

    assert played.server.reached[256] - played.begun <= 3.0
    assert played.seconds <= 2 * 1_000 / 256


@pytest.mark.parametrize("seconds", [0.1, 5.0])
def test_how_fast_it_rises_depends_on_the_latency(seconds: float) -> None:
    played = Simulated(1_000, latency=lambda rng: seconds)

    assert played.server.reached[256] - played.begun <= 3.0 * seconds
    assert played.seconds <= 2 * 1_000 / 256 * seconds


def test_it_rises_where_latencies_differ() -> None:
    """By chance alone, and by a factor of three: as fast as a reply can tell."""
    played = Simulated(1_000, latency=lambda rng: rng.uniform(0.5, 1.5))

    assert 256 in played.server.reached
    assert played.seconds <= 10.0


@pytest.mark.parametrize("start", [4, 16])
@pytest.mark.parametrize("slots", [4, 8, 16])
def test_a_server_that_queues_is_kept_busy_and_no_more(slots: int, start: int) -> None:
    """Calls wait for each other, but never until they are given up."""
    played = Simulated(300, start, timeout=5.0, slots=slots, latency=lambda rng: 0.25)

    assert played.seconds <= 1.15 * 300 / slots * 0.25
    assert 0 == played.server.given_up
    assert played.limiter.concurrency.limit <= max(start, 4 * slots)


def test_it_finds_the_slots_of_a_server_that_queues() -> None:
    """After a round in which calls waited for each other, as many as did not are in flight."""
    played = Simulated(120, slots=8)

    assert max(played.server.reached) > 8
    assert 8 <= played.limiter.concurrency.limit <= 16


@pytest.mark.parametrize("start", [4, 16])
@pytest.mark.parametrize(
    "server",
    [
        {"takes": 2, "latency": lambda rng: 0.5},
        {"takes": 4, "latency": lambda rng: 0.5},
        {"takes": 8, "latency": lambda rng: 0.5},
        {"takes": 20, "latency": lambda rng: 0.5},
        {"takes": 65, "latency": lambda rng: 0.5},
        {"per_second": 2.0, "burst": 2.0},
        {"per_second": 10.0, "burst": 10.0},
        {"per_second": 10.0, "burst": 10.0, "latency": lambda rng: 0.05},
        {"per_second": 20.0, "burst": 20.0, "latency": lambda rng: 0.05},
        {"per_second": 1.0, "burst": 60.0},
    ],
    ids=str,
)
def test_a_server_that_refuses_calls_refuses_few(server: dict[str, Any], start: int) -> None:
    """However many it takes, at once or per second: at most 30 for 300 answers, and in less than
    twice the time that it needs.
    """
    played = Simulated(300, start, **server)
    shortest = (300 - server.get("burst", 0)) / server.get("per_second", 1e6)
    seconds = server.get("latency", lambda rng: 1.0)(Random())
    ideal = max(shortest, 300 * seconds / server.get("takes", 10**6))

    assert 0 < played.server.refusals <= 30
    assert played.seconds <= 2 * ideal + 5


def test_it_rises_until_it_is_refused() -> None:
    """From four at once to more than the server takes, then near what it takes; few calls are
    refused.
    """
    played = Simulated(3_000, takes=40, latency=lambda rng: 0.5)

    assert 40 == max(played.server.reached)
    assert 0 < played.server.refusals < 60
    assert 35 <= played.limiter.concurrency.limit < 45
    assert 0 == played.limiter.in_flight


def test_a_refused_limit_is_tried_again_later() -> None:
    """A server may take more after a while."""
    played = Simulated(1_000, takes=8)
    asked_again = max(played.server.reached)

    assert 8 == asked_again
    assert played.server.refusals < 20

    concurrency = played.limiter.concurrency
    for _ in range(5_000):
        concurrency.succeeded(played.clock(), int(concurrency.limit))
    assert concurrency.limit > 12


def test_slow_calls_are_not_driven_into_the_timeout() -> None:
    """Should the server queue, calls would take too long at twice the limit."""
    clock = Clock()
    concurrency = Concurrency(16, 256, timeout=5.0, now=clock)
    for _ in range(1_000):
        clock.seconds += 4.5 / 16
        concurrency.succeeded(clock.seconds - 4.5, 16)

    assert 16 == concurrency.limit
