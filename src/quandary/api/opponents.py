"""The players of the seats that are not the learner's: strategies and programs."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.core.errors import UserError
from quandary.matches.engine import Match
from quandary.matches.player import (
    Forfeit,
    InstantSitting,
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
Sittings = dict[Seat, InstantSitting]


def programs_among(players: Sequence[str]) -> dict[str, Program]:
    """The programs of some players, by name; UserError if one cannot be read."""
    return {name: read_program(name) for name in players if is_program(name)}


class Opponents:
    """Play a match at their seats.

    Programs run in processes that end with the match and with this object, and begin when they are
    first asked: one that takes over a match is given its earlier turns again.
    """

    def __init__(
        self, match: Match, spec: Spec, players: Sequence[str], programs: Mapping[str, Program]
    ) -> None:
        self.match, self.programs = match, programs
        self.pool = _pool() if programs else None
        self.sittings = Sittings()
        for seat, name in enumerate(players):
            if name != LEARNER:
                sitting = self._player(name, spec).sit(seat, seat_luck(match.name, seat))
                assert is_instant(sitting)
                self.sittings[seat] = sitting
        if self.pool:
            resume(match, self.sittings.items())
            weakref.finalize(self, _end, self.sittings, self.pool)

    def level(self, before: str) -> str:
        """How well programs are locked in, "" if none plays; `before` is how they were until now.

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
        while turns := [turn for seat, turn in self.match.turns.items() if seat in self.sittings]:
            for turn in turns:
                self._play(turn)
        if self.match.ending is not None:
            self.close()

    def close(self) -> None:
        """End all processes; those that are needed again are as they were."""
        if self.pool:
            if self.match.ending is None:
                resume(self.match, self.sittings.items())
            _end(self.sittings, self.pool)

    def _player(self, name: str, spec: Spec) -> Player:
        start = self.match.start
        if self.pool is None or name not in self.programs:
            return strategy_player(name, start, spec.level)
        from quandary.programs.player import ProgramPlayer

        return ProgramPlayer(self.programs[name], self.pool, start, shared=False)

    def _play(self, turn: Turn) -> None:
        try:
            reply = self.sittings[turn.seat].answer(turn)
        except Forfeit as failure:
            self.match.fail(turn.seat, failure)
        except BaseException:  # such as Ctrl-C while a program thinks, which may still answer
            self.close()
            raise
        else:
            self.match.hear(turn.seat, reply)


def _pool() -> ProgramPool:
    """Processes of one session alone: sessions may be used in several threads."""
    from quandary.programs.pool import ProgramPool

    return ProgramPool()


def _end(sittings: Sittings, pool: ProgramPool) -> None:
    for sitting in filter(holds_something, sittings.values()):
        sitting.close()
    pool.close()
