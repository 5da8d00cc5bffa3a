"""How many calls a real client has in flight over HTTP, with our own work beside it.

What is bounded are counts, because this machine may be busy: the calls that were answered before so
many were in flight, those that were refused, and those that were answered for nobody.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from aiohttp import web

from fault_server import serving
from quandary.models import pool
from quandary.models.calls import CallKey
from quandary.models.journal import NoJournal
from quandary.models.pool import ClientPool
from quandary.models.provider import Message, Request
from quandary.models.rate_limiter import RateLimiter
from virtual_time import Clock, run_without_waiting

CHOICE = {"message": {"role": "assistant", "content": "Answer: 1"}, "finish_reason": "stop"}
USAGE = {"prompt_tokens": 100, "completion_tokens": 5}


@dataclass
class CountingLoad:
    """Answers calls after some time, and refuses those beyond a number at once."""

    seconds: float
    takes: int = 10**6
    in_flight: int = 0
    answered: int = 0
    refused: int = 0
    before: dict[int, int] = field(default_factory=dict)  # calls in flight -> answered until then

    async def handle(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        if self.in_flight >= self.takes:
            self.refused += 1
            return web.json_response({"error": {"message": "too many"}}, status=429)
        self.in_flight += 1
        self.before.setdefault(self.in_flight, self.answered)
        await asyncio.sleep(self.seconds)
        self.in_flight -= 1
        self.answered += 1
        return web.json_response({"choices": [CHOICE], "usage": USAGE})


async def _ask(load: CountingLoad, calls: int) -> None:
    async with serving(load.handle) as address:
        pool = ClientPool(base_url=address)
        client = pool.client("vllm", "any")
        hello = Request((Message("user", ("Hello!",)),))
        async with pool.session(NoJournal()):
            asks = (client.ask(CallKey(f"match {i}", 0, "1", ""), hello) for i in range(calls))
            await asyncio.gather(*asks)


@pytest.mark.heavy
def test_a_server_without_limits_soon_has_all_calls_that_it_may_have() -> None:
    """The first three calls go ahead; then come 8, 64 and 256 at once.  It took 800 answers."""
    load = CountingLoad(seconds=1.0)

    asyncio.run(_ask(load, 1_000))

    assert 1_000 == load.answered
    assert load.before[8] <= 12
    assert load.before[64] <= 100
    assert load.before[256] <= 200


@pytest.mark.heavy
@pytest.mark.parametrize("takes", [8, 20, 65])
def test_a_server_that_refuses_calls_has_all_that_it_takes(takes: int) -> None:
    """How few it refuses depends on the machine too: `make bench` measures that over connections,
    and `test_concurrency.py` bounds it for simulated servers.
    """
    load = CountingLoad(0.3, takes)

    asyncio.run(_ask(load, 300))

    assert 300 == load.answered
    assert load.refused > 0
    assert takes == max(load.before)


def test_a_refused_call_is_not_made_again_before_the_server_allows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And holds back no other call.  Its own pause would be over within a second."""
    clock, texts = Clock(), list[str]()
    monkeypatch.setattr(pool, "RateLimiter", partial(RateLimiter, now=clock))

    async def handle(request: web.Request) -> web.StreamResponse:
        text = (await request.json())["messages"][0]["content"]
        texts.append(text)
        if text == "Busy?" and clock() < 40:
            error = {"error": {"message": "too many"}}
            return web.json_response(error, status=429, headers={"Retry-After": "40"})
        return web.json_response({"choices": [CHOICE], "usage": USAGE})

    async def scene() -> None:
        async with serving(handle) as address:
            clients = ClientPool(base_url=address)
            client = clients.client("vllm", "any")

            async def ask(text: str) -> None:
                await client.ask(CallKey(text, 0, "1", ""), Request((Message("user", (text,)),)))

            async with clients.session(NoJournal()):
                await ask("First")
                busy = asyncio.create_task(ask("Busy?"))
                await asyncio.sleep(5)
                await ask("Other")
                await busy

    run_without_waiting(clock, scene())

    assert ["First", "Busy?", "Other", "Busy?"] == texts
