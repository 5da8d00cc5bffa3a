"""What is checked: a level's instances, and positions of random matches from them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, TypeVar

from quandary.core.contract import CHANCE, Game, Move, Puzzle, Question, Seat, name_of
from quandary.matches.engine import draw
from quandary.tasks.attempt import Attempt

LONGEST = 50_000  # plies; a longer game counts as endless
CLOSELY = 12  # consecutive plies that are checked; later ones are sampled more and more sparsely
NEIGHBOURS = 20  # instances that are compared with each other
FULL_BUDGET = 3_000

T = TypeVar("T")


class Endless(Exception):
    """A match that does not end."""


@dataclass
class Case:
    """One level of a puzzle under test."""

    puzzle: type[Puzzle]
    name: str
    level: str
    seeds: Sequence[int]
    make: Callable[[int], Puzzle]
    arguments: Mapping[str, Any] = field(default_factory=dict)  # of `new`, at this level

    @classmethod
    def of(cls, puzzle: type[Puzzle], level: str, seeds: Sequence[int] = range(3)) -> Case:
        name, arguments = name_of(puzzle), puzzle.levels.get(level, {})

        def make(seed: int) -> Puzzle:
            return puzzle.new(Random(f"{name}/{level}#{seed}"), **arguments)

        return cls(puzzle, name, level, seeds, make, arguments)

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

    def positions(self) -> list[Game]:
        """Positions of one random match per start, sampled by `thin`."""
        return [position for match in self.matches for position in match]

    @cached_property
    def matches(self) -> list[list[Game]]:
        """The same positions by match; each list ends where its match ended."""
        return [
            list(thin(walk(start, Random(f"{self.name}/{i}"))))
            for i, start in enumerate(self.games)
        ]

    @cached_property
    def matches_of_the_oracle(self) -> list[tuple[Game, Game]]:
        """The first and the last position of matches of a one-seat game's oracle."""
        alone = [
            start for start in self.games if start.seats == 1 and isinstance(start, self.puzzle)
        ]
        return [
            (start, played_out(start, Random(self.name)))
            for start in alone
            if "oracle" in start.strategies
        ]


def as_game(puzzle: Puzzle) -> Game:
    return Attempt(puzzle, tries=2) if isinstance(puzzle, Question) else puzzle  # type: ignore[return-value]


def walk(start: Game, rng: Random) -> Iterator[Game]:
    """Every position of one random match."""
    position = start
    for _ in range(LONGEST):
        yield position
        options = position.options()
        if not options:
            return
        seat = rng.choice(sorted(options))
        position = position.after(seat, pick(position, seat, rng))
    raise Endless(f"a random match is not over after {LONGEST} moves")


def played_out(start: Game, rng: Random) -> Game:
    """The last position of a match in which the oracle takes every seat."""
    position = start
    while options := position.options():
        seat = min(options)
        move = (
            pick(position, CHANCE, rng)
            if seat == CHANCE
            else start.strategies["oracle"](position.seen_by(seat), seat, rng, FULL_BUDGET)
        )
        position = position.after(seat, move)
    return position


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
    """A random move of `seat`."""
    moves = position.options()[seat]
    if seat == CHANCE:
        return position.chance(rng) if moves is None else draw(moves, rng)
    return position.seen_by(seat).sample(rng) if moves is None else choose(moves, rng)


def choose(moves: object, rng: Random) -> Move:
    listed: Sequence[Move] = moves if isinstance(moves, Sequence) else list(moves)  # type: ignore[call-overload]
    return listed[rng.randrange(len(listed))]


def some(moves: object, rng: Random, most: int = 24) -> list[Move]:
    """A few of many moves."""
    listed: Sequence[Move] = moves if isinstance(moves, Sequence) else list(moves)  # type: ignore[call-overload]
    return (
        list(listed)
        if len(listed) <= most
        else [listed[rng.randrange(len(listed))] for _ in range(most)]
    )


def twice(act: Callable[[], T]) -> tuple[T, T, bool]:
    """The results of `act` under two states of the global random, and whether it changes them."""
    before = random.getstate()
    try:
        random.seed("one")
        seeded = random.getstate()
        once, moved = act(), random.getstate() != seeded
        random.seed("another")
        return once, act(), moved
    finally:
        random.setstate(before)
