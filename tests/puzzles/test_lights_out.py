"""Lights out: known presses, small levels counted, and what is told."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.lights_out import LightsOut

LEVELS = [(family, level) for family in "ab" for level in range(4)]


def lamps(family: str, grid: str, buttons: str, rounds: str) -> LightsOut:
    """Buttons as "11 12, 21", lamps counted from 1; rounds as "AB, B"."""
    return LightsOut(
        family,
        2,
        tuple(tuple(map(int, row)) for row in grid.split("/")),
        tuple(
            tuple((int(lamp[0]) - 1, int(lamp[1]) - 1) for lamp in button.split())
            for button in buttons.split(",")
        ),
        tuple(rounds.replace(" ", "").split(",")),
    )


def grids(question: LightsOut) -> list[str]:
    return ["/".join(map("".join, grid)) for grid in question.work().process]


def test_the_worked_example_of_the_specification() -> None:
    question = lamps("a", "10/01", "11 12", "A, A")

    assert question.work() == (
        [["1", "0"], ["0", "1"]],
        [[["0", "1"], ["0", "1"]], [["1", "0"], ["0", "1"]]],
    )


@pytest.mark.parametrize(
    ("family", "grid", "buttons", "rounds", "after"),
    [
        ("a", "000/010/111", "11 22, 22 33", "AB", ["100/010/110"]),  # 22 changes twice
        ("a", "000/010/111", "11 22, 22 33", "B, A", ["000/000/110", "100/010/110"]),
        ("b", "123/123/123", "11 12 13", "A", ["231/123/123"]),
        ("b", "123/123/123", "11 12 13, 13 23", "AB, A", ["232/121/123", "313/121/123"]),
    ],
)
def test_by_hand(family: str, grid: str, buttons: str, rounds: str, after: list[str]) -> None:
    assert grids(lamps(family, grid, buttons, rounds)) == after


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_sizes(family: str, level: int) -> None:
    """The paper's; with two buttons or more, a lamp is changed twice in some round."""
    for seed in range(10):
        made = instance(f"lights_out/{level},family={family}#{seed}")
        pairs = [presses for presses in made.rounds if len(presses) == 2]

        assert (len(made.grid), len(made.buttons), len(made.rounds)) == (
            (2, 1, 1),
            (3, 1, 1),
            (4, 2, 2),
            (5, 3, 3),
        )[level]
        assert set("".join(made.rounds)) == set("ABC"[: len(made.buttons)])
        assert level < 2 or any(
            set(made.buttons["ABC".index(one)]) & set(made.buttons["ABC".index(other)])
            for one, other in pairs
        )


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_the_last_grid_differs_from_the_first(family: str, level: int) -> None:
    for seed in range(200):
        made = instance(f"lights_out/{level},family={family}#{seed}")

        assert made.work().answer != [[str(state) for state in row] for row in made.grid]


@pytest.mark.parametrize(("family", "rounds"), [("a", 2), ("b", 3)])
def test_presses_that_always_cancel_out_are_refused(family: str, rounds: int) -> None:
    """One button that is pressed in every round, until all lamps are as before."""
    with pytest.raises(ValueError, match="made no instance; sizes that do are"):
        LightsOut.new(Random(0), family=family, rounds=rounds)


@pytest.mark.parametrize("family", ["a", "b"])
def test_the_smallest_level_is_counted(family: str) -> None:
    """All grids and buttons of two or three lamps; with colours, one goes from blue to red."""
    states, blue = {"a": ((0, 1), ()), "b": ((1, 2, 3), (3,))}[family]
    cells = list(product((0, 1), repeat=2))
    forms = set()
    for count in (2, 3):
        for button, numbers in product(combinations(cells, count), product(states, repeat=4)):
            grid = (numbers[:2], numbers[2:])
            if not blue or any(grid[y][x] in blue for y, x in button):
                forms.add(LightsOut(family, 0, grid, (button,), ("A",)).canonical())

    assert len(forms) == LightsOut.distinct_instances[f"0,family={family}"].instances


def test_the_smallest_level_has_both_families() -> None:
    both = sum(LightsOut.distinct_instances[f"0,family={family}"].instances for family in "ab")

    assert both == LightsOut.distinct_instances["0"].instances


def test_names_and_order_of_buttons_make_no_difference() -> None:
    one = lamps("a", "100/000/000", "11 12, 22", "AB, B")
    renamed = lamps("a", "100/000/000", "22, 11 12", "AB, A")
    mirrored = lamps("a", "001/000/000", "12 13, 22", "BA, B")
    other = lamps("a", "100/000/000", "11 12, 22", "AB, A")

    assert one.canonical() == renamed.canonical() == mirrored.canonical() != other.canonical()


def test_what_is_told() -> None:
    question = lamps("a", "10/01", "11 12, 22", "AB, B")

    assert question.text(0).splitlines() == [
        "The grid before the first round:",
        "1 0",
        "0 1",
        "Button A controls (1,1), (1,2)",
        "Button B controls (2,2)",
        "Round 1: A, B",
        "Round 2: B",
    ]
    assert question.text(0, "zh").splitlines()[3:] == [
        "按钮 A 控制 (1,1)、(1,2)",
        "按钮 B 控制 (2,2)",
        "第 1 轮：A、B",
        "第 2 轮：B",
    ]


def test_sizes_without_room_are_refused() -> None:
    with pytest.raises(ValueError, match="size=60 is out of bounds; write 2 to 12"):
        LightsOut.new(Random(0), size=60)
    with pytest.raises(ValueError, match="made no instance; sizes that do are"):
        LightsOut.new(Random(0), buttons=5, rounds=2)  # some are never pressed
