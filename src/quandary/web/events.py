"""Streams of events: each tells a browser which of its pages should look again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from contextlib import suppress

from aiohttp import web

from .tables import Table

BEAT = 20.0  # seconds between signs of life
MOST_TOPICS = 50  # of one browser
GROWTH = 2.0  # seconds between looks at runs


class Streams:
    """Who listens to what; a topic is "m.ID", "m.ID.SEAT" or "r.RUN"."""

    def __init__(self) -> None:
        self._listeners = dict[str, set[Listener]]()

    def tell(self, table: Table) -> None:
        """A match has changed, at least for some."""
        for seat in (None, *range(len(table.players))):
            topic = f"m.{table.id}" if seat is None else f"m.{table.id}.{seat}"
            if listeners := self._listeners.get(topic):
                version = table.version(seat)
                for listener in listeners:
                    listener.note(topic, version)

    async def send(
        self,
        request: web.Request,
        listener: Listener,
        topics: Iterable[str],
        version: Callable[[str], str],
    ) -> web.StreamResponse:
        """Tell of changes until the browser is gone; `version` is that of a topic now."""
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        )
        await response.prepare(request)
        wanted = list(topics)
        for topic in wanted:
            self._listeners.setdefault(topic, set()).add(listener)
            listener.note(topic, version(topic))
        runs = [topic for topic in wanted if topic.startswith("r.")]
        try:
            await self._send(response, listener, runs, version)
        except (ConnectionResetError, asyncio.CancelledError):
            pass
        finally:
            for topic in wanted:
                self._listeners[topic].discard(listener)
                if not self._listeners[topic]:
                    del self._listeners[topic]
        return response

    async def _send(
        self,
        response: web.StreamResponse,
        listener: Listener,
        runs: list[str],
        version: Callable[[str], str],
    ) -> None:
        idle = 0.0
        while not listener.is_closed:
            for topic, now in listener.taken().items():
                data = json.dumps({"topic": topic, "version": now})
                await response.write(f"data: {data}\n\n".encode())
                idle = 0.0
            pause = GROWTH if runs else BEAT
            with suppress(TimeoutError):
                await asyncio.wait_for(listener.changed.wait(), pause)
                continue
            for topic in runs:
                listener.note(topic, version(topic))
            idle += pause
            if idle >= BEAT:
                await response.write(b": still here\n\n")
                idle = 0.0

    @property
    def count(self) -> int:
        return len(set().union(*self._listeners.values()))


class Listener:
    """What one stream still has to tell: of each topic the last version."""

    def __init__(self) -> None:
        self.is_closed = False
        self.changed = asyncio.Event()
        self._known = dict[str, str]()
        self._new = dict[str, str]()

    def close(self) -> None:
        """End the stream."""
        self.is_closed = True
        self.changed.set()

    def note(self, topic: str, version: str) -> None:
        if self._known.get(topic) != version:
            self._known[topic] = self._new[topic] = version
            self.changed.set()

    def taken(self) -> dict[str, str]:
        self.changed.clear()
        found, self._new = self._new, {}
        return found
