"""Element operations: known grids, what is left of them, and how many there are."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from proofs.second_workings.element_operations import work

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.element_operations import ElementOperations

SIZES = {
    "a": [(2, 2), (4, 4), (6, 6), (7, 8)],
    "b": [(2, 2), (3, 4), (5, 5), (6, 7)],
    "c": [(2, 2), (3, 4), (5, 5), (7, 7)],
}
FAMILIES = [(family, level) for family in SIZES for level in range(4)]


def left(family: str, grid: str, without: str = "") -> str:
    rows = tuple(tuple(row) for row in grid.split("/"))
    answer, process = ElementOperations(family, 1, rows).work(without=without)
    assert answer == process
    return "/".join("".join(row) for row in answer)


def test_the_worked_example() -> None:
    assert left("a", "KLK/MNP") == "MNP"


def test_columns_close_up() -> None:
    assert left("b", "ABAC/ACDC/ABBD") == "AC/DC/BD"


def test_diagonals_close_up_to_the_left() -> None:
    """QXQ and ZZ are deleted; the corners stay, and so does AB."""
    assert left("c", "QAZ/BXB/CDQ") == "AZ/BB/CD"
    assert left("c", "QAZD/EXBZ/CFQB") == "AD/EB/CFB"


def test_rows_may_be_empty() -> None:
    assert left("c", "AAC/AAA/BAA") == "C//B"


def test_rules_that_are_taken_away() -> None:
    assert left("b", "ABA/ACD", "delete") == "ABA/ACD"
    assert left("c", "QAZ/BXB/CDQ", "one cell") == "A/BB/D"


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_lines(family: str, level: int) -> None:
    """Sizes are the paper's; at levels 2 and 3 two lines or more are deleted, and two stay."""
    for seed in range(20):
        question = instance(f"element_operations/{level},family={family}#{seed}")
        rows, columns = SIZES[family][level]
        answer = question.work().answer
        kept, least = sum(map(len, answer)), 2 if level > 1 else 1
        longest = {"a": columns, "b": rows, "c": 2}[family]  # letters of a line, at least

        assert (len(question.grid), {len(row) for row in question.grid}) == (rows, {columns})
        assert kept <= rows * columns - least * longest
        assert kept >= least * longest
        assert family != "c" or len(answer) == rows
        assert len({letter for row in question.grid for letter in row}) <= 6


@pytest.mark.parametrize("family", "ab")
@pytest.mark.parametrize(("level", "side"), [(0, 2), (1, 2), (1, 3), (2, 4), (3, 4)])
def test_rows_and_columns_are_never_all_deleted(family: str, level: int, side: int) -> None:
    """Otherwise the question would have to say how an empty grid is written."""
    for seed in range(100):
        made = ElementOperations.new(
            Random(seed), family=family, level=level, rows=side, columns=side
        )
        lines = made.grid if family == "a" else tuple(zip(*made.grid, strict=True))

        assert any(line != line[::-1] for line in lines)
        assert made.work().answer


@pytest.mark.parametrize("family", "ab")
@pytest.mark.parametrize("side", [2, 3])
def test_grids_too_small_for_two_lines_to_stay_are_refused(family: str, side: int) -> None:
    with pytest.raises(ValueError, match="made no instance; sizes that do are"):
        ElementOperations.new(Random(0), family=family, level=2, rows=side, columns=side)


@pytest.mark.parametrize("family", SIZES)
def test_what_is_alike_leaves_what_is_alike(family: str) -> None:
    for seed in range(10):
        question = instance(f"element_operations/3,family={family}#{seed}")
        other = question.equivalent(Random(seed))

        assert other.canonical() == question.canonical() and other.grid != question.grid
        assert sorted(map(len, other.work().answer)) == sorted(map(len, work(question)[0]))


def test_what_is_alike() -> None:
    """Letters do not matter, nor do left and right in rows and columns; in diagonals they do."""

    def form(family: str, grid: str) -> object:
        return ElementOperations(family, 1, tuple(map(tuple, grid.split("/")))).canonical()

    assert form("a", "KLK/MNP") == form("a", "ABC/DED")
    assert form("a", "KLK/MNK") == form("a", "KLK/KNM") != form("a", "KLK/MKN")
    assert form("c", "AB/CA") == form("c", "XY/ZX")
    assert form("c", "AA/BA") != form("c", "AB/AA")


@pytest.mark.parametrize("family", SIZES)
def test_the_number_of_the_smallest_grids(family: str) -> None:
    """All grids of four letters from which a line is deleted, but not everything."""
    forms = set()
    for a, b, c, d in product("ABCD", repeat=4):
        question = ElementOperations(family, 0, ((a, b), (c, d)))
        if sum(map(len, work(question)[0])) == 2:
            forms.add(question.canonical())

    assert len(forms) == ElementOperations.distinct_instances[f"0,family={family}"].instances
