"""Clocks, for players who take time.  Built-in strategies have budgets, and a clock only where a suite sets one."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter

from quandary.core.contract import Seat
from quandary.core.player import Forfeit, Player, Reply, Sitting, Turn


class Clocked:
    """Seats a player with so many seconds for the whole match; overrunning them loses it."""

    def __init__(self, player: Player, seconds: float) -> None:
        self.player, self.seconds, self.name = player, seconds, player.name

    def sit(self, seat: Seat, rng: Random) -> ClockedSitting:
        return ClockedSitting(self.player.sit(seat, rng), self.seconds)


class ClockedSitting:
    def __init__(self, sitting: Sitting, seconds: float) -> None:
        self.sitting, self.left, self.instant = sitting, seconds, sitting.instant

    async def act(self, turn: Turn) -> Reply:
        begun = perf_counter()
        try:
            async with asyncio.timeout(None if self.instant else self.left) as clock:
                reply = await self.sitting.act(turn)
        except TimeoutError:
            if not clock.expired():  # the player's own affair, such as a line that was cut
                raise
            raise Forfeit("timeout", seconds=perf_counter() - begun) from None
        taken = perf_counter() - begun
        self.left -= taken
        if self.left < 0:  # a player that never lets go of the thread is late all the same
            raise Forfeit("timeout", reply.words or reply.answer, taken, reply.tokens)
        return reply._replace(seconds=taken)

    async def leave(self) -> None:
        await self.sitting.leave()
