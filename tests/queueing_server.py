"""A chat completions server on loopback that queues, as llama.cpp, Ollama, LM Studio and vLLM do:
it answers so many calls at once, lets all others wait, and generates whatever it was asked, even if
nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from fault_server import serving


@dataclass
class QueueingServer:
    """How it works, and what it has done."""

    slots: int
    seconds: float  # per generation
    tells: bool = False  # whether it says how many slots it has, as llama.cpp does
    address: str = ""
    in_flight: int = 0
    most: int = 0  # in flight at the same time
    generations: int = 0
    answered: int = 0  # generations for which somebody waited

    def __post_init__(self) -> None:
        self.free = asyncio.Semaphore(self.slots)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        await asyncio.shield(asyncio.ensure_future(self._generate()))
        if request.transport is not None and not request.transport.is_closing():
            self.answered += 1
        choice = {"message": {"role": "assistant", "content": "Answer: 1"}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 5}
        return web.json_response({"choices": [choice], "usage": usage})

    async def _generate(self) -> None:
        async with self.free:
            await asyncio.sleep(self.seconds)
        self.in_flight -= 1
        self.generations += 1

    async def properties(self, request: web.Request) -> web.StreamResponse:
        if not self.tells:
            raise web.HTTPNotFound
        return web.json_response({"total_slots": self.slots})


@asynccontextmanager
async def queueing_server(
    slots: int, seconds: float, *, tells: bool = False
) -> AsyncIterator[QueueingServer]:
    server = QueueingServer(slots, seconds, tells)
    async with serving(server.handle, {"/props": server.properties}) as server.address:
        yield server
