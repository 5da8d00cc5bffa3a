"""The fault server in a thread of its own, for code that runs a loop of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from threading import Event, Thread
from typing import Any

from fault_server import FaultServer, fault_server

LEGAL = re.compile(r"^Legal moves here, in no order: (.*)$", re.MULTILINE)


@contextmanager
def served(shares: Mapping[str, float] | None = None, **settings: Any) -> Iterator[FaultServer]:
    """A server that lives as long as the block."""
    ready, found = Event(), list[FaultServer]()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def live() -> None:
        async with fault_server(shares, **settings) as server:
            found.append(server)
            ready.set()
            await over.wait()
        left = asyncio.all_tasks() - {asyncio.current_task()}  # answers that never end
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    thread = Thread(target=loop.run_until_complete, args=(live(),), daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield found[0]
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(20)
        loop.close()


def some_move(body: Mapping[str, Any]) -> str:
    """One of the legal moves that are listed, by a digest of everything that was asked: always the
    same for the same call.
    """
    text = str(body["messages"])
    listed = LEGAL.findall(str(body["messages"][-1]["content"]))
    moves = listed[-1].split("; ") if listed else ["none"]
    move = moves[int(sha256(text.encode()).hexdigest(), 16) % len(moves)]
    return f"It must be so.\n```\n{move}\n```"
