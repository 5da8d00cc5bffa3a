"""Superply as a race to join opposite sides: shortest paths across, and chances to win.

Sets of cells are bits; a row of cells is one bit wider than the board, so that rows do not touch.
Seat 0 joins left and right, seat 1 top and bottom; cells touch by sides and by corners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from quandary.core.contract import Seat


class Race(NamedTuple):
    """The claims of both seats, and whose turn it is."""

    size: int
    claims: tuple[int, int]  # by seat
    turn: Seat

    def free(self) -> int:
        return cells_of(self.size) & ~(self.claims[0] | self.claims[1])

    def claim(self, cell: int) -> Race:
        blue, red = self.claims
        return Race(
            self.size, (blue | cell, red) if self.turn == 0 else (blue, red | cell), 1 - self.turn
        )

    def needs(self, seat: Seat) -> list[int]:
        """Return the claims that a shortest path across still needs, each as a set of possible
        cells.

        There is always such a path before a game is over, because only a path of the other seat can
        block it.  There are no needs once the sides are joined.
        """
        start, goal = sides(self.size, seat)
        there, back = (
            rings(self.claims[seat], self.free(), *ends, self.size + 1)
            for ends in ((start, goal), (goal, start))
        )
        return [near & far for near, far in zip(there, reversed(back), strict=True)]

    def chance(self, hints: Sequence[int]) -> float:
        """Return the winning chance of the last mover, if both make a needed claim whenever
        allowed.
        """
        mine = self.needs(1 - self.turn)
        if not mine:
            return 1.0
        free = self.free()
        possible = [hint for hint in hints if hint & free] or [free]
        return 1.0 - first_to_finish(
            speeds(self.needs(self.turn), possible), speeds(mine, possible)
        )

    def play_out(self, rng: Random, drawn: Callable[[Random], int]) -> tuple[bool, int]:
        """Return whether the last mover wins if both search, and after how many moves.

        The cells allowed in a turn are `drawn` repeatedly until they include a free cell.
        """
        race, steps = self, 0
        while not joined(race.claims[1 - race.turn], self.size, 1 - race.turn):
            fitting = 0
            while not fitting:
                fitting = drawn(rng) & race.free()
            wanted = fitting & sum(race.needs(race.turn))
            race, steps = race.claim(rng.choice(list(each(wanted or fitting)))), steps + 1
        return race.turn == self.turn, steps


@lru_cache(maxsize=64)
def sides(size: int, seat: Seat) -> tuple[int, int]:
    """Return the cells along the two sides a seat joins."""
    if seat == 0:
        left = sum(1 << row * (size + 1) for row in range(size))
        return left, left << size - 1
    top = (1 << size) - 1
    return top, top << (size - 1) * (size + 1)


@lru_cache(maxsize=64)
def cells_of(size: int) -> int:
    return sum(((1 << size) - 1) << row * (size + 1) for row in range(size))


def each(cells: int) -> Iterator[int]:
    while cells:
        yield cells & -cells
        cells &= cells - 1


def around(cells: int, width: int) -> int:
    beside = cells | cells << 1 | cells >> 1
    return beside | beside << width | beside >> width


def flood(cells: int, within: int, width: int) -> int:
    before = 0
    while cells != before:
        before, cells = cells, cells | around(cells, width) & within
    return cells


def joined(claims: int, size: int, seat: Seat) -> bool:
    start, goal = sides(size, seat)
    return bool(flood(claims & start, claims, size + 1) & goal)


def rings(own: int, free: int, start: int, goal: int, width: int) -> list[int]:
    """Free cells by the number of claims needed to reach them from the start, up to the goal."""
    reached = flood(own & start, own, width)
    ring, rings = free & (start | around(reached, width)), list[int]()
    while ring and not reached & goal:
        rings.append(ring)
        free &= ~ring
        own &= ~reached
        near = around(ring, width)
        joining = flood(near & own, own, width)
        reached = ring | joining
        ring = free & (near | around(joining, width))
    return rings


def speeds(needs: Sequence[int], hints: Sequence[int]) -> list[float]:
    """Return the chance that a hint allows a needed claim, with 1, 2, ... of them left.

    Rarely allowed claims are left to the end.
    """
    allowed = sorted(sum(1 for hint in hints if hint & cells) / len(hints) for cells in needs)
    speeds, missed = list[float](), 1.0
    for share in allowed:
        missed *= 1.0 - share
        speeds.append(max(1.0 - missed, 0.01))
    return speeds


def first_to_finish(mover: Sequence[float], other: Sequence[float]) -> float:
    """Return the chance that the mover makes all its claims first."""
    moving, waiting = [1.0] * (len(other) + 1), [1.0] * (len(other) + 1)  # with none left to make
    for p in mover:
        after = waiting
        moving, waiting = [0.0], [0.0]
        for made, q in zip(after[1:], other, strict=True):
            win, rest = p * made, q * moving[-1]
            # Both may miss for any number of rounds.
            here = (win + (1 - p) * rest) / (1 - (1 - p) * (1 - q))
            moving.append(here)
            waiting.append(rest + (1 - q) * here)
    return moving[-1]
