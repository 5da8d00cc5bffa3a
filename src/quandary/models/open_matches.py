"""Limits the matches that a run with a budget plays at once to those it can pay for.

Otherwise a run that is stopped by its budget would have paid for the beginnings of all its matches
and finished few.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

LONG_MATCH = 50  # calls that a match is assumed to take until some are over
SOME = 8  # the first ones to end are the short ones


class OpenMatches:
    """The matches that are being played, and what each has cost, as shares of the budget."""

    def __init__(self, share_left: Callable[[], float]) -> None:
        self.share_left = share_left
        self.paid = dict[str, float]()  # by open matches so far
        self.largest_call = self.largest_match = 0.0
        self.finished = 0  # matches that have cost something
        self.queue: deque[tuple[str, asyncio.Event]] = deque()
        self.run_is_over = False

    @asynccontextmanager
    async def play(self, match: str) -> AsyncIterator[None]:
        """Wraps a match; begins when it can be paid for, or when no other is open."""
        turn = asyncio.Event()
        self.queue.append((match, turn))
        self._admit()
        try:
            await turn.wait()
            yield
            self.finished += self.paid[match] > 0
            self.largest_match = max(self.largest_match, self.paid[match])
        finally:
            if turn.is_set():
                del self.paid[match]
            else:
                self.queue.remove((match, turn))
            self._admit()

    def pay(self, match: str, share: float) -> None:
        """Count a call."""
        self.largest_call = max(self.largest_call, share)
        if match in self.paid:
            self.paid[match] += share
        self._admit()

    def release_all(self) -> None:
        """Let every match begin: the run is over, and each call will be refused."""
        self.run_is_over = True
        self._admit()

    def _is_affordable(self) -> bool:
        """An open match is assumed to cost as much as the most expensive one so far."""
        if self.run_is_over or not self.paid:
            return True
        if not self.largest_call:  # nothing is known yet
            return False
        whole = self.largest_match if self.finished >= SOME else LONG_MATCH * self.largest_call
        needed = sum(max(self.largest_call, whole - paid) for paid in self.paid.values())
        return needed + whole <= self.share_left()

    def _admit(self) -> None:
        while self.queue and self._is_affordable():
            match, turn = self.queue.popleft()
            self.paid[match] = 0.0
            turn.set()
