"""What is checked: a level's instances, and positions of random matches from them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from quandary.core.contract import CHANCE, Game, Language, Move, Puzzle, Question, Seat
from quandary.core.mixins.objectives import reference
from quandary.core.mixins.turns import draw_of_chance, sample_of
from quandary.core.naming import name_of
from quandary.core.scene import Scene
from quandary.core.wrapper import innermost, task_of
from quandary.matches.drivers import turns
from quandary.matches.match import EndlessMatch, Match, draw
from quandary.matches.player import Reply, Turn
from quandary.tasks.question_game import QuestionGame

LONGEST = 50_000  # plies; a longer game counts as endless
CLOSELY = 12  # consecutive plies that are checked; later ones are sampled more and more sparsely
NEIGHBOURS = 20  # instances that are compared with each other
FULL_BUDGET = 3_000


class Draws(NamedTuple):
    """How much of a level is compared.  What is found must not depend on how fast a machine is."""

    instances: int
    labels: int  # of state checks, each of which takes longer than an instance
    elsewhere: int = 0  # instances that another process makes too


FEW_DRAWS, ALL_DRAWS = Draws(100, 50), Draws(2_000, 500, 20)

T = TypeVar("T")
# Is told where many instances are drawn, how many there are already, and how many there will be.
Tell: TypeAlias = Callable[[str, int, int], None]


def tell_nobody(place: str, drawn: int, of: int) -> None: ...


@dataclass
class Case:
    """One level of a puzzle under test."""

    puzzle: type[Puzzle]
    name: str
    level: str
    seeds: Sequence[int]
    make: Callable[[int], Puzzle]
    arguments: Mapping[str, Any] = field(default_factory=dict)  # of `new`, at this level
    draws: Draws = FEW_DRAWS
    tell: Tell = tell_nobody
    # How often each canonical form was drawn, by level and family; its copies share it.
    forms: dict[str, Counter[Hashable]] = field(default_factory=dict)
    # The first of the instances that were drawn for them, by seed.
    kept: dict[str, list[Puzzle]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        puzzle: type[Puzzle],
        level: str,
        seeds: Sequence[int] = range(3),
        draws: Draws = FEW_DRAWS,
        tell: Tell = tell_nobody,
    ) -> Case:
        name, arguments = name_of(puzzle), puzzle.levels.get(level, {})

        def make(seed: int) -> Puzzle:
            return puzzle.new(Random(f"{name}/{level}#{seed}"), **arguments)

        return cls(puzzle, name, level, seeds, make, arguments, draws, tell)

    @property
    def is_small(self) -> bool:
        """Whether the level is said to have few instances; for a task, that of its puzzle."""
        if task_of(self.puzzle):
            return (
                self.name.rpartition("/")[2] in type(innermost(self.starts[0])).distinct_instances
            )
        return self.level in self.puzzle.distinct_instances

    @cached_property
    def starts(self) -> list[Puzzle]:
        return [self.make(seed) for seed in self.seeds]

    @cached_property
    def games(self) -> list[Game]:
        return [as_game(start) for start in self.starts]

    @cached_property
    def questions(self) -> list[Question]:
        return [start for start in self.starts if isinstance(start, Question)]

    @cached_property
    def neighbours(self) -> list[Puzzle]:
        return [self.make(seed) for seed in range(NEIGHBOURS)]

    def drawn(self, place: str, make: Callable[[int], Puzzle], count: int) -> Iterator[Puzzle]:
        """Many instances, of which `tell` is told, because they may take long."""
        try:
            for seed in range(count):
                self.tell(place, seed, count)
                yield make(seed)
        finally:
            self.tell(place, count, count)

    def positions(self) -> list[Game]:
        """Positions of one random match per start, sampled by `thin`."""
        return [position for match in self.matches for position in match]

    @cached_property
    def matches(self) -> list[list[Game]]:
        """Sampled positions of one random match per start; each list ends where its match ended."""
        named = zip(self.seeds, self.games, strict=True)
        return [list(thin(walk(start, f"{self.name}/{seed}"))) for seed, start in named]

    @cached_property
    def drawings(self) -> list[tuple[Game, Seat, Language, Scene]]:
        """The picture that each seat sees of each position, with the view it is made from."""
        views = [
            (position.seen_by(seat), seat)
            for position in self.positions()
            for seat in range(position.seats)
        ]
        return [
            (seen, seat, language, scene)
            for seen, seat in views
            for language in seen.languages
            if (scene := seen.scene(seat, language)) is not None
        ]

    def reference(self, start: Puzzle) -> float | None:
        """Return the reference of a start, which may take long, computed once."""
        if start not in self._references:
            self._references[start] = reference(start)
        return self._references[start]

    @cached_property
    def _references(self) -> dict[Puzzle, float | None]:
        return {}

    @cached_property
    def matches_of_the_oracle(self) -> list[Match]:
        """Matches of a one-seat game's oracle, played to their ends."""
        alone = [
            start for start in self.games if start.seats == 1 and isinstance(start, self.puzzle)
        ]
        return [played_out(start, self.name) for start in alone if "oracle" in start.strategies]


def as_game(puzzle: Puzzle) -> Game:
    return QuestionGame(puzzle, tries=2) if isinstance(puzzle, Question) else puzzle  # type: ignore[return-value]


def walk(start: Game, name: str) -> Iterator[Game]:
    """Every position of one random match, also those at which chance is to move."""
    match, rng = Match(start, name), Random(name)
    yield start
    yield from _since(match, start, 0)
    for turn in turns(match):
        position, plies = match.position, len(match.log)
        match.receive(turn.seat, Reply(any_move(turn, rng)))
        yield from _since(match, position, plies)
        if plies >= LONGEST:
            raise EndlessMatch(f"a random match is not over after {LONGEST} moves")


def _since(match: Match, position: Game, plies: int) -> Iterator[Game]:
    """The positions after each move that was made since `position`."""
    made = match.log[plies:]
    for seat, move in made[:-1]:  # chance, or all but the last seat of a simultaneous round
        position = position.after(seat, move)
        yield position
    if made:
        yield match.position


def played_out(start: Game, name: str) -> Match:
    """Return a match in which the oracle takes every seat."""
    match, rng, oracle = Match(start, name), Random(name), start.strategies["oracle"]
    for turn in turns(match):
        match.receive(turn.seat, Reply(oracle(turn.position, turn.seat, rng, FULL_BUDGET)))
    return match


def thin(positions: Iterator[Game]) -> Iterator[Game]:
    """The first positions, increasingly sparse later ones, and the last two."""
    before, last, wanted = None, None, 0
    for ply, here in enumerate(positions):
        if last is not None and ply - 1 == wanted:
            yield last
            wanted += 1 if wanted < CLOSELY else max(2, wanted // 2)
        before, last = last, here
    yield from (position for position in (before, last) if position is not None)


def pick(position: Game, seat: Seat, rng: Random) -> Move:
    """Return a random move of `seat`."""
    moves = position.options()[seat]
    if seat == CHANCE:
        return draw_of_chance(position, rng) if moves is None else draw(moves, rng)
    return sample_of(position.seen_by(seat), rng) if moves is None else choose(moves, rng)


def any_move(turn: Turn, rng: Random) -> Move:
    """Return a random move of the seat whose turn it is."""
    return sample_of(turn.position, rng) if turn.options is None else choose(turn.options, rng)


def choose(moves: object, rng: Random) -> Move:
    listed: Sequence[Move] = moves if isinstance(moves, Sequence) else list(moves)  # type: ignore[call-overload]
    return listed[rng.randrange(len(listed))]


def some(moves: object, rng: Random, most: int = 24) -> list[Move]:
    """Return a few of many moves."""
    listed: Sequence[Move] = moves if isinstance(moves, Sequence) else list(moves)  # type: ignore[call-overload]
    return (
        list(listed)
        if len(listed) <= most
        else [listed[rng.randrange(len(listed))] for _ in range(most)]
    )


def twice(act: Callable[[], T]) -> tuple[T, T, bool]:
    """Return the results of `act` under two states of the global random, and whether it changes
    them.
    """
    before = random.getstate()
    try:
        random.seed("one")
        seeded = random.getstate()
        once, moved = act(), random.getstate() != seeded
        random.seed("another")
        return once, act(), moved
    finally:
        random.setstate(before)
