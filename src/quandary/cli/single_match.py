"""Plays the single match of `match` and `play`, in which models and people may sit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from quandary.arena.interrupts import Interrupts
    from quandary.models.pool import ClientPool

Result = TypeVar("Result")


async def play_single(
    clients: ClientPool, interrupts: Interrupts, match: Callable[[], Awaitable[Result]]
) -> Result:
    """Play a match, whose calls are not journaled; fewer retries, because someone waits.

    A signal ends the input of people and awaits calls in flight.  UserError if a server that the
    user runs is not there, before anybody has moved.
    """
    from quandary.models.client import RetryPolicy
    from quandary.models.journal import NoJournal
    from quandary.players.keyboard import KEYBOARD

    async with clients.session(NoJournal()):
        for client in clients.clients.values():
            client.retry = RetryPolicy(tries=4)
            if client.self_hosted:
                await client.self_hosted.check_once()
        with interrupts.handled(clients, KEYBOARD.hang_up):
            return await match()
