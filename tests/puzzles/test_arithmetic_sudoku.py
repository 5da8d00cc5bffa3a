"""Arithmetic sudoku: known grids, one solution by brute force, clues that all count, symmetry."""

from __future__ import annotations

from itertools import permutations, product
from math import prod
from random import Random
from typing import Any

import pytest
from proofs.second_workings.arithmetic_sudoku import solutions

from grid_images import moves
from quandary.puzzles.questions.planning.arithmetic_sudoku import ArithmeticSudoku
from quandary.puzzles.questions.planning.arithmetic_sudoku.solver import Cage, result

SIDES = {"a": (2, 3, 3, 4), "b": (2, 3, 4, 4)}
CLUES = {"a": ((2, 3), (4, 5), (4, 5), (6, 7)), "b": ((2, 2), (3, 3), (4, 5), (5, 6))}


def arithmetic(side: int, *clues: str, family: str = "b") -> ArithmeticSudoku:
    """A question of level 1; a clue is written "11+12=5": cells, an operation and its value."""
    cages = []
    for clue in clues:
        told, value = clue.split("=")
        operation = next((sign for sign in "+-*/" if sign in told), "=")
        places = told.split(operation)
        cells = tuple((int(row) - 1) * side + int(column) - 1 for row, column in places)
        cages.append(Cage(cells, operation, int(value)))
    return ArithmeticSudoku(family, 1, side, tuple(cages))


def drawn(family: str, level: int, amount: int) -> list[ArithmeticSudoku]:
    sizes = {"level": level, "family": family}
    return [ArithmeticSudoku.new(Random(f"{sizes} {seed}"), **sizes) for seed in range(amount)]


def answer(made: ArithmeticSudoku) -> str:
    return "/".join("".join(map(str, row)) for row in made.work().answer)


@pytest.mark.parametrize(
    ("side", "clues", "expected"),
    [
        (3, ["11+12=5", "23=3", "21-31=1"], "321/213/132"),
        (2, ["11/22=1", "11*12*22=4"], "21/12"),
        (2, ["12=1"], "21/12"),
        (3, ["11*12*13=6", "11/21=3", "22-11=1", "22+23=5"], "312/123/231"),
    ],
)
def test_known_grids(side: int, clues: list[str], expected: str) -> None:
    made = arithmetic(side, *clues)

    assert expected == answer(made)
    assert len(made.full_grids(2)) == 1


@pytest.mark.parametrize(
    ("operation", "numbers", "expected"),
    [
        ("+", (1, 2, 3), 6),
        ("*", (2, 2, 3), 12),
        ("-", (1, 4), 3),
        ("-", (4, 1), 3),
        ("-", (2, 2), 0),
        ("/", (2, 4), 2),
        ("/", (3, 1), 3),
        ("/", (3, 3), 1),
        ("/", (2, 3), None),
        ("=", (4,), 4),
    ],
)
def test_results(operation: str, numbers: tuple[int, ...], expected: int | None) -> None:
    assert expected == result(operation, numbers)


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", range(4))
def test_one_solution_by_brute_force(family: str, level: int) -> None:
    for made in drawn(family, level, 20):
        assert [made.work().answer] == solutions(made)


@pytest.mark.parametrize("side", [2, 3, 4])
def test_all_solutions_are_found(side: int) -> None:
    """Of random clues, which may contradict each other."""
    rng = Random(side)
    amounts = set()
    for _ in range(60):
        cages = []
        for _ in range(rng.randint(1, 3)):
            cells = tuple(rng.sample(range(side**2), rng.randint(1, 3)))
            operation = "=" if len(cells) == 1 else rng.choice("+-*/" if len(cells) == 2 else "+*")
            value = rng.randint(1, side * len(cells) if operation != "=" else side)
            cages.append(Cage(cells, operation, value))
        made = ArithmeticSudoku("b", 1, side, tuple(cages))
        found = sorted([number for row in grid for number in row] for grid in solutions(made))
        amounts.add(len(found))

        assert found == sorted(map(list, made.full_grids(1_000)))
    assert {0, 1} < amounts


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", range(4))
def test_sizes(family: str, level: int) -> None:
    low, high = CLUES[family][level]
    for made in drawn(family, level, 30):
        cells = [cell for cage in made.cages for cell in cage.cells]
        kinds = [frozenset(cage.cells) for cage in made.cages]

        assert made.side == SIDES[family][level]
        assert low <= len(made.cages) <= high
        assert len(set(kinds)) == len(kinds)
        assert made.asks_process == (level > 0)
        assert made.work().answer == made.work().process
        assert all(type(number) is int for row in made.work().answer for number in row)
        if family == "a":
            assert sorted(cells) == list(range(made.side**2))
        assert all(len(cage.cells) == 2 for cage in made.cages if cage.operation in "-/")


def test_cages_of_family_b_overlap_or_leave_cells_free() -> None:
    for level in (1, 2, 3):
        for made in drawn("b", level, 20):
            cells = [cell for cage in made.cages for cell in cage.cells]
            assert len(set(cells)) < max(len(cells), made.side**2)


@pytest.mark.parametrize(("family", "level"), [("a", 2), ("a", 3), ("b", 2), ("b", 3)])
def test_no_rule_is_idle(family: str, level: int) -> None:
    """Without rows or columns, and in family b without any clue, more than one grid fits."""
    for made in drawn(family, level, 10):
        assert len(made.rules_in_play()) == 2 + (len(made.cages) if family == "b" else 0)
        for rule in made.rules_in_play():
            assert len(made.full_grids(2, without=rule)) == 2
            assert any(0 in row for row in made.work(without=rule).answer)
        if family == "b":
            for place in range(len(made.cages)):
                fewer = made.cages[:place] + made.cages[place + 1 :]
                assert len(solutions(ArithmeticSudoku("b", level, made.side, fewer))) > 1


def test_without_a_kind_of_lines_by_brute_force() -> None:
    """All grids of 3 x 3 whose columns or rows alone are right."""
    lines = list(permutations((1, 2, 3)))
    for made in drawn("a", 1, 5) + drawn("b", 1, 5):
        for rule, turned in (("columns", False), ("rows", True)):
            found = []
            for grid in product(lines, repeat=3):
                flat = sum(zip(*grid, strict=True) if turned else grid, ())
                if all(_holds(cage, [flat[cell] for cell in cage.cells]) for cage in made.cages):
                    found.append(flat)
            assert sorted(found) == sorted(made.full_grids(1_000, without=rule))


def _holds(cage: Cage, numbers: list[int]) -> bool:
    low, high = min(numbers), max(numbers)
    made = {
        "=": high,
        "+": sum(numbers),
        "*": prod(numbers),
        "-": high - low,
        "/": high / low,
    }
    return made[cage.operation] == cage.value


def test_canonical_is_that_of_all_images_and_of_no_others() -> None:
    """Random clues about grids of 3 x 3, told apart by brute force."""
    rng = Random("forms")
    lines = tuple(frozenset(range(row, 9, 3)) for row in range(3))
    lines += tuple(frozenset(range(row, row + 3)) for row in (0, 3, 6))
    turns = moves(3, (frozenset(lines),))
    assert len(turns) == 72
    forms, least = [], []
    for _ in range(150):
        cages = tuple(
            Cage(tuple(rng.sample(range(9), 2)), rng.choice("+*"), rng.choice((3, 3, 6)))
            for _ in range(2)
        )
        forms.append(ArithmeticSudoku("b", 1, 3, cages).canonical())
        images: list[Any] = [
            sorted((sorted(turn.index(cell) for cell in cells), *told) for cells, *told in cages)
            for turn in turns
        ]
        least.append(str(min(images)))

    assert 20 < len(set(least)) < 120
    assert len(set(forms)) == len(set(least)) == len(set(zip(forms, least, strict=True)))


def test_other_tasks_have_other_forms() -> None:
    one = arithmetic(3, "11+12=5", "23=3", "21-31=1")

    assert one.canonical() == arithmetic(3, "31-21=1", "12+11=5", "23=3").canonical()
    assert one.canonical() != arithmetic(3, "11+12=4", "23=3", "21-31=1").canonical()
    assert one.canonical() != arithmetic(3, "11*12=5", "23=3", "21-31=1").canonical()
    assert one.canonical() != arithmetic(3, "11+12=5", "22=3", "21-31=1").canonical()


def test_a_grid_that_nothing_fits_is_told() -> None:
    with pytest.raises(ValueError, match="no grid obeys all rules"):
        arithmetic(2, "11=1", "12=1").work()


def test_answers_are_whole_numbers() -> None:
    made = arithmetic(3, "11+12=5", "23=3", "21-31=1")
    right = "[[3, 2, 1], [2, 1, 3], [1, 3, 2]]"
    texts = '[["3", "2", "1"], ["2", "1", "3"], ["1", "3", "2"]]'

    assert made.check(f'{{"answer": {right}, "process": {right}}}').score == 1.0
    assert made.check(f'{{"answer": {texts}, "process": {texts}}}').score == 0.0


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        ({"side": 1}, "side=1 is out of bounds; write 2 to 6"),
        ({"cages": (0, 1)}, r"cages=0\.\.1 is out of bounds"),
        ({"cages": (5, 5)}, "5 cages of 1 to 4 cells cannot cover a grid of side 2"),
        ({"side": 3, "cages": (2, 2)}, "2 cages of 1 to 4 cells cannot cover a grid of side 3"),
        ({"cages": (1, 1)}, "1,000 tries with side=2, cages=1 made no instance"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        ArithmeticSudoku.new(Random(0), family="a", **level)
