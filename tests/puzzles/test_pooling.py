"""Pooling: known grids, whole averages, and what is told."""

from __future__ import annotations

import re
from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.pooling import Pooling

LEVELS = [(family, level) for family in "ab" for level in range(4)]


def pooled(family: str, grid: str, window: int) -> tuple[str, str]:
    rows = tuple(tuple(map(int, row.split())) for row in grid.split("/"))
    answer, process = Pooling(family, 2, rows, window).work()
    return "/".join(" ".join(row) for row in answer), " ".join(process)


def test_the_worked_example_of_the_specification() -> None:
    assert pooled("a", "1 0 2/3 5 1/0 2 4", 2) == ("5 5/5 5", "5 5 5 5")


@pytest.mark.parametrize("family", ["a", "b"])
def test_the_example_of_the_rules(family: str) -> None:
    rules = Pooling(family, 2, (), 2).rules()
    grid, new = re.findall(r"the grid (\d.*?) \(where.*?becomes (.*?)\.", rules)[0]

    assert pooled(family, grid.replace(" / ", "/"), 2)[0] == new.replace(" / ", "/")


@pytest.mark.parametrize(
    ("family", "grid", "window", "answer"),
    [
        ("a", "-5 -3 -8/-2 -9 -4/-7 -6 -1", 2, "-2 -3/-2 -1"),
        ("a", "1 2 3 4/5 6 7 8/8 7 6 5/4 3 2 1", 3, "8 8/8 8"),
        ("a", "9 2 3 4/5 6 7 8/8 7 6 5/4 3 2 1", 3, "9 8/8 8"),
        ("b", "1 1 -5/1 -3 3/2 4 0", 2, "0 -1/1 1"),
    ],
)
def test_by_hand(family: str, grid: str, window: int, answer: str) -> None:
    assert pooled(family, grid, window) == (answer, answer.replace("/", " "))


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_sizes_and_averages(family: str, level: int) -> None:
    """Averages are whole, and no grid has the same result everywhere."""
    size, window = ((3, 2), (4, 2), (5, 3), (6, 3))[level]
    for seed in range(20):
        made = instance(f"pooling/{level},family={family}#{seed}")
        results = list(map(int, made.work().process))
        first = [made.grid[y][x] for y in range(window) for x in range(window)]

        assert (len(made.grid), made.window) == (size, window)
        assert len(results) == (size - window + 1) ** 2 and len(set(results)) > 1
        assert results[0] == (max(first) if family == "a" else sum(first) / window**2)


def test_turned_grids_are_the_same_task() -> None:
    one = Pooling("a", 1, ((1, 2, 3), (4, 5, 6), (7, 8, 9)), 2)
    turned = Pooling("a", 1, ((7, 4, 1), (8, 5, 2), (9, 6, 3)), 2)
    other = Pooling("a", 1, ((2, 1, 3), (4, 5, 6), (7, 8, 9)), 2)

    assert one.canonical() == turned.canonical() != other.canonical()


def test_a_window_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="a window of 4 is too large for a size of 4"):
        Pooling.new(Random(0), size=4, window=4)
    with pytest.raises(ValueError, match="size=60 is out of bounds; write 3 to 20"):
        Pooling.new(Random(0), size=60)
