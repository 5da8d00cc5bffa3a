"""Trial matches: what goes wrong with a program, found on instances that the run does not play.

A program plays the house from every seat, once at each level of its puzzle in the suite.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.catalogue.splits import TRAIN, canonical_hash, is_test_only
from quandary.core.contract import Seat
from quandary.core.errors import StopRun
from quandary.core.mixins.families import family_of
from quandary.matches.drivers import play_match
from quandary.players.registry import PlayerRegistry
from quandary.programs.library import Program
from quandary.programs.player import ProgramPlayer
from quandary.programs.prompt import CLOCK, FAILURES

from .schedule import settings_in
from .suite import Suite

MOST_SEEDS = 1_000  # that are looked through for an instance that the suite does not have


class Failure(NamedTuple):
    """The failure of a program in a trial match."""

    cause: str  # one of FAILURES
    words: str  # the error and its line, or the move
    level: str
    seat: Seat


class TrialMatches:
    """Plays the trial matches of the programs of a run."""

    def __init__(self, suite: Suite, player_registry: PlayerRegistry) -> None:
        self.suite, self.player_registry = suite, player_registry
        self.instances = cache(lambda puzzle: list(self._instances(puzzle)))

    async def failure(self, puzzle: str, program: Program) -> Failure | None:
        """Return the first failure of a program; None if it has none."""
        for spec in self.instances(puzzle):
            game = drawing.as_game(drawing.instance(spec, registry.load(puzzle)))
            for seat in range(game.seats):
                if failure := await self._played(spec, seat, program):
                    return failure
        return None

    async def _played(self, spec: Spec, seat: Seat, program: Program) -> Failure | None:
        settings = settings_in(self.suite, spec)
        game = drawing.as_game(
            drawing.instance(spec, registry.load(spec.name)), tries=settings.tries
        )
        seated = [self.player_registry.find("house", game, spec)] * game.seats
        seated[seat] = ProgramPlayer(
            program,
            self.player_registry.programs,
            game,
            seconds=settings.clock or CLOCK,
            waits=True,
        )
        record = await play_match(game, seated, str(spec), attempts=settings.attempts)
        words = next((reply.words for reply in reversed(record.said) if reply.seat == seat), "")
        if record.cause == "infrastructure":
            raise StopRun(f"a trial match of a program could not be played: {words}")
        if record.cause not in FAILURES or record.offender not in (seat, None):
            return None
        return Failure(record.cause, words, drawing.level_name(spec), seat)

    def _instances(self, puzzle: str) -> Iterator[Spec]:
        """Yield one instance of each level of the suite, if there is one that it does not have."""
        levels = {spec.place: spec for spec in self.suite.specs if spec.name == puzzle}
        for spec in levels.values():
            if (found := self._other_instance(spec)) is not None:
                yield found

    def _other_instance(self, known: Spec) -> Spec | None:
        """Return an instance of training, or of a level that has none, one with another start than
        all that the suite has.
        """
        puzzle = registry.load(known.name)
        own = drawing.instance(known, puzzle)
        if not is_test_only(puzzle, known.level, family_of(own)):
            known = replace(known, split=TRAIN)
        taken = {
            canonical_hash(drawing.instance(spec, puzzle))
            for spec in self.suite.specs
            if spec.name == known.name and spec.split == known.split
        }
        seeds = (known.with_seed(seed) for seed in range(1, MOST_SEEDS + 1))
        return next(
            (
                spec
                for spec in seeds
                if not taken or canonical_hash(drawing.instance(spec, puzzle)) not in taken
            ),
            None,
        )
