"""A model server that the user runs: whether it is there, and how many calls it takes at once.

A provider's server that cannot be reached will come back, so calls to it are retried for minutes.
Nobody but the user starts their own server again, so they are told at once.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Protocol

from quandary.core.errors import UserError

from .provider import ProviderError
from .rate_limiter import RateLimiter

PATIENCE = 6.0  # seconds in which a server must answer, or be there again
PAUSE = 0.3  # seconds between attempts to reach it
TRIES = 3  # attempts to ask a server that accepts connections
LOW_START = 4  # calls in flight at first, if a server does not say how many it takes


class Reachable(Protocol):
    """The parts of a server that have to be known."""

    base_url: str

    async def slots(self, timeout: float) -> int | None:
        """Return how many calls it takes at once, if it says so; ProviderError if it does not
        answer.
        """

    async def listens(self, timeout: float) -> bool:
        """Return whether it accepts connections."""


class SelfHostedServer:
    """One server, checked before the first call to it and after calls that failed."""

    def __init__(self, server: Reachable, limiter: RateLimiter, *, ask_slots: bool) -> None:
        self.server, self.limiter, self.ask_slots = server, limiter, ask_slots
        self.checks = asyncio.Lock()
        self.is_known = False
        self.seen_at = 0.0  # when it was last known to be there
        self.is_gone: UserError | None = None  # then nobody asks again

    async def check_once(self) -> None:
        """Raise UserError before the first call if the server does not answer."""
        if self.is_known:
            return
        async with self.checks:
            if not self.is_known and not self.is_gone:
                await self._ask_slots()
            self._raise_if_gone()

    async def check_again(self) -> None:
        """Raise UserError after a call without an answer if the server is gone.

        It may be busy, so it is enough that it accepts connections.
        """
        asked = monotonic()
        async with self.checks:
            while self.seen_at < asked and not self.is_gone:
                await self._look_for_it(asked + PATIENCE)
            self._raise_if_gone()

    async def _ask_slots(self) -> None:
        """Ask a few times: a server may drop a connection, and one that drops them all may still
        answer calls.
        """
        slots = None
        for _ in range(TRIES):
            try:
                slots = await self.server.slots(PATIENCE)
                break
            except ProviderError as error:
                if error.timed_out or not await self.server.listens(PATIENCE):
                    self.is_gone = UserError(
                        f"{error}; start the server, or give its address with --base-url."
                    )
                    return
            await asyncio.sleep(PAUSE)
        self.is_known = True
        if slots and self.ask_slots:
            self.limiter.concurrency.start_at(slots)

    async def _look_for_it(self, deadline: float) -> None:
        if await self.server.listens(PATIENCE):
            self.seen_at = monotonic()
        elif monotonic() < deadline:
            await asyncio.sleep(PAUSE)
        else:
            self.is_gone = UserError(
                f"the server at {self.server.base_url} is gone; start it again, and the same "
                f"command continues the run."
            )

    def _raise_if_gone(self) -> None:
        if self.is_gone:
            raise self.is_gone
