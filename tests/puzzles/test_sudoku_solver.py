"""Facts about the sudoku solver and about making grids."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from quandary.algorithms import exact_cover
from quandary.puzzles._shared.sudoku.filling import fills_of
from quandary.puzzles._shared.sudoku.grid import SIDES, SYMBOLS, box_shape, candidates, easiest
from quandary.puzzles._shared.sudoku.solver import carve, count, random_grid, solutions, solve

SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
SEVENTEEN_SOLVED = (
    "693784512487512936125963874932651487568247391741398625319475268856129743274836159"
)
INKALA = "800000000003600000070090200050007000000045700000100030001000068008500010090000400"
INKALA_SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"


def dotted(cells: str) -> str:
    return cells.replace("0", ".")


def units(side: int) -> list[list[int]]:
    """Rows, columns and boxes, spelled out."""
    height, width = box_shape(side)
    rows = [[row * side + column for column in range(side)] for row in range(side)]
    columns = [[row * side + column for row in range(side)] for column in range(side)]
    corners = product(range(0, side, height), range(0, side, width))
    boxes = [
        [(top + y) * side + left + x for y in range(height) for x in range(width)]
        for top, left in corners
    ]
    return rows + columns + boxes


def is_filled(cells: str, side: int) -> bool:
    return all(
        sorted(SYMBOLS[:side]) == sorted(cells[cell] for cell in unit) for unit in units(side)
    )


def covers_of(cells: str, side: int, limit: int) -> int:
    """The number of solutions by exact cover, which shares nothing with the solver."""
    member = {
        cell: [number for number, unit in enumerate(units(side)) if cell in unit]
        for cell in range(side * side)
    }
    values = range(side)
    primary = [("cell", cell) for cell in range(side * side)] + [
        (unit, value) for unit in range(3 * side) for value in values
    ]
    choices = [
        [("cell", cell), *((unit, value) for unit in member[cell])]
        for cell in range(side * side)
        for value in values
        if cells[cell] in (".", SYMBOLS[value])
    ]
    return exact_cover.count(primary, choices, limit)


def test_empty_board_of_four() -> None:
    """There are 288 full boards of side 4."""
    found = list(solutions("." * 16))

    assert 288 == len(set(found)) == len(found)
    assert all(is_filled(cells, 4) for cells in found)


@pytest.mark.parametrize(
    ("puzzle", "solved"), [(SEVENTEEN, SEVENTEEN_SOLVED), (INKALA, INKALA_SOLVED)]
)
def test_famous_boards(puzzle: str, solved: str) -> None:
    """Two famous hard boards have their known solution and no other."""
    assert [solved] == list(solutions(dotted(puzzle)))


def test_published_counts() -> None:
    """The first five easy boards of PuzzlePlex have 1, 4, 2, 3 and 1 solutions, its first normal
    one has 1."""
    easy = [
        "2000030200011204",
        "0000000034022140",
        "0410032000003000",
        "0000102400400030",
        "3000024020004001",
    ]
    normal = "300765091900400073001009600019306420643027008287041936008002069000874352750000080"

    assert [1, 4, 2, 3, 1] == [count(dotted(cells)) for cells in easy]
    assert 1 == count(dotted(normal))


@pytest.mark.parametrize(
    ("side", "least", "most", "rounds"),
    [(4, 4, 16, 40), (6, 12, 24, 15), (9, 45, 56, 8), (8, 30, 44, 5)],
)
def test_count_against_exact_cover(side: int, least: int, most: int, rounds: int) -> None:
    """The solver counts as many solutions as a plain exact cover search."""
    rng = Random(f"count {side}")
    seen = set()
    for _ in range(rounds):
        gone = set(rng.sample(range(side * side), rng.randint(least, most)))
        cells = "".join(
            "." if cell in gone else value for cell, value in enumerate(random_grid(rng, side))
        )
        seen.add(count(cells, 50))

        assert covers_of(cells, side, 50) == count(cells, 50)
    assert len(seen) > 1


def test_repeats_have_no_solution() -> None:
    """A board that already repeats a value cannot be solved, and neither can a full one."""
    full = random_grid(Random(1), 9)

    assert solve("11" + "." * 14) is None
    assert solve(full) == full
    assert solve(full[1] + full[1:]) is None


@pytest.mark.parametrize("side", SIDES)
def test_random_grids_are_full_boards(side: int) -> None:
    """A random board obeys the rules, whatever its side."""
    rng = Random(side)
    grids = [random_grid(rng, side) for _ in range(4)]

    assert all(is_filled(grid, side) for grid in grids)
    assert len(set(grids)) > 1


def test_random_grids_reach_all_boards() -> None:
    """Each of the 288 boards of side 4 is drawn sooner or later."""
    rng = Random("all")

    assert 288 == len({random_grid(rng, 4) for _ in range(6_000)})


@pytest.mark.parametrize(("side", "blanks"), [(4, 9), (6, 18), (9, 35), (9, 50)])
def test_carving_keeps_one_solution(side: int, blanks: int) -> None:
    """A carved board has the blanks that were wanted and, by exact cover, one solution."""
    rng = Random(f"carve {side} {blanks}")
    for _ in range(4):
        grid = random_grid(rng, side)
        cells = carve(rng, grid, blanks)

        assert blanks == cells.count(".")
        assert 1 == covers_of(cells, side, 2)
        assert solve(cells) == grid


def test_carving_to_the_end_leaves_no_idle_given() -> None:
    """Where more blanks are wanted than there can be, every given that is left is needed."""
    rng = Random("minimal")
    for side in (4, 4, 4, 6, 9):
        cells = carve(rng, random_grid(rng, side), side * side)
        givens = [cell for cell, value in enumerate(cells) if value != "."]

        assert 1 == count(cells, 2)
        assert all(2 == count(cells[:cell] + "." + cells[cell + 1 :], 2) for cell in givens)


def test_candidates() -> None:
    """An empty cell can take what stands nowhere in its row, column and box."""
    cells = dotted(INKALA)
    for cell, bits in enumerate(candidates(cells)):
        seen = {cells[other] for unit in units(9) if cell in unit for other in unit}
        expected = (
            {value for value in "123456789" if value not in seen} if cells[cell] == "." else set()
        )

        assert expected == {SYMBOLS[value] for value in range(9) if bits >> value & 1}
        if expected:
            assert [f"{cell // 9} {cell % 9} {value}" for value in sorted(expected)] == fills_of(
                cells, [cell]
            )


def test_easiest_cell() -> None:
    """A cell with one value left comes first, then a value with one place left, then the tightest
    cell."""
    assert 3 == easiest("123." + "." * 12)
    # in row 0 only the third cell can hold a 2
    assert 2 == easiest("1..." + "...." + ".2.." + "...2")
    assert 0 == easiest("." * 16)
    assert easiest("1234341221434321") is None


def test_sides_without_boxes_are_refused() -> None:
    """A side that does not split into boxes is refused with a sentence."""
    assert (4, 6, 8, 9, 10, 12, 14, 15, 16) == SIDES
    assert [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)] == [
        box_shape(side) for side in (4, 6, 9, 12, 16)
    ]
    for side in (0, 1, 5, 7, 25):
        with pytest.raises(ValueError, match="cannot be made"):
            box_shape(side)
