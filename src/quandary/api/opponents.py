"""The players of the seats that are not the learner's: strategies and programs."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.matches.match import Match
from quandary.matches.player import (
    Forfeit,
    InstantSeatedPlayer,
    Player,
    Turn,
    holds_something,
    is_instant,
    seat_luck,
)
from quandary.matches.remembering import resume
from quandary.players.strategy import strategy_player
from quandary.programs.library import Program, is_program, read_program

if TYPE_CHECKING:
    from quandary.programs.pool import ProgramPool

LEARNER = "learner"  # the name of an open seat in records
SeatedPlayers = dict[Seat, InstantSeatedPlayer]


def programs_among(players: Sequence[str]) -> dict[str, Program]:
    """Return the programs of some players, by name; UserError if one cannot be read."""
    return {name: read_program(name) for name in players if is_program(name)}


class Opponents:
    """Players of the seats that are not the learner's.

    Programs run in processes that end with the match and with this object, and begin when they are
    first asked: one that takes over a match is given its earlier turns again.
    """

    def __init__(
        self, match: Match, spec: Spec, players: Sequence[str], programs: Mapping[str, Program]
    ) -> None:
        self.match, self.programs = match, programs
        self.pool = _pool() if programs else None
        self.seated_players = SeatedPlayers()
        for seat, name in enumerate(players):
            if name != LEARNER:
                seated = self._player(name, spec).take_seat(seat, seat_luck(match.name, seat))
                assert is_instant(seated)
                self.seated_players[seat] = seated
        if self.pool:
            resume(match, self.seated_players.items())
            weakref.finalize(self, _end, self.seated_players, self.pool)

    def level(self, before: str) -> str:
        """Return how well programs are sandboxed, "" if none plays; `before` is how they were until
        now.

        UserError if they are not, or if they would go on in another Python.
        """
        now = self.pool.level if self.pool and self.match.ending is None else before
        if before and "wasm" in (now, before) and now != before:
            raise UserError(
                f"the programs of this match have played in the sandbox {before!r} and cannot go "
                f"on in {now!r}; go on where it began, or begin another match."
            )
        return now

    def play(self) -> None:
        """Move until another seat is awaited, or the match is over."""
        while turns := [
            turn for seat, turn in self.match.turns.items() if seat in self.seated_players
        ]:
            for turn in turns:
                self._play(turn)
        if self.match.ending is not None:
            self.close()

    def close(self) -> None:
        """End all processes; those that are needed again are as they were."""
        if self.pool:
            if self.match.ending is None:
                resume(self.match, self.seated_players.items())
            _end(self.seated_players, self.pool)

    def _player(self, name: str, spec: Spec) -> Player:
        start = self.match.start
        if self.pool is None or name not in self.programs:
            return strategy_player(name, start, spec.level)
        from quandary.programs.player import ProgramPlayer

        return ProgramPlayer(self.programs[name], self.pool, start, shared=False)

    def _play(self, turn: Turn) -> None:
        try:
            reply = self.seated_players[turn.seat].answer(turn)
        except Forfeit as failure:
            self.match.fail(turn.seat, failure)
        except BaseException:  # such as Ctrl-C while a program thinks, which may still answer
            self.close()
            raise
        else:
            self.match.receive(turn.seat, reply)


def _pool() -> ProgramPool:
    """Return processes for this session alone: sessions may be used in several threads."""
    from quandary.programs.pool import ProgramPool

    return ProgramPool()


def _end(seated_players: SeatedPlayers, pool: ProgramPool) -> None:
    for seated in filter(holds_something, seated_players.values()):
        seated.close()
    pool.close()
