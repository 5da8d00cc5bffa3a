"""How many calls may be in flight at once: increased until the server refuses, then halved, then
slowly increased again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic

UNLIMITED = 1e9
LONGEST_PAUSE = 600.0  # seconds to wait for a server at most, whatever it asks for


class RateLimiter:
    """Lets calls through in the order they arrive."""

    def __init__(self, start: int = 16, maximum: int = 256) -> None:
        self.limit, self.maximum = float(min(start, maximum)), maximum
        self.in_flight = 0
        self.queue: deque[asyncio.Future[None]] = deque()
        self.paused_until = 0.0
        self.limited_at = 0.0  # when the server last refused a call for load; 0: never
        self.timer: asyncio.TimerHandle | None = None

    async def acquire(self) -> float:
        """Wait until a call may be sent; returns the time."""
        if self.queue or not self._is_free():
            turn = asyncio.get_running_loop().create_future()
            self.queue.append(turn)
            self._admit()
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():  # already admitted: pass the slot on
                    self._release()
                raise
        else:
            self.in_flight += 1
        return monotonic()

    def succeeded(self) -> None:
        """A call succeeded: raise the limit by one per call before the first refusal, later by one
        per round.
        """
        step = 1.0 if not self.limited_at else 1.0 / self.limit
        self.limit = min(self.maximum, self.limit + step)
        self._release()

    def failed(self) -> None:
        """A call failed for a reason other than load."""
        self._release()

    def rate_limited(self, started: float, retry_after: float | None = None) -> None:
        """The server refused a call for load: halve the limit.

        Calls that were already in flight at the last refusal do not halve it again.
        """
        now = monotonic()
        if started >= self.limited_at:
            self.limit, self.limited_at = max(1.0, self.limit / 2), now
        if retry_after:
            self.paused_until = max(self.paused_until, now + min(retry_after, LONGEST_PAUSE))
        self._release()

    def release_all(self) -> None:
        """Let every waiting and future call through: the run is over, and each call will be
        refused.
        """
        self.limit, self.paused_until = UNLIMITED, 0.0
        self._admit()

    def _release(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _is_free(self) -> bool:
        return self.in_flight < int(self.limit) and monotonic() >= self.paused_until

    def _admit(self) -> None:
        while self.queue and self._is_free():
            turn = self.queue.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
        if self.queue and self.timer is None and monotonic() < self.paused_until:
            delay = self.paused_until - monotonic() + 0.001
            self.timer = asyncio.get_running_loop().call_later(delay, self._resume)

    def _resume(self) -> None:
        self.timer = None
        self._admit()
