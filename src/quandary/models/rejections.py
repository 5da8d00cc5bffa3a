"""Rejections: answers such as 400, which no retry changes.

A server that rejects what it is sent (an unsupported setting, say) rejects it in every match.  So
equal rejections before the first reply of a model end the run, and until a call has ended otherwise
only as many calls are in flight as may be rejected.  After a reply, a rejection concerns its own
match alone.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

MOST_EQUAL = 3
MOST = 10  # of any kind: some servers repeat parts of the prompt, so that no two are equal
PATIENCE = 2.0  # seconds; a call that takes longer is being answered, not rejected
VARYING = re.compile(r"\S*\d\S*")  # numbers, times and identifiers of requests


class Rejections:
    """The rejections of one model's calls in this session."""

    def __init__(self) -> None:
        self._counts = Counter[str]()
        self._in_flight = 0
        self._open = False  # whether calls are no longer held back
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    def count(self, message: str) -> bool:
        """Count a rejection, and return whether it is one too many."""
        kind = VARYING.sub("#", message)
        self._counts[kind] += 1
        return self._counts[kind] >= MOST_EQUAL or self._counts.total() >= MOST

    @property
    def hold_back(self) -> bool:
        """Whether calls may have to wait in `call_in_flight`."""
        return not self._open

    def let_all_through(self) -> None:
        """A call ended otherwise than rejected, or the run ends."""
        if not self._open:
            self._open = True
            self._changed.set()

    @asynccontextmanager
    async def call_in_flight(self, *, answered: bool, rejected: bool) -> AsyncIterator[None]:
        """Wraps a call, and holds it back until it may be sent.

        `answered` and `rejected`: whether calls of the run were, earlier sessions included.
        """
        if not self._timer and not rejected:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(PATIENCE, self._run_out_of_patience)
        while not (answered or self._open or self._in_flight < self._allowed()):
            self._changed.clear()
            await self._changed.wait()
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1
            self._changed.set()

    def _allowed(self) -> int:
        return MOST_EQUAL - max(self._counts.values(), default=0)

    def _run_out_of_patience(self) -> None:
        if not self._counts:
            self.let_all_through()
