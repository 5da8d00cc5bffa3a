"""A clock that ran out is remembered, and the same match then ends as it did, at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from programs.asking import player
from quandary.catalogue import drawing
from quandary.matches.drivers import play_match, play_now
from quandary.matches.player import Player
from quandary.matches.record import Record
from quandary.players.strategy import strategy_player
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.pool import ProgramPool
from quandary.programs.sandbox.seccomp import reason_missing

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

LOOP = player("while True: pass")
# Plays its smallest cards, until it has few left.
LATER = player(
    """
hand = view["hands"][view["seat"]]
while len(hand) < 13: pass
return min(hand)
"""
)


def _instantly(players: list[Player], spec: str) -> Record:
    return play_now(drawing.game(spec), players, spec)


def _waiting(players: list[Player], spec: str) -> Record:
    for each in players:
        if isinstance(each, ProgramPlayer):
            each.waits = True
    return asyncio.run(play_match(drawing.game(spec), players, spec))


both = pytest.mark.parametrize("play", [_instantly, _waiting])


def _played(
    play: Callable[..., Record],
    pool: ProgramPool,
    code: str,
    spec: str = "card_nim/easy#7",
    seconds: float = 0.1,
    name: str = "looping",
) -> Record:
    game = drawing.game(spec)
    own = ProgramPlayer(Program(f"program/{name}.py", code, name), pool, game, seconds=seconds)
    seated: list[Player] = [own, strategy_player("random", game)]
    return play(seated, spec)


@both
@pytest.mark.parametrize("code", [LOOP, LATER], ids=["at once", "later"])
def test_it_is_recorded_like_the_first_one(play: Callable[..., Record], code: str) -> None:
    """Also of an equal program with another name, and as in a pool that remembers nothing."""
    pool, other = ProgramPool(), ProgramPool()
    try:
        first, again = (_played(play, pool, code) for _ in range(2))
        assert ("timeout", 0) == (first.cause, first.offender)
        assert first == again == _played(play, other, code)
        renamed = _played(play, pool, code, name="equal")
        assert first == replace(renamed, players=first.players)
        assert 1 == len(pool.timeouts)
    finally:
        pool.close()
        other.close()


@both
def test_no_process_is_started_for_it(play: Callable[..., Record]) -> None:
    """It is another match with other luck, another clock or another program."""
    pool = ProgramPool()
    try:
        started = []
        for how in (
            {},
            {},
            {"seconds": 0.2},
            {"spec": "card_nim/easy#8"},
            {"code": LOOP + "#"},
            {"seconds": 0.2},
        ):
            record = _played(play, pool, **{"code": LOOP, **how})  # type: ignore[arg-type]
            assert f"more than {how.get('seconds', 0.1)} s" == record.said[-1].words
            assert pool._sandbox
            started.append(pool._sandbox.asked)
        assert [1, 1, 2, 3, 4, 4] == started
    finally:
        pool.close()
