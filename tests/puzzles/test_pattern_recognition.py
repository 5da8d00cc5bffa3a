"""Pattern recognition: known squares, why there is only one, and how many grids there are."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from proofs.second_workings.pattern_recognition import work

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.pattern_recognition import PatternRecognition

FAMILIES = [(family, level) for family in "ab" for level in range(4)]


def made(family: str, grid: str, level: int = 1) -> PatternRecognition:
    return PatternRecognition(family, level, tuple(tuple(row) for row in grid.split("/")))


def test_the_worked_example() -> None:
    assert made("a", "QWW/RWW/TYU").work() == (["2", "3"], ["2", "3"])


@pytest.mark.parametrize(
    ("grid", "corner"), [("XYZ/YXZ/ZXY", ["2", "1"]), ("XXZ/ZYX/XXY", ["3", "2"])]
)
def test_diagonals(grid: str, corner: list[str]) -> None:
    assert made("b", grid).work().answer == corner


def test_squares_of_all_sides_are_found() -> None:
    """With the smaller ones that they hold; diagonals of an odd side cross and so are alike."""
    assert made("a", "XXX/XXX/XXX").squares()[-1] == ((0, 0), 3)
    assert made("b", "XABY/CXYD/EYXF/YGHX").squares() == [((1, 1), 2), ((0, 0), 4)]
    assert made("b", "XPX/PXP/XPX").squares() == [
        ((row, column), 2) for row in (0, 1) for column in (0, 1)
    ]
    assert made("b", "XPY/PXP/YPX").squares() == [((0, 0), 2), ((1, 1), 2)]


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_squares(family: str, level: int) -> None:
    """Sizes are the paper's; the only square is not hidden among squares of edges alone."""
    for seed in range(20):
        question = instance(f"pattern_recognition/{level},family={family}#{seed}")

        assert {len(row) for row in question.grid} == {len(question.grid)} == {(2, 3, 5, 6)[level]}
        assert [side for _, side in question.squares()] == [2]
        assert family == "b" or not any(map(all, _edges(question.grid)))
        assert level < 2 or any(sum(edge) == len(edge) - 1 for edge in _fours(question))


def _edges(grid: tuple[tuple[str, ...], ...]) -> list[list[bool]]:
    """Which cells at the edge of each square of side 3 or more are like its top left one."""
    size = len(grid)
    return [
        [
            grid[top + y][left + x] == grid[top][left]
            for y, x in product(range(side), repeat=2)
            if {y, x} & {0, side - 1}
        ]
        for side in range(3, size + 1)
        for top, left in product(range(size - side + 1), repeat=2)
    ]


def _fours(question: PatternRecognition) -> list[list[bool]]:
    """Which cells of each square of side 2 are as the family wants them, by its top left one."""
    found = []
    for y, x in product(range(len(question.grid) - 1), repeat=2):
        (a, b), (c, d) = question.grid[y][x : x + 2], question.grid[y + 1][x : x + 2]
        found.append([a == b, a == c, a == d] if question.family == "a" else [a == d, b == c])
    return found


@pytest.mark.parametrize("family", "ab")
def test_other_letters_and_another_axis_are_the_same_task(family: str) -> None:
    """The square of what is alike is the same square, seen from the corner that is asked for."""
    for seed in range(20):
        question = instance(f"pattern_recognition/3,family={family}#{seed}")
        other = question.equivalent(Random(seed))
        row, column = question.work().answer
        turned = [column, row] if family == "a" else [str(7 - int(column)), str(7 - int(row))]

        assert other.canonical() == question.canonical()
        assert other.work().answer in (question.work().answer, turned) and work(other)


def test_other_squares_are_other_tasks() -> None:
    one = made("a", "QWW/RWW/TYU")

    assert one.canonical() == made("a", "ABC/DDE/DDF").canonical()
    assert one.canonical() != made("a", "QWW/RWW/TYQ").canonical()
    assert one.canonical() != made("a", "WWQ/WWR/TYU").canonical()


@pytest.mark.parametrize("family", "ab")
@pytest.mark.parametrize("level", [0, 1])
def test_the_numbers_of_grids(family: str, level: int) -> None:
    """All grids of two or three letters are tried."""
    size, letters = ((2, "XY"), (3, "XYZ"))[level]
    forms = set()
    for cells in product(letters, repeat=size * size):
        rows = tuple(cells[at : at + size] for at in range(0, size * size, size))
        question = PatternRecognition(family, level, rows)
        is_hollow = family == "a" and any(map(all, _edges(rows)))
        if cells[0] == "X" and len(question.squares()) == 1 and not is_hollow:
            forms.add(question.canonical())

    assert len(forms) == PatternRecognition.distinct_instances[f"{level},family={family}"].instances
