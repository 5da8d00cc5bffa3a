"""Which sudoku grids are the same task, against all symmetries one by one."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from quandary.puzzles._shared.sudoku.solver import random_grid
from quandary.puzzles._shared.sudoku.symmetry import canonical, random_turn


def line_orders(side: int, size: int) -> list[list[int]]:
    """All orders of lines that keep bands of `size` together."""
    bands = [range(start, start + size) for start in range(0, side, size)]
    return [
        [line for band in order for line in band]
        for chosen in permutations(bands)
        for order in product(*(list(permutations(band)) for band in chosen))
    ]


def least(cells: str, mark: int, side: int, height: int, width: int) -> tuple[list[str], int]:
    """The least of all grids that are the same task: slow, and easy to see through."""
    found = []
    for rows, columns in product(line_orders(side, height), line_orders(side, width)):
        orders = [[row * side + column for row in rows for column in columns]]
        if height == width:
            orders.append([row * side + column for column in columns for row in rows])
        for order in orders:
            names: dict[str, str] = {".": "."}
            grid = [names.setdefault(cells[cell], str(len(names))) for cell in order]
            found.append((grid, order.index(mark)))
    return min(found)


def some_grids(side: int, rng: Random, count: int) -> list[tuple[str, int]]:
    """Grids with few clues, of which many are alike, each with a marked cell."""
    grids = []
    for _ in range(count):
        full = random_grid(rng, side)
        shown = set(rng.sample(range(side * side), rng.randint(2, 4)))
        cells = "".join(value if cell in shown else "." for cell, value in enumerate(full))
        grids.append((cells, rng.choice(sorted(shown))))
    return grids


@pytest.mark.parametrize(("side", "shape", "count"), [(4, (2, 2), 80), (6, (2, 3), 8)])
def test_canonical_tells_apart_exactly_what_no_symmetry_maps(
    side: int, shape: tuple[int, int], count: int
) -> None:
    grids = some_grids(side, Random(side), count)
    slow = [least(cells, mark, side, *shape) for cells, mark in grids]
    fast = [canonical(cells, mark) for cells, mark in grids]
    equal = 0
    for one, other in product(range(count), repeat=2):
        assert (slow[one] == slow[other]) == (fast[one] == fast[other])
        equal += one < other and slow[one] == slow[other]
    assert equal


def test_full_grids_of_side_4_are_two_tasks() -> None:
    """The known number of essentially different ones."""
    rng = Random(1)

    assert 2 == len({canonical(random_grid(rng, 4)) for _ in range(200)})


@pytest.mark.parametrize("side", [4, 6, 9])
def test_turned_grids_are_the_same_task(side: int) -> None:
    rng = Random(side)
    for cells, mark in some_grids(side, rng, 20):
        turn = random_turn(rng, side)

        assert canonical(cells, mark) == canonical(turn.grid(cells), turn.cell(mark))
        assert canonical(cells, mark) != canonical(cells)


def test_a_clue_more_is_another_task() -> None:
    [(cells, _)] = some_grids(9, Random(9), 1)
    clue = next(cell for cell, value in enumerate(cells) if value != ".")

    assert canonical(cells) != canonical(cells[:clue] + "." + cells[clue + 1 :])
