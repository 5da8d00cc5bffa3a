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

from .match import ATTEMPTS, Match
from .player import (
    Forfeit,
    InstantSeatedPlayer,
    Player,
    SeatedPlayer,
    Turn,
    checked,
    holds_something,
    is_instant,
    seat_luck,
    takes_time,
)
from .record import Record

PLAYERS_FAULTS = (Exception, SystemExit)  # what a player's code may raise
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
    seated_players = take_seats(match, players, repeat)
    try:
        if all(map(is_instant, seated_players)):
            return play_at_once(match, seated_players)  # type: ignore[arg-type]
        await play_on(match, seated_players)
    finally:
        await leave(seated_players)


async def play_on(
    match: Match, seated_players: Sequence[SeatedPlayer | InstantSeatedPlayer]
) -> None:
    """Play a match from where it is to its end; TakeBack if a player takes back moves."""
    while turns := match.turns:
        await _round(match, seated_players, turns.values())


async def leave(seated_players: Iterable[SeatedPlayer | InstantSeatedPlayer]) -> None:
    """Tell players that their match is over."""
    for seated in seated_players:
        if takes_time(seated):
            with suppress(*PLAYERS_FAULTS):  # the match is over, so errors change nothing
                await seated.leave()
        elif holds_something(seated):
            with suppress(*PLAYERS_FAULTS):
                seated.close()


def play_now(
    start: Game, players: Sequence[Player], name: str, *, attempts: int = ATTEMPTS, repeat: int = 0
) -> Record:
    """Play a match among players who all answer at once, without an event loop."""
    match = Match(start, name, attempts)
    seated_players = take_seats(match, players, repeat)
    if not all(map(is_instant, seated_players)):
        raise ValueError(f"{name}: a player takes time to answer; use play_match")
    try:
        play_at_once(match, seated_players)  # type: ignore[arg-type]
    finally:
        for seated in filter(holds_something, seated_players):
            seated.close()
    return match.record([player.name for player in players], repeat)


def take_seats(
    match: Match, players: Sequence[Player], repeat: int = 0
) -> list[SeatedPlayer | InstantSeatedPlayer]:
    """Return the players at their seats; a player that raises an error here has lost."""
    if len(players) != match.start.seats:
        raise ValueError(
            f"{match.name} has {match.start.seats} seats, but {len(players)} players came"
        )
    seated_players: list[SeatedPlayer | InstantSeatedPlayer] = []
    for seat, player in enumerate(players):
        try:
            seated_players.append(player.take_seat(seat, seat_luck(match.name, seat, repeat)))
        except PLAYERS_FAULTS as fault:
            _failed(match, seat, fault)
            break
    return seated_players


def turns(match: Match) -> Iterator[Turn]:
    """Yield the awaited turns until the match is over, for code that passes in each reply itself.

    Errors of that code are not caught: they are not a player's.
    """
    while pending := match.pending():
        yield from pending.values()


def play_at_once(match: Match, seated_players: Sequence[InstantSeatedPlayer]) -> None:
    """Play on to the end among players who answer at once."""
    while turns := match.turns:
        for seat, turn in turns.items():
            try:
                reply = checked(seated_players[seat].answer(turn))
            except PLAYERS_FAULTS as fault:
                _failed(match, seat, fault)
            else:
                match.take(seat, reply)


async def _round(
    match: Match,
    seated_players: Sequence[SeatedPlayer | InstantSeatedPlayer],
    turns: Iterable[Turn],
) -> None:
    """Get one reply from each awaited seat; players that take time run concurrently."""
    waiting: list[Coroutine[Any, Any, None]] = []
    for turn in turns:
        seated = seated_players[turn.seat]
        if is_instant(seated):
            _answer(match, seated, turn)
        elif takes_time(seated):
            waiting.append(_ask(match, seated, turn))
    if len(waiting) == 1:
        await waiting[0]
    elif waiting:
        # All are awaited, even if one stops the run.
        for failure in await gather(*waiting, return_exceptions=True):
            if failure:
                raise failure


def _answer(match: Match, seated: InstantSeatedPlayer, turn: Turn) -> None:
    try:
        reply = checked(seated.answer(turn))
    except PLAYERS_FAULTS as fault:
        return _failed(match, turn.seat, fault)
    return match.take(turn.seat, reply)


async def _ask(match: Match, seated: SeatedPlayer, turn: Turn) -> None:
    """Ask one seat until a reply is accepted, independently of the other seats."""
    again: Turn | None = turn
    while again:
        try:
            reply = checked(await seated.act(again))
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
