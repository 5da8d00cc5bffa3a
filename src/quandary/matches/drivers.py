"""Drivers: they seat players at a match, ask for the awaited replies, and pass them to the match.

This is the only place that catches what a player's code raises: that player loses its match, and
no other match is affected.
"""

from __future__ import annotations

import logging
from asyncio import gather
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from quandary.core.contract import Game, Seat

from .engine import ATTEMPTS, Match
from .player import (
    Forfeit,
    InstantSitting,
    Player,
    Sitting,
    Turn,
    checked,
    holds_something,
    is_instant,
    seat_luck,
    takes_time,
)
from .record import Record

PLAYERS_FAULTS = (Exception, SystemExit)  # what may come out of a player's code
log_of_faults = logging.getLogger(__name__)


async def play_match(
    start: Game,
    players: Sequence[Player],
    name: str,
    *,
    attempts: int = ATTEMPTS,
    count_unreadable: bool = False,
    repeat: int = 0,
) -> Record:
    """Play `start` to its end.

    `name` determines the luck of the match, so it is the same for all players.
    """
    match = Match(start, name, attempts, count_unreadable)
    await play_to_end(match, players, repeat)
    return match.record([player.name for player in players], repeat)


async def play_to_end(match: Match, players: Sequence[Player], repeat: int = 0) -> None:
    """Seat the players at a new match and play it; after a StopRun it is as far as it came."""
    sittings = seated(match, players, repeat)
    try:
        if all(map(is_instant, sittings)):
            return play_at_once(match, sittings)  # type: ignore[arg-type]
        await play_on(match, sittings)
    finally:
        await leave(sittings)


async def play_on(match: Match, sittings: Sequence[Sitting | InstantSitting]) -> None:
    """Play a match from where it is to its end; TakeBack if a player takes back moves."""
    while turns := match.turns:
        await _round(match, sittings, turns.values())


async def leave(sittings: Iterable[Sitting | InstantSitting]) -> None:
    """Tell players that their match is over."""
    for sitting in sittings:
        if takes_time(sitting):
            with suppress(*PLAYERS_FAULTS):  # the match is over, so errors change nothing
                await sitting.leave()
        elif holds_something(sitting):
            with suppress(*PLAYERS_FAULTS):
                sitting.close()


def play_now(
    start: Game, players: Sequence[Player], name: str, *, attempts: int = ATTEMPTS, repeat: int = 0
) -> Record:
    """Play a match among players who all answer at once, without an event loop."""
    match = Match(start, name, attempts)
    sittings = seated(match, players, repeat)
    if not all(map(is_instant, sittings)):
        raise ValueError(f"{name}: a player takes time to answer; use play_match")
    try:
        play_at_once(match, sittings)  # type: ignore[arg-type]
    finally:
        for sitting in filter(holds_something, sittings):
            sitting.close()
    return match.record([player.name for player in players], repeat)


def seated(
    match: Match, players: Sequence[Player], repeat: int = 0
) -> list[Sitting | InstantSitting]:
    """The players at their seats; a player that raises an error here has lost."""
    if len(players) != match.start.seats:
        raise ValueError(
            f"{match.name} has {match.start.seats} seats, but {len(players)} players came"
        )
    sittings: list[Sitting | InstantSitting] = []
    for seat, player in enumerate(players):
        try:
            sittings.append(player.sit(seat, seat_luck(match.name, seat, repeat)))
        except PLAYERS_FAULTS as fault:
            _failed(match, seat, fault)
            break
    return sittings


def turns(match: Match) -> Iterator[Turn]:
    """The awaited turns until the match is over, for code that passes in each reply itself.

    Errors of that code are not caught: they are not a player's.
    """
    while pending := match.pending():
        yield from pending.values()


def play_at_once(match: Match, sittings: Sequence[InstantSitting]) -> None:
    """Play on to the end among players who answer at once."""
    while turns := match.turns:
        for seat, turn in turns.items():
            try:
                reply = checked(sittings[seat].answer(turn))
            except PLAYERS_FAULTS as fault:
                _failed(match, seat, fault)
            else:
                match.take(seat, reply)


async def _round(
    match: Match, sittings: Sequence[Sitting | InstantSitting], turns: Iterable[Turn]
) -> None:
    """Get one reply from each awaited seat; players that take time run concurrently."""
    waiting: list[Coroutine[Any, Any, None]] = []
    for turn in turns:
        sitting = sittings[turn.seat]
        if is_instant(sitting):
            _answer(match, sitting, turn)
        elif takes_time(sitting):
            waiting.append(_ask(match, sitting, turn))
    if len(waiting) == 1:
        await waiting[0]
    elif waiting:
        # All are awaited, even if one stops the run.
        for failure in await gather(*waiting, return_exceptions=True):
            if failure:
                raise failure


def _answer(match: Match, sitting: InstantSitting, turn: Turn) -> None:
    try:
        reply = checked(sitting.answer(turn))
    except PLAYERS_FAULTS as fault:
        return _failed(match, turn.seat, fault)
    return match.take(turn.seat, reply)


async def _ask(match: Match, sitting: Sitting, turn: Turn) -> None:
    """Ask one seat until a reply is accepted, independently of the other seats."""
    again: Turn | None = turn
    while again:
        try:
            reply = checked(await sitting.act(again))
        except PLAYERS_FAULTS as fault:
            return _failed(match, turn.seat, fault)
        match.take(turn.seat, reply)
        again = match.turns.get(turn.seat)
        again = again if again and again.refused else None
    return None


def _failed(match: Match, seat: Seat, fault: BaseException) -> None:
    match.fail(seat, fault)
    if not isinstance(fault, Forfeit):
        log_of_faults.warning("seat %d of %s raised %s", seat, match.name, match.said[-1].words)
