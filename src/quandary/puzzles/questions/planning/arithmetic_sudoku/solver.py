"""Cages: cells of which a sum, a difference, a product or a quotient is told; drawing them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cache, lru_cache
from itertools import islice, product
from math import prod
from random import Random
from typing import Annotated, NamedTuple

from quandary.core.bounds import Range
from quandary.core.descriptions import Doc
from quandary.puzzles._shared.square_grid import EMPTY
from quandary.puzzles._shared.sudoku.layout import Cells, Layout, Table, columns, rows
from quandary.puzzles._shared.sudoku.solver import random_grid, solutions

SUM, DIFFERENCE, PRODUCT, QUOTIENT, ALONE = "+", "-", "*", "/", "="
ALL = (SUM, DIFFERENCE, PRODUCT, QUOTIENT)
SEVERAL = (SUM, PRODUCT)  # the operations that take more than two cells
LARGEST_CAGE = 4
MOST_ROWS = 100_000  # of numbers that are tried for a cage
LOOSE_SIZES = (1, 2, 2, 2, 3)  # of cages that are drawn one by one
TRIES = 20  # sets of a number of cages, so that rare ones are drawn too
MOST_DRAWN = 12  # cages, before some of them are left out again
ROWS, COLUMNS = "rows", "columns"


class Cage(NamedTuple):
    """A clue: some cells, what is done with their numbers, and what comes out."""

    cells: Annotated[
        Cells,
        Doc("the cells, counted from 0 row by row from the top left; their order does not matter"),
    ]
    operation: Annotated[
        str,
        Doc(
            "what the clue tells: + the sum of the numbers in the cells, * their product, - the "
            "larger minus the smaller, / the larger divided by the smaller, = the number in a "
            "single cell"
        ),
    ]
    value: Annotated[int, Doc("what comes out")]

    def table(self, side: int) -> Table:
        return Table(self.cells, _fitting(side, len(self.cells), self.operation, self.value))


def result(operation: str, numbers: Sequence[int]) -> int | None:
    """Return what an operation makes of numbers in any order; None if that is no whole number."""
    if operation == SUM:
        return sum(numbers)
    if operation == PRODUCT:
        return prod(numbers)
    if operation == ALONE:
        return numbers[0]
    small, large = sorted(numbers)
    if operation == DIFFERENCE:
        return large - small
    return None if large % small else large // small


@lru_cache(maxsize=1 << 12)
def _fitting(side: int, size: int, operation: str, value: int) -> tuple[tuple[int, ...], ...]:
    if side**size > MOST_ROWS:
        raise ValueError(f"a cage of {size} cells has too many ways to be filled")
    rows = product(range(1, side + 1), repeat=size)
    return tuple(row for row in rows if result(operation, row) == value)


@cache
def latin(side: int, without: Hashable = None) -> Layout:
    """Rows and columns, perhaps without one kind."""
    return Layout(
        side,
        (
            *(rows(side) if without != ROWS else ()),
            *(columns(side) if without != COLUMNS else ()),
        ),
    )


def full_grids(
    side: int, cages: Iterable[Cage], limit: int, without: Hashable = None
) -> list[tuple[int, ...]]:
    """Return the first grids that fit, as numbers row by row; perhaps without a cage, or a kind of
    lines.

    A cage is left out by its place.
    """
    tables = [cage.table(side) for place, cage in enumerate(cages) if place != without]
    found = solutions(EMPTY * side**2, latin(side, without), tables)
    return [tuple(map(int, grid)) for grid in islice(found, limit)]


def covering_cages(rng: Random, side: int, counts: Range) -> list[Cage] | None:
    """Cages of any cells that together are the whole grid; None if more than one grid fits.

    All sets of so many cages are about equally likely.
    """
    count = rng.randint(*counts)
    if not count <= side**2 <= count * LARGEST_CAGE:
        raise ValueError(
            f"{count} cages of 1 to {LARGEST_CAGE} cells cannot cover a grid of side {side}"
        )
    for _ in range(TRIES):
        grid, cages = _random_numbers(rng, side), None
        while cages is None:
            cages = _dealt_cages(rng, grid, count)
        if len(full_grids(side, cages, 2)) == 1:
            return cages
    return None


def _dealt_cages(rng: Random, grid: Sequence[int], count: int) -> list[Cage] | None:
    """Cells are dealt to cages, and cages draw from the most that can be told of a cage.

    None if a cage is empty or too large, or draws more than can be told of it.
    """
    groups = [list[int]() for _ in range(count)]
    for cell in range(len(grid)):
        rng.choice(groups).append(cell)
    if not all(1 <= len(group) <= LARGEST_CAGE for group in groups):
        return None
    cages = list[Cage]()
    for group in sorted(groups):
        possible = _possible_cages(tuple(group), grid)
        drawn = rng.randrange(len(ALL))
        if drawn >= len(possible):
            return None
        cages.append(possible[drawn])
    return cages


def loose_cages(rng: Random, side: int, counts: Range) -> list[Cage] | None:
    """Cages of any cells, drawn until one grid fits, without idle ones as far as there are more
    than enough; None if there are still too many.
    """
    grid, cages = _random_numbers(rng, side), list[Cage]()
    while len(cages) < counts[0] or len(full_grids(side, cages, 2)) > 1:
        if len(cages) == MOST_DRAWN:
            return None
        cells = tuple(rng.sample(range(side**2), rng.choice(LOOSE_SIZES)))
        if all(set(cells) != set(cage.cells) for cage in cages):
            cages.append(rng.choice(_possible_cages(cells, grid)))
    for place in reversed(range(len(cages))):
        if len(cages) > counts[0] and len(full_grids(side, cages, 2, without=place)) == 1:
            del cages[place]
    return cages if len(cages) <= counts[1] else None


def _random_numbers(rng: Random, side: int) -> list[int]:
    return [int(symbol) for symbol in random_grid(rng, side, latin(side))]


def _possible_cages(cells: Cells, grid: Sequence[int]) -> list[Cage]:
    """Return all true cages of some cells."""
    numbers = [grid[cell] for cell in cells]
    if len(cells) == 1:
        return [Cage(cells, ALONE, numbers[0])]
    results = ((one, result(one, numbers)) for one in (ALL if len(cells) == 2 else SEVERAL))
    return [Cage(cells, one, value) for one, value in results if value is not None]
