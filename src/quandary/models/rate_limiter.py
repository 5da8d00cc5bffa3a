"""How many calls may be under way at once: more and more until the server refuses, then half, then slowly more again."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic

ENOUGH_FOR_ALL = 1e9
LONGEST_REST = 600.0  # seconds a server is left alone at most, whatever it asks for


class Gate:
    """Lets calls through, first come, first served."""

    def __init__(self, start: int = 16, most: int = 256) -> None:
        self.limit, self.most = float(min(start, most)), most
        self.under_way = 0
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.closed_until = 0.0
        self.refused_at = 0.0  # 0: never yet
        self.timer: asyncio.TimerHandle | None = None

    async def enter(self) -> float:
        """Wait for one's turn; gives the time it came."""
        if self.waiting or not self._open():
            turn = asyncio.get_running_loop().create_future()
            self.waiting.append(turn)
            self._admit()
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():  # its turn had come just then: let the next one have it
                    self._leave()
                raise
        else:
            self.under_way += 1
        return monotonic()

    def went_well(self) -> None:
        """A call came back: another one may be tried beside it, each time until the first refusal, later now and then."""
        self.limit = min(self.most, self.limit + (1.0 if not self.refused_at else 1.0 / self.limit))
        self._leave()

    def failed(self) -> None:
        """A call came back with nothing, and not for being one too many."""
        self._leave()

    def refused(self, entered: float, wait: float | None = None) -> None:
        """The server asks for fewer calls; those that were under way at its last refusal are no news."""
        now = monotonic()
        if entered >= self.refused_at:
            self.limit, self.refused_at = max(1.0, self.limit / 2), now
        if wait:
            self.closed_until = max(self.closed_until, now + min(wait, LONGEST_REST))
        self._leave()

    def throw_open(self) -> None:
        """Let everybody through: the run is over, and each will be told so."""
        self.limit, self.closed_until = ENOUGH_FOR_ALL, 0.0
        self._admit()

    def _leave(self) -> None:
        self.under_way -= 1
        self._admit()

    def _open(self) -> bool:
        return self.under_way < int(self.limit) and monotonic() >= self.closed_until

    def _admit(self) -> None:
        while self.waiting and self._open():
            turn = self.waiting.popleft()
            if not turn.done():
                self.under_way += 1
                turn.set_result(None)
        if self.waiting and self.timer is None and monotonic() < self.closed_until:
            self.timer = asyncio.get_running_loop().call_later(self.closed_until - monotonic() + 0.001, self._reopen)

    def _reopen(self) -> None:
        self.timer = None
        self._admit()
