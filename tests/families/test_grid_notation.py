"""How grids and fills are read."""

from __future__ import annotations

import pytest

from quandary.core.errors import Unreadable
from quandary.families.grid_notation import read_fill, read_sudoku_grid, read_takuzu_grid
from quandary.solvers.sudoku_grid import SYMBOLS


@pytest.mark.parametrize(
    "said",
    [
        "12341234........",
        "1 2 3 4\n1 2 3 4\n. . . .\n. . . .",
        "[[1, 2, 3, 4], [1, 2, 3, 4], [0, 0, 0, 0], [0, 0, 0, 0]]",
        "12|34\n12|34\n--+--\n__|__\n__|__",
        "1,2,3,4\n1,2,3,4\n0,0,0,0\n0,0,0,0\n",
    ],
)
def test_ways_to_write_a_sudoku_grid(said: str) -> None:
    """Rows with or without blanks, lists of lists and drawn boxes are all read."""
    assert "12341234........" == read_sudoku_grid(said, 4)


@pytest.mark.parametrize(
    "said",
    ["", "1234", "1234" * 5, "1235" * 4, "a" * 16, "1 2 3 -4 " * 4, "²" * 16, "[[1, 2, 3, 4]"],
)
def test_texts_that_are_no_sudoku_grid(said: str) -> None:
    """Too few cells, too many, or values that do not exist are no board."""
    with pytest.raises(Unreadable):
        read_sudoku_grid(said, 4)


def test_large_values() -> None:
    """On boards beyond side 9 a value may be written as a letter or as a number."""
    numbers = " ".join(str(number) for number in range(1, 17))

    assert SYMBOLS * 16 == read_sudoku_grid(f"{numbers}\n" * 16, 16) == read_sudoku_grid((SYMBOLS.lower() + "\n") * 16, 16)
    assert "10 15 C" == read_fill("10 15 12", 16) == read_fill("[(10, 15), c]", 16)
    assert "10 15 12" == read_fill("10 15 12", 9)


@pytest.mark.parametrize(
    "said",
    [
        "[[0, -1, 1, -1], [-1, 0, -1, 1], [1, -1, 0, -1], [-1, 1, -1, 0]]",
        "0.1.\n.0.1\n1.0.\n.1.0",
        "0 . 1 .\n. 0 . 1\n1 . 0 .\n. 1 . 0",
        "0_1_ _0_1 1_0_ _1_0",
        "```\n0 ? 1 ?\n? 0 ? 1\n1 ? 0 ?\n? 1 ? 0\n```",
        "| 0 | x | 1 | x |\n|x|0|x|1|\n|1|x|0|x|\n|x|1|x|0|",
    ],
)
def test_ways_to_write_a_takuzu_grid(said: str) -> None:
    """Lists with -1 as PuzzlePlex prints them, rows, and the usual signs for an empty cell."""
    assert "0.1..0.11.0..1.0" == read_takuzu_grid(said, 4)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "0101",
        "0" * 17,
        "0.1..0.11.0..1.2",
        "0.1..0.11.0..1.a",
        "٠" * 16,
        "-1 " * 17,
        "0 " * 100_000,
    ],
)
def test_texts_that_are_no_takuzu_grid(said: str) -> None:
    """Too few or too many cells, or values that are no 0 and no 1."""
    with pytest.raises(Unreadable, match="4 rows of 4"):
        read_takuzu_grid(said, 4)
