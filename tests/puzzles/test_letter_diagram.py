"""Letter diagrams: known grids, one solution by brute force, rules that all count, symmetry."""

from __future__ import annotations

from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from grid_images import images
from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.planning.letter_diagram import LetterDiagram

GIVENS = (2, 3, 7, 19)  # at most, by level
SIDES = (2, 3, 4, 7)


def diagram(family: str, rows: str) -> LetterDiagram:
    """A question of level 1; rows are parted by slashes."""
    return LetterDiagram(family, 1, rows.replace("/", ""))


def drawn(family: str, level: int, amount: int) -> list[LetterDiagram]:
    sizes = {"level": level, "family": family}
    return [LetterDiagram.new(Random(f"{sizes} {seed}"), **sizes) for seed in range(amount)]


def answer(made: LetterDiagram) -> str:
    return "/".join("".join(row) for row in made.work().answer)


def by_force(made: LetterDiagram) -> list[str]:
    """All grids that fit, row by row from all orders of the letters."""
    side = made.side
    letters = "abcd"[:side]
    rows = [
        [
            "".join(row)
            for row in permutations(letters)
            if all(cell in (".", own) for cell, own in zip(given, row, strict=True))
        ]
        for given in (made.cells[start : start + side] for start in range(0, side**2, side))
    ]
    found = []
    for grid in product(*rows):
        falling = {row[at] for at, row in enumerate(grid)}
        rising = {row[-1 - at] for at, row in enumerate(grid)}
        if any(len(set(column)) < side for column in zip(*grid, strict=True)):
            continue
        if side > 2 and (len(falling) < side if made.family == "a" else len(rising) > 1):
            continue
        found.append("".join(grid))
    return found


@pytest.mark.parametrize(
    ("family", "rows", "expected"),
    [
        ("a", "a../.c./...", "abc/bca/cab"),
        ("b", "a../.../..b", "abc/bca/cab"),  # neither a nor b can be on the diagonal
        ("a", "a./..", "ab/ba"),
        ("b", ".a/..", "ba/ab"),
        ("b", "ab.c/d.../..../....", "abdc/dacb/bcad/cdba"),
    ],
)
def test_known_diagrams(family: str, rows: str, expected: str) -> None:
    made = diagram(family, rows)

    assert expected == answer(made)
    assert [expected.replace("/", "")] == by_force(made)


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_one_solution_by_brute_force(family: str, level: int) -> None:
    for made in drawn(family, level, 25):
        assert [answer(made).replace("/", "")] == by_force(made)


@pytest.mark.parametrize("family", ["a", "b"])
def test_all_solutions_are_found(family: str) -> None:
    """Of grids with so few letters that several fit, or none."""
    rng = Random(family)
    amounts = set()
    for _ in range(60):
        side = rng.choice((2, 3, 4))
        cells = ["."] * side**2
        for cell in rng.sample(range(side**2), rng.randint(side // 2, side)):
            cells[cell] = rng.choice("abcd"[:side])
        made = LetterDiagram(family, 1, "".join(cells))
        amounts.add(len(made.full_grids(1_000)))

        assert sorted(by_force(made)) == sorted(made.full_grids(1_000))
    assert {0, 1, 2} <= amounts


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", range(4))
def test_sizes(family: str, level: int) -> None:
    for made in drawn(family, level, 30):
        letters = len(made.cells) - made.cells.count(".")

        assert SIDES[level] == made.side
        assert 1 <= letters <= GIVENS[level]
        assert made.asks_process == (level > 0)
        assert made.work().answer == made.work().process


@pytest.mark.parametrize("family", ["a", "b"])
@pytest.mark.parametrize("level", [2, 3])
def test_no_rule_is_idle(family: str, level: int) -> None:
    """Without rows, columns or the diagonal more than one grid fits."""
    for made in drawn(family, level, 20):
        assert len(made.rules_in_play()) == 3
        for rule in made.rules_in_play():
            grids = made.full_grids(2, without=rule)
            assert len(grids) == 2
            assert any("*" in row for row in made.work(without=rule).answer)


def test_two_by_two_has_no_diagonal_rule() -> None:
    for family, name, chinese in (
        ("a", "main diagonal", "主对角线"),
        ("b", "anti-diagonal", "副对角线"),
    ):
        made = instance(f"letter_diagram/0,family={family}@test#1")

        assert made.rules_in_play() == ("rows", "columns")
        assert f"There is no rule for the {name} or any other diagonal." in made.rules()
        assert f"本题对{chinese}和其他斜线都不作要求。" in made.rules("zh")


@pytest.mark.parametrize("family", ["a", "b"])
def test_canonical_is_that_of_all_images_and_of_no_others(family: str) -> None:
    """All diagrams of 3 x 3 with two or three letters, told apart by brute force."""
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}]
    special = [{0, 4, 8}] if family == "a" else [{2, 4, 6}]
    full = LetterDiagram(family, 1, "." * 9).full_grids(100)
    forms = dict[str, Any]()
    for grid, count in product(full, (2, 3)):
        for kept in combinations(range(9), count):
            cells = "".join(letter if at in kept else "." for at, letter in enumerate(grid))
            forms[cells] = LetterDiagram(family, 1, cells).canonical()
    least = {cells: min(images(cells, "abc", lines, special)) for cells in forms}

    assert len(set(forms.values())) == len(set(least.values()))
    assert len(set(zip(forms.values(), least.values(), strict=True))) == len(set(least.values()))
    unique = {
        least[cells] for cells in forms if len(LetterDiagram(family, 1, cells).full_grids(2)) == 1
    }
    assert LetterDiagram.distinct_instances[f"1,family={family}"].instances == len(unique)


def test_a_grid_that_nothing_fits_is_told() -> None:
    with pytest.raises(ValueError, match="no grid obeys all rules"):
        diagram("b", "a../..b/...").work()


def test_other_tasks_have_other_forms() -> None:
    one = diagram("a", "a../.c./...")

    assert one.canonical() != diagram("a", "a../..c/...").canonical()
    assert one.canonical() != diagram("b", "a../.c./...").canonical()
    assert diagram("a", "a./..").canonical() == diagram("b", "../.b").canonical()
    assert diagram("a", "a./..").canonical() != LetterDiagram("a", 0, "a...").canonical()


@pytest.mark.parametrize(
    ("level", "advice"),
    [
        ({"side": 1}, "side=1 is out of bounds; write 2 to 9"),
        ({"side": 3, "givens": (4, 9)}, "9 givens leave no cell of a grid of side 3 free"),
        ({"givens": (0, 2)}, r"givens=0\.\.2 is out of bounds"),
        ({"side": 5, "givens": (1, 3)}, "3 givens leave several ways to fill a grid of side 5"),
    ],
)
def test_impossible_sizes_are_refused(level: dict[str, Any], advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        LetterDiagram.new(Random(0), family="a", **level)
