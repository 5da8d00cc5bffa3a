"""Slide 2048: known grids, and what is told."""

from __future__ import annotations

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.slide_2048 import Slide2048


def walked(family: str, grid: str, start: tuple[int, int], moves: str) -> list[str]:
    rows = tuple(tuple(map(int, row.split())) for row in grid.split("/"))
    return list(Slide2048(family, 2, rows, moves, start).work().process)


def slid(grid: str, moves: str) -> list[str]:
    rows = tuple(tuple(map(int, row.split())) for row in grid.split("/"))
    grids = Slide2048("d", 2, rows, moves, None).work().process
    return ["/".join(" ".join(row) for row in one) for one in grids]


def test_the_example_of_the_rules() -> None:
    assert slid("2 2 4/4 4 4/0 0 0", "l") == ["4 4 0/8 4 0/0 0 0"]


@pytest.mark.parametrize(
    ("moves", "after"),
    [
        ("u", ["4 4 8/4 0 0/0 0 0"]),
        ("d", ["0 0 0/4 0 0/4 4 8"]),
        ("ur", ["4 4 8/4 0 0/0 0 0", "0 8 8/0 0 4/0 0 0"]),
        ("ul", ["4 4 8/4 0 0/0 0 0", "8 8 0/4 0 0/0 0 0"]),
    ],
)
def test_all_numbers_slide(moves: str, after: list[str]) -> None:
    assert slid("4 2 0/2 2 0/2 0 8", moves) == after


def test_a_number_that_was_made_does_not_merge_again() -> None:
    assert slid("2 2 4 8/0 0 0 0/2 2 2 2/4 0 4 8", "l") == ["4 4 8 0/0 0 0 0/4 4 0 0/8 8 0 0"]


@pytest.mark.parametrize(
    ("family", "values"),
    [
        ("a", ["4", "4", "4", "8", "8"]),
        ("b", ["4", "8", "64", "64", "64"]),
        ("c", ["1", "8", "4", "2", "4"]),
    ],
)
def test_a_number_walks(family: str, values: list[str]) -> None:
    """It moves on whether or not it has changed."""
    assert walked(family, "2 2 8/2 4 8/1 4 1", (0, 0), "rrdld") == values


@pytest.mark.parametrize("family", "abc")
@pytest.mark.parametrize("level", range(4))
def test_a_walk_never_leaves_the_grid(family: str, level: int) -> None:
    """The rules say so."""
    for seed in range(20):
        made = instance(f"slide_2048/{level},family={family}#{seed}")
        row, column = made.start
        for move in made.moves:
            row += (move == "d") - (move == "u")
            column += (move == "r") - (move == "l")

            assert row in range(len(made.grid)) and column in range(len(made.grid))
