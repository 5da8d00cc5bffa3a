"""Small programs for puzzles of all kinds: a good one plays well, and a slip has its status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from programs.small_programs import SMALL
from quandary.catalogue import drawing, registry
from quandary.core import codec
from quandary.core.contract import Game, Seat
from quandary.matches.drivers import play_now
from quandary.matches.player import InstantSeatedPlayer, Player, Reply, Turn, checked, is_instant
from quandary.matches.record import RULED, Record
from quandary.players.strategy import strategy_player
from quandary.programs.library import Program
from quandary.programs.player import CLOCK, ProgramPlayer, asked_of
from quandary.programs.pool import ProgramPool
from quandary.programs.prompt import FAILURES
from quandary.programs.sandbox.seccomp import reason_missing

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

SEEDS = range(1, 5)


@pytest.fixture(scope="module")
def pool() -> Iterator[ProgramPool]:
    pool = ProgramPool()
    yield pool
    pool.close()


def _player(pool: ProgramPool, game: Game, code: str, seconds: float = CLOCK) -> ProgramPlayer:
    return ProgramPlayer(Program("program/small.py", code, "small"), pool, game, seconds=seconds)


def _against(own: Player, spec: str, seat: Seat, opponent: str) -> Record:
    game, level = drawing.game(spec), drawing.named(spec).level
    seated: list[Player] = [strategy_player(opponent, game, level)] * game.seats
    seated[seat] = own
    return play_now(game, seated, spec)


def _matches(name: str) -> Iterator[tuple[str, Game, Seat]]:
    for seed in SEEDS:
        spec = f"{name}/{SMALL[name].level}#{seed}"
        game = drawing.game(spec)
        for seat in range(game.seats):
            yield spec, game, seat


@pytest.mark.parametrize("name", SMALL)
def test_a_good_program_plays_by_the_rules(pool: ProgramPool, name: str) -> None:
    small = SMALL[name]
    for spec, game, seat in _matches(name):
        record = _against(_player(pool, game, small.code), spec, seat, "random")
        told = [said for said in record.said if said.seat == seat]
        assert record.cause in RULED, told[-1]
        assert {"answered"} == {said.status for said in told}
        assert record.scores and (record.scores[seat] == 1.0 or not small.always_solves)


@pytest.mark.parametrize("name", SMALL)
def test_a_slip_has_its_status(pool: ProgramPool, name: str) -> None:
    """From every seat; the match is lost, and its record says by what."""
    small = SMALL[name]
    for spec, game, seat in _matches(name):
        own = _player(pool, game, small.faulty, small.seconds)
        record = _against(own, spec, seat, "random")
        last = next(said for said in reversed(record.said) if said.seat == seat)
        assert (small.cause, seat) == (record.cause, record.offender), last
        assert small.words in last.words
        assert record.scores and record.scores[seat] == 0.0


def test_slips_have_all_statuses() -> None:
    causes = {small.cause for small in SMALL.values()}
    assert {*FAILURES} == causes


# Says what it is told to say, as long as it sees what it is told that it will see.
REPLAY = """
import json
TURNS = json.loads({turns!r})

class Player:
    def __init__(self):
        self.left = iter(TURNS)

    def play(self, view):
        seen, said = next(self.left)
        assert view == seen
        return said
"""


class ReceivedReply:
    """A player, of which is noted what it sees and says."""

    def __init__(self, player: Player) -> None:
        self.player, self.name = player, player.name
        self.turns = list[tuple[Any, str]]()

    def take_seat(self, seat: Seat, luck: str) -> InstantSeatedPlayer:
        seated = self.player.take_seat(seat, luck)
        assert is_instant(seated)
        return InformedSeatedPlayer(seated, self.turns)


class InformedSeatedPlayer(NamedTuple):
    seated: InstantSeatedPlayer
    turns: list[tuple[Any, str]]

    def answer(self, turn: Turn) -> Reply:
        reply = checked(self.seated.answer(turn))
        view = json.loads(codec.seen_json(asked_of(turn.position), turn.seat))
        self.turns.append((view, reply.answer))
        return reply


@pytest.mark.parametrize("name", registry.names())
def test_a_program_that_replays_the_strongest_player_scores_like_it(
    pool: ProgramPool, name: str
) -> None:
    """Its match is the same from the first move to the last, from every seat."""
    level = next(iter(registry.load(name).levels))
    spec = f"{name}/{level}#1"
    game = drawing.game(spec)
    for seat in range(game.seats):
        received = ReceivedReply(strategy_player("oracle", game, level))
        first = _against(received, spec, seat, "random")
        code = REPLAY.format(turns=json.dumps(received.turns))
        again = _against(_player(pool, game, code), spec, seat, "random")
        assert received.turns
        assert first.scores is not None
        assert (first.scores, first.values, first.cause) == (
            again.scores, again.values, again.cause,
        ), again.said[-1]  # fmt: skip
        assert first.log == again.log
