"""Standard sudoku: known grids, one solution by brute force, rules that all count, symmetry."""

from __future__ import annotations

from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from proofs.second_workings.standard_sudoku import solutions

from grid_images import images
from quandary.catalogue.drawing import instance
from quandary.core.scene import Box
from quandary.puzzles.questions.planning.standard_sudoku import StandardSudoku

SIDES = (2, 4, 6, 9)
GIVENS = {"a": (2, 8, 13, 43), "b": (2, 8, 13, 59)}  # at most, by level
BOXES = {"a": (False, True, False, True), "b": (False, True, False, False)}
QUARTERS = [{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}]
DIAGONALS = [{0, 5, 10, 15}, {3, 6, 9, 12}]


def sudoku(family: str, rows: str, boxes: bool) -> StandardSudoku:
    """A question of level 1; rows are parted by slashes."""
    return StandardSudoku(family, 1, rows.replace("/", ""), boxes)


def drawn(family: str, level: int, amount: int) -> list[StandardSudoku]:
    sizes = {"level": level, "family": family}
    return [StandardSudoku.new(Random(f"{sizes} {seed}"), **sizes) for seed in range(amount)]


def answer(made: StandardSudoku) -> str:
    return "/".join("".join(row) for row in made.work().answer)


def by_force(made: StandardSudoku) -> list[str]:
    """All grids of side 2 or 4 that fit, row by row from all orders of the numbers."""
    side = made.side
    rows = [
        [
            "".join(row)
            for row in permutations("1234"[:side])
            if all(cell in (".", own) for cell, own in zip(given, row, strict=True))
        ]
        for given in (made.cells[start : start + side] for start in range(0, side**2, side))
    ]
    lines = [set(range(column, side**2, side)) for column in range(side)]
    if made.boxes:
        lines += QUARTERS
    if made.family == "b" and side == 4:
        lines += DIAGONALS
    grids = map("".join, product(*rows))
    return [grid for grid in grids if all(len({grid[at] for at in line}) == side for line in lines)]


@pytest.mark.parametrize(
    ("family", "rows", "boxes", "expected"),
    [
        ("a", "3..1/.1../..2./...4", True, "3241/4132/1423/2314"),
        ("a", "2./..", False, "21/12"),
        ("b", "2./..", False, "21/12"),
        ("b", "12../..../..../...3", True, "1234/3412/4321/2143"),
        ("b", "1234/..../..../...3", False, "1234/3412/4321/2143"),
    ],
)
def test_known_sudokus(family: str, rows: str, boxes: bool, expected: str) -> None:
    made = sudoku(family, rows, boxes)

    assert expected == answer(made)
    assert [expected.replace("/", "")] == by_force(made)


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", [0, 1])
def test_one_solution_by_brute_force(family: str, level: int) -> None:
    for made in drawn(family, level, 40):
        assert [answer(made).replace("/", "")] == by_force(made)


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("boxes", [False, True])
def test_all_solutions_are_found(family: str, boxes: bool) -> None:
    """Of grids with so few numbers that several fit, or none."""
    rng = Random(f"{family} {boxes}")
    amounts = set()
    for _ in range(40):
        cells = ["."] * 16
        for cell in rng.sample(range(16), rng.randint(2, 5)):
            cells[cell] = rng.choice("1234")
        made = StandardSudoku(family, 1, "".join(cells), boxes)
        amounts.add(len(made.full_grids(1_000)))

        assert sorted(by_force(made)) == sorted(made.full_grids(1_000))
    assert {0, 1, 2} <= amounts


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", [2, 3])
def test_large_grids_against_a_plain_search(family: str, level: int) -> None:
    """Also with two numbers less, so that there are mostly several."""
    rng = Random(f"{family} {level}")
    for made in drawn(family, level, 8):
        cells = list(made.cells)
        for cell in rng.sample([at for at, value in enumerate(cells) if value != "."], 2):
            cells[cell] = "."
        fewer = StandardSudoku(family, level, "".join(cells), made.boxes)

        assert [made.work().answer] == solutions(made)
        assert sorted("".join(map("".join, grid)) for grid in solutions(fewer)) == sorted(
            fewer.full_grids(10_000)
        )


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", range(4))
def test_sizes(family: str, level: int) -> None:
    for made in drawn(family, level, 30):
        numbers = len(made.cells) - made.cells.count(".")

        assert (made.side, made.boxes) == (SIDES[level], BOXES[family][level])
        assert 1 <= numbers <= GIVENS[family][level]
        assert made.asks_process == (level > 0)
        assert made.work().answer == made.work().process


@pytest.mark.parametrize(("family", "level"), [("a", 2), ("a", 3), ("b", 2), ("b", 3)])
def test_no_rule_is_idle(family: str, level: int) -> None:
    """Without rows, columns, boxes or either diagonal more than one grid fits."""
    for made in drawn(family, level, 10):
        assert len(made.rules_in_play()) == 2 + made.boxes + 2 * (family == "b")
        for rule in made.rules_in_play():
            assert len(made.full_grids(2, without=rule)) == 2
            assert any("*" in row for row in made.work(without=rule).answer)


def test_two_by_two_has_no_diagonal_rule() -> None:
    made = instance("standard_sudoku/0,family=b@test#1")

    assert made.rules_in_play() == ("rows", "columns")
    assert "There is no rule for diagonals." in made.rules()
    assert "diagonals" not in instance("standard_sudoku/0,family=a@test#1").rules()


@pytest.mark.parametrize("family", ["a", "b"])
def test_canonical_is_that_of_all_images_and_of_no_others(family: str) -> None:
    """Random grids of 4 x 4 with few numbers, which often have the same form, by brute force."""
    rng = Random(family)
    lines = [set(range(row, row + 4)) for row in range(0, 16, 4)]
    lines += [set(range(column, 16, 4)) for column in range(4)]
    special = DIAGONALS if family == "b" else []
    full = StandardSudoku(family, 1, "." * 16, boxes=True).full_grids(300)
    forms, least = [], []
    for _ in range(60):
        kept = rng.sample(range(16), rng.choice((2, 2, 3, 4)))
        grid = rng.choice(full)
        cells = "".join(value if at in kept else "." for at, value in enumerate(grid))
        forms.append(StandardSudoku(family, 1, cells, boxes=True).canonical())
        least.append(min(images(cells, "1234", lines, QUARTERS, special)))

    assert len(set(least)) < 45
    assert len(set(forms)) == len(set(least)) == len(set(zip(forms, least, strict=True)))


def test_other_tasks_have_other_forms() -> None:
    one = sudoku("a", "3..1/.1../..2./...4", boxes=True)

    assert one.canonical() != sudoku("a", "3..1/.1../...2/...4", boxes=True).canonical()
    assert one.canonical() != sudoku("b", "3..1/.1../..2./...4", boxes=True).canonical()
    assert one.canonical() != sudoku("a", "3..1/.1../..2./...4", boxes=False).canonical()
    assert sudoku("a", "2./..", boxes=False).canonical() == (
        sudoku("b", "../.1", boxes=False).canonical()
    )


def test_the_picture_marks_the_diagonals() -> None:
    made = sudoku("b", "12../..../..../...3", boxes=True)
    boxes = [shape for shape in made.scene(0).shapes if isinstance(shape, Box)]

    assert {at for at, box in enumerate(boxes) if box.fill == "mark"} == set().union(*DIAGONALS)
    assert [box.text for box in boxes] == [*"12", *[""] * 13, "3"]
    assert [*made.legend(0)] == ["mark"]
    assert not sudoku("a", made.cells, boxes=True).legend(0)


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        ({"side": 10}, "side=10 is out of bounds; write 2 to 9"),
        ({"side": 5, "boxes": True, "givens": (9, 9)}, "a board of side 5 cannot be made"),
        ({"side": 3, "family": "b"}, "no grid of side 3 obeys all conditions"),
        ({"givens": (2, 4)}, "4 givens leave no cell of a grid of side 2 free"),
        (
            {"side": 9, "givens": (1, 7)},
            "side 9; it needs at least 8",
        ),
        ({"givens": (2, 1)}, r"givens=2\.\.1 is empty"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        StandardSudoku.new(Random(0), **{"family": "a"} | level)
