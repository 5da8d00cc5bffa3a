"""How many calls are made at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from quandary.models.rate_limiter import RateLimiter
from virtual_time import Clock, run_without_waiting

HUNG = 60  # seconds


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


async def _calls(server: Server, number: int) -> None:
    await asyncio.gather(*(server.call() for _ in range(number)))


def test_it_rises_until_it_is_refused() -> None:
    """From four at once to more than the server takes, then near what it takes; few calls are
    refused.
    """
    clock = Clock()
    limiter = RateLimiter(4, 256, now=clock)
    server = Server(40, limiter)

    run_without_waiting(clock, _calls(server, 3_000))

    assert 3_000 == server.served
    assert server.most > 40
    assert server.refusals < 300
    assert 15 < limiter.concurrency.limit < 60
    assert 0 == limiter.in_flight


def test_it_never_goes_beyond_its_most() -> None:
    """However well things go."""
    clock = Clock()
    limiter = RateLimiter(4, 10, now=clock)
    server = Server(1_000, limiter)

    run_without_waiting(clock, _calls(server, 500))

    assert 10 == server.most


def test_a_server_that_asks_for_rest_gets_it() -> None:
    """After four refusals in a row, no call is let through before the time it asked for is over."""

    clock = Clock()

    async def scene() -> tuple[int, int]:
        limiter = RateLimiter(4, 4, now=clock)
        for sent in [await limiter.acquire() for _ in range(4)]:
            limiter.rate_limited(sent, 60.0)
        waiting = [asyncio.create_task(limiter.acquire()) for _ in range(3)]
        await asyncio.sleep(59.9)
        early = sum(call.done() for call in waiting)
        await asyncio.sleep(0.2)
        later = sum(call.done() for call in waiting)
        for call in waiting:
            call.cancel()
        return early, later

    early, later = run_without_waiting(clock, scene())
    assert 0 == early < later


def test_a_refusal_alone_holds_back_no_other_call() -> None:
    """It may be chance: only its own call waits, in the client."""

    clock = Clock()

    async def scene() -> None:
        limiter = RateLimiter(4, 4, now=clock)
        sent = [await limiter.acquire() for _ in range(3)]
        limiter.rate_limited(sent[1], 60.0)
        limiter.succeeded(sent[0])
        await limiter.acquire()

    run_without_waiting(clock, scene())

    assert clock.seconds < 0.01


@pytest.mark.parametrize(("refused_of_three", "is_slower"), [(1, False), (2, True)])
def test_a_server_that_refuses_most_calls_gets_them_slower(
    refused_of_three: int, is_slower: bool
) -> None:
    """Though never four in a row; some servers refuse a third by chance."""

    clock = Clock()

    async def scene() -> float:
        limiter, longest = RateLimiter(1, 1, now=clock), 0.0
        for number in range(60):
            sent = await limiter.acquire()
            await asyncio.sleep(0.1)
            if number % 3 < refused_of_three:
                limiter.rate_limited(sent)
            else:
                limiter.succeeded(sent)
            longest = max(longest, limiter.pace.spacing)
        return longest

    assert is_slower == (run_without_waiting(clock, scene()) > 0)


def test_one_burst_of_refusals_halves_once() -> None:
    """Calls that were under way when the server first refused are no further news."""

    clock = Clock()

    async def scene() -> float:
        limiter = RateLimiter(16, 16, now=clock)
        entered = [await limiter.acquire() for _ in range(16)]
        clock.seconds += 0.001
        for when in entered:
            limiter.rate_limited(when)
        return limiter.concurrency.limit

    assert 8.0 == run_without_waiting(clock, scene())


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
        quitters[0].cancel()  # its turn has come, but it has not received of it yet
        await asyncio.wait_for(quitters[2], HUNG)
        limiter.failed()
        await asyncio.wait_for(patient, HUNG)
        return limiter.in_flight

    assert 1 == asyncio.run(scene())


def test_thrown_open_it_holds_nobody_back() -> None:
    """Neither those who wait nor those who come later, however few were there when it was thrown
    open.
    """

    async def scene() -> int:
        limiter = RateLimiter(1, 1)
        limiter.release_all()
        await asyncio.wait_for(asyncio.gather(*(limiter.acquire() for _ in range(5))), HUNG)
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

    clock = Clock()

    async def scene() -> list[float]:
        limiter, limits = RateLimiter(16, 16, now=clock), list[float]()
        sent = [await limiter.acquire() for _ in range(3)]
        clock.seconds += 0.001
        for when in sent:
            limiter.timed_out(when)
            limits.append(limiter.concurrency.limit)
        clock.seconds += 0.001
        limiter.timed_out(await limiter.acquire())
        return [*limits, limiter.concurrency.limit]

    assert [8.0, 8.0, 8.0, 4.0] == run_without_waiting(clock, scene())


@dataclass
class Slots:
    """Answers so many calls at once, each after the same time, and lets the others wait."""

    slots: int
    limiter: RateLimiter
    seconds: float = 0.02
    answered: int = 0
    most: int = 0

    async def call(self, free: asyncio.Semaphore) -> None:
        sent = await self.limiter.acquire()
        self.most = max(self.most, self.limiter.in_flight)
        async with free:
            await asyncio.sleep(self.seconds)
        self.limiter.succeeded(sent)
        self.answered += 1

    async def calls(self, number: int) -> None:
        free = asyncio.Semaphore(self.slots)
        await asyncio.gather(*(self.call(free) for _ in range(number)))


def test_it_does_not_rise_where_calls_only_wait_longer() -> None:
    """With more calls in flight, a server that queues answers no more of them."""
    clock = Clock()
    server = Slots(4, RateLimiter(4, 256, now=clock))

    run_without_waiting(clock, server.calls(200))

    assert server.most <= 8


def test_it_rises_where_a_server_keeps_pace() -> None:
    """To the maximum, within a few rounds."""
    clock = Clock()
    server = Slots(1_000, RateLimiter(4, 256, now=clock), seconds=0.5)

    run_without_waiting(clock, server.calls(1_500))

    assert 256 == server.most
