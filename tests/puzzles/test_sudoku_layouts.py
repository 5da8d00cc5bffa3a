"""Facts about grids with other lines than those of a sudoku, and about tables of values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations, product
from math import factorial
from random import Random

import pytest

from quandary.puzzles._shared.sudoku.layout import (
    Layout,
    Table,
    anti_diagonal,
    boxes,
    columns,
    is_boxed,
    main_diagonal,
    rows,
    sudoku,
)
from quandary.puzzles._shared.sudoku.solver import carve, count, random_grid, solutions, solve

LATIN = {1: 1, 2: 2, 3: 12, 4: 576, 5: 161_280}  # squares of each order


def latin(side: int) -> Layout:
    return Layout(side, (*rows(side), *columns(side)))


def with_diagonals(side: int) -> Layout:
    return Layout(side, (*latin(side).units, main_diagonal(side), anti_diagonal(side)))


def with_equal_diagonal(side: int) -> Layout:
    return Layout(side, latin(side).units, (anti_diagonal(side),))


@cache
def by_force(side: int) -> list[tuple[str, ...]]:
    """All latin squares, row by row."""
    lines = ["".join(row) for row in permutations("123456789"[:side])]
    return [
        square
        for square in product(lines, repeat=side)
        if all(len(set(column)) == side for column in zip(*square, strict=True))
    ]


def test_lines_of_a_small_grid() -> None:
    assert rows(2) == ((0, 1), (2, 3))
    assert columns(2) == ((0, 2), (1, 3))
    assert (main_diagonal(3), anti_diagonal(3)) == ((0, 4, 8), (2, 4, 6))
    assert boxes(4)[1] == (2, 3, 6, 7)
    assert boxes(6)[2] == (12, 13, 14, 18, 19, 20)
    assert [is_boxed(one) for one in (sudoku(4), latin(4), latin(5))] == [True, False, False]


@pytest.mark.parametrize("side", [2, 3, 4])
def test_latin_squares(side: int) -> None:
    """All of them, each once."""
    found = list(solutions("." * side**2, latin(side)))

    assert LATIN[side] == len(found)
    assert {"".join(square) for square in by_force(side)} == set(found)


@pytest.mark.parametrize(("side", "known"), [(2, 0), (3, 0), (4, 2), (5, 8), (6, 128)])
def test_diagonal_latin_squares(side: int, known: int) -> None:
    """Their numbers, with the first row in order, are well known (OEIS A274171)."""
    start = "123456"[:side] + "." * (side**2 - side)

    assert known == count(start, layout=with_diagonals(side))


@pytest.mark.parametrize("side", [2, 3, 4, 5])
def test_equal_diagonal(side: int) -> None:
    """The rows of a latin square can be ordered in just one way that puts a value on a diagonal."""
    expected = side * LATIN[side] // factorial(side)

    assert expected == count("." * side**2, layout=with_equal_diagonal(side))


@pytest.mark.parametrize("side", [3, 4])
def test_equal_diagonal_by_force(side: int) -> None:
    expected = {
        "".join(square)
        for square in by_force(side)
        if len({row[side - 1 - number] for number, row in enumerate(square)}) == 1
    }

    assert expected == set(solutions("." * side**2, with_equal_diagonal(side)))


@pytest.mark.parametrize("make", [latin, with_diagonals, with_equal_diagonal])
@pytest.mark.parametrize("side", [4, 5, 7, 9])
def test_random_grids_are_carved_to_one_solution(make: Callable[[int], Layout], side: int) -> None:
    layout = make(side)
    rng = Random(side)
    for _ in range(3):
        grid = random_grid(rng, side, layout)
        cells = carve(rng, grid, side**2 // 2, layout)

        assert all(len({grid[cell] for cell in unit}) == side for unit in layout.units)
        assert all(len({grid[cell] for cell in line}) == 1 for line in layout.equal)
        assert [grid] == list(solutions(cells, layout))


def test_random_grids_reach_all() -> None:
    rng = Random("all")

    assert 96 == len({random_grid(rng, 4, with_equal_diagonal(4)) for _ in range(2_000)})
    assert 48 == len({random_grid(rng, 4, with_diagonals(4)) for _ in range(1_000)})


def test_conditions_that_no_grid_obeys_are_told() -> None:
    with pytest.raises(ValueError, match="no grid of side 3 obeys all conditions"):
        random_grid(Random(1), 3, with_diagonals(3))


def test_tables_against_brute_force() -> None:
    """Random tables of random cells, which overlap, on all latin squares of order 3 and 4."""
    rng = Random("tables")
    numbers = list[int]()
    for turn in range(60):
        side = 3 + turn % 2
        tables = []
        for _ in range(rng.randint(1, 4)):
            cells = tuple(rng.sample(range(side**2), rng.randint(1, 3)))
            every = list(product(range(1, side + 1), repeat=len(cells)))
            tables.append(Table(cells, tuple(rng.sample(every, rng.randint(1, len(every))))))
        expected = {
            "".join(square)
            for square in by_force(side)
            if all(
                tuple(int("".join(square)[cell]) for cell in table.cells) in table.rows
                for table in tables
            )
        }
        found = list(solutions("." * side**2, latin(side), tables))
        numbers.append(len(found))

        assert len(found) == len(expected) and expected == set(found)
    assert {0, 1} < set(numbers)


def test_a_table_without_rows_leaves_nothing() -> None:
    assert solve("....", latin(2), [Table((0,), ())]) is None
    assert solve("....", latin(2), [Table((0,), ((2,),))]) == "2112"
