"""Clocks for players.

Built-in strategies have budgets, and a clock only where a suite sets one.
"""

from __future__ import annotations

import asyncio
from time import perf_counter

from quandary.core.contract import Seat
from quandary.matches.player import (
    Forfeit,
    InstantSeatedPlayer,
    Player,
    Reply,
    SeatedPlayer,
    Turn,
    is_instant,
    takes_time,
)


class Clocked:
    """A player with a number of seconds for the whole match; exceeding it loses."""

    def __init__(self, player: Player, seconds: float) -> None:
        self.player, self.seconds, self.name = player, seconds, player.name

    def take_seat(self, seat: Seat, luck: str) -> ClockedSeatedPlayer | ClockedInstantSeatedPlayer:
        seated = self.player.take_seat(seat, luck)
        clock = Clock(self.seconds)
        if takes_time(seated):
            return ClockedSeatedPlayer(seated, clock)
        assert is_instant(seated)
        return ClockedInstantSeatedPlayer(seated, clock)


class Clock:
    """The seconds a seat has left."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def take(self, reply: Reply, begun: float) -> Reply:
        """Return the reply with the seconds it took; Forfeit if the time is over."""
        taken = perf_counter() - begun
        self.left -= taken
        if self.left < 0:  # also for players that block the event loop
            raise Forfeit("timeout", reply.words or reply.answer, taken, reply.tokens)
        return reply._replace(seconds=taken)


class ClockedSeatedPlayer:
    def __init__(self, seated: SeatedPlayer, clock: Clock) -> None:
        self.seated, self.clock = seated, clock

    async def act(self, turn: Turn) -> Reply:
        begun = perf_counter()
        try:
            async with asyncio.timeout(self.clock.left) as limit:
                reply = await self.seated.act(turn)
        except TimeoutError:
            if not limit.expired():  # the player's own timeout, such as a lost connection
                raise
            raise Forfeit("timeout", seconds=perf_counter() - begun) from None
        return self.clock.take(reply, begun)

    async def leave(self) -> None:
        await self.seated.leave()


class ClockedInstantSeatedPlayer:
    def __init__(self, seated: InstantSeatedPlayer, clock: Clock) -> None:
        self.seated, self.clock = seated, clock

    def answer(self, turn: Turn) -> Reply:
        begun = perf_counter()
        return self.clock.take(self.seated.answer(turn), begun)
