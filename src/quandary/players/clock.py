"""Clocks for players.

Built-in strategies have budgets, and a clock only where a suite sets one.
"""

from __future__ import annotations

import asyncio
from time import perf_counter

from quandary.core.contract import Seat
from quandary.matches.player import (
    Forfeit,
    InstantSitting,
    Player,
    Reply,
    Sitting,
    Turn,
    is_instant,
    takes_time,
)


class Clocked:
    """A player with a number of seconds for the whole match; exceeding it loses."""

    def __init__(self, player: Player, seconds: float) -> None:
        self.player, self.seconds, self.name = player, seconds, player.name

    def sit(self, seat: Seat, luck: str) -> ClockedSitting | ClockedInstantSitting:
        sitting = self.player.sit(seat, luck)
        clock = Clock(self.seconds)
        if takes_time(sitting):
            return ClockedSitting(sitting, clock)
        assert is_instant(sitting)
        return ClockedInstantSitting(sitting, clock)


class Clock:
    """The seconds a seat has left."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def take(self, reply: Reply, begun: float) -> Reply:
        """The reply with the seconds it took; Forfeit if the time is over."""
        taken = perf_counter() - begun
        self.left -= taken
        if self.left < 0:  # also for players that block the event loop
            raise Forfeit("timeout", reply.words or reply.answer, taken, reply.tokens)
        return reply._replace(seconds=taken)


class ClockedSitting:
    def __init__(self, sitting: Sitting, clock: Clock) -> None:
        self.sitting, self.clock = sitting, clock

    async def act(self, turn: Turn) -> Reply:
        begun = perf_counter()
        try:
            async with asyncio.timeout(self.clock.left) as limit:
                reply = await self.sitting.act(turn)
        except TimeoutError:
            if not limit.expired():  # the player's own timeout, such as a lost connection
                raise
            raise Forfeit("timeout", seconds=perf_counter() - begun) from None
        return self.clock.take(reply, begun)

    async def leave(self) -> None:
        await self.sitting.leave()


class ClockedInstantSitting:
    def __init__(self, sitting: InstantSitting, clock: Clock) -> None:
        self.sitting, self.clock = sitting, clock

    def answer(self, turn: Turn) -> Reply:
        begun = perf_counter()
        return self.clock.take(self.sitting.answer(turn), begun)
