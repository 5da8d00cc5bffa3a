"""What a call to a model costs beside bare aiohttp, and how soon a server has as many calls as it
takes.

Processor time of a sample, from its instance to its record, in the same process and in turns with
a loop that posts a prompt with aiohttp and reads the JSON.  The server on loopback answers at once,
or after a second; its own time is not counted.  The calls of a second are measured by the wall
clock, from the first one on.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from .limits import Limit, Measured, limit_table
from .models import in_a_process, play, server

ROUNDS, SAMPLES, AT_ONCE = 3, 500, 16
CALLS, CAP, LATENCY = 1_000, 256, 1.0
ANSWERS, TAKES = 300, 20
LONG_REPLY = 20_000  # characters
PAGE = Path(__file__).parent.parent / "README.md"  # the text of a reply, repeated
KEY = "sk-proj-Qx7vL2mN9pR4tW8yB3cF6hJ1kD5gS0aZ"

SAMPLE = Limit("a sample beside bare aiohttp in the same batch", 3.5, aim=3.0)
KEYS = Limit(f"removing keys from a reply of {LONG_REPLY:,} characters", 0.1, "ms")
TIME = Limit(f"{CALLS:,} calls of {LATENCY:g} s, {CAP} at once at most, beside the ideal time", 2.0)
CAP_REACHED = Limit(f"from 4 calls in flight to {CAP}, in latencies of a call", 3.0)
REFUSALS = Limit(f"{ANSWERS} answers of a server that takes {TAKES} calls at once", 30, "refusals")


def table() -> list[str]:
    return limit_table(measured(ROUNDS))


def measured(rounds: int) -> list[Measured]:
    """All rows, each round in processes of its own."""
    samples, keys, times, caps, refusals = ([] for _ in range(5))  # type: list[float]
    for _ in range(rounds):
        with server() as address:
            ours, bare = in_a_process("beside", address, __name__)
        samples.append(ours / bare)
        keys.append(in_a_process("removing_keys", "", __name__)[0])
        with server(LATENCY) as address:
            seconds, latencies = in_a_process("rising", address, __name__)
        times.append(seconds / (CALLS / CAP * LATENCY))
        caps.append(latencies)
        with server(LATENCY, TAKES) as address:
            refusals.append(in_a_process("refused", address, __name__)[0])
    return [
        Measured(SAMPLE, samples),
        Measured(KEYS, keys),
        Measured(TIME, times),
        Measured(CAP_REACHED, caps),
        Measured(REFUSALS, refusals),
    ]


def beside(address: str) -> tuple[float, float]:
    """Milliseconds of processor time of our sample, and of one of bare aiohttp."""
    os.environ["OPENAI_API_KEY"] = KEY
    work: list[Callable[[int], float]] = [
        lambda samples: play(address, samples, AT_ONCE).processor,
        lambda samples: _bare_processor(address, samples),
    ]
    best = [inf] * len(work)
    for each in work:
        each(50)  # imports and caches
    for _ in range(3):
        for which, each in enumerate(work):
            best[which] = min(best[which], 1000 * each(SAMPLES) / SAMPLES)
    return best[0], best[1]


def _bare_processor(address: str, samples: int) -> float:
    begun = process_time()
    asyncio.run(_bare(address, samples))
    return process_time() - begun


async def _bare(address: str, samples: int) -> None:
    import aiohttp

    body: dict[str, Any] = {"model": "any", "messages": [{"role": "user", "content": "x" * 1_500}]}
    left = iter(range(samples))
    headers = {"Authorization": f"Bearer {KEY}"}

    async def worker(session: aiohttp.ClientSession) -> None:
        for _ in left:
            async with session.post(f"{address}/chat/completions", json=body) as response:
                assert (await response.json())["choices"][0]["message"]["content"]

    async with aiohttp.ClientSession(headers=headers) as session:
        await asyncio.gather(*(worker(session) for _ in range(AT_ONCE)))


def removing_keys(address: str) -> tuple[float, float]:
    """Milliseconds of processor time to remove keys from a long reply that holds none."""
    from quandary.models.provider import Completion, Generation
    from quandary.models.providers.keys import KeyRemover

    text = (PAGE.read_text("utf-8") * 5)[:LONG_REPLY]
    remover, completion, times = KeyRemover(KEY), Completion((Generation(text),)), 50
    assert completion == remover.from_completion(completion)  # makes its search
    best = inf
    for _ in range(5):
        begun = process_time()
        for _ in range(times):
            remover.from_completion(completion)
        best = min(best, 1000 * (process_time() - begun) / times)
    return best, LONG_REPLY


def rising(address: str) -> tuple[float, float]:
    """Seconds of all calls, and latencies from four calls in flight to as many as may be."""
    asyncio.run(_ask(address, 1))  # imports
    reached = asyncio.run(_ask(address, CALLS, watched=(1, 4, CAP)))
    return monotonic() - reached[1], (reached.get(CAP, inf) - reached[4]) / LATENCY


def refused(address: str) -> tuple[float, float]:
    """Calls that were refused, and answers."""
    from quandary.models.rate_limiter import RateLimiter

    refusals, usual = 0, RateLimiter.rate_limited

    def counted(*args: Any) -> None:
        nonlocal refusals
        refusals += 1
        usual(*args)

    RateLimiter.rate_limited = counted  # type: ignore[method-assign]
    asyncio.run(_ask(address, ANSWERS))
    return refusals, ANSWERS


async def _ask(address: str, calls: int, watched: tuple[int, ...] = ()) -> dict[int, float]:
    """Make a number of calls, and return when each level of concurrency was first reached."""
    from quandary.models.calls import CallKey
    from quandary.models.journal import NoJournal
    from quandary.models.pool import ClientPool
    from quandary.models.provider import Message, Request

    pool, reached = ClientPool(base_url=address), dict[int, float]()
    client = pool.client("vllm", "any")

    async def watch() -> None:
        while len(reached) < len(watched):
            for number in watched:
                if client.limiter.in_flight >= number:
                    reached.setdefault(number, monotonic())
            await asyncio.sleep(0.005)

    hello = Request((Message("user", ("Hello!",)),))
    async with pool.session(NoJournal()):
        watching = asyncio.create_task(watch())
        asks = (client.ask(CallKey(f"match {i}", 0, "1", ""), hello) for i in range(calls))
        await asyncio.gather(*asks)
        watching.cancel()
    return reached


if __name__ == "__main__":
    print(*globals()[sys.argv[1]](sys.argv[2]))
