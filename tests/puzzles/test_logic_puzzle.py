"""Logic puzzle: solving, making and recognising grids."""

from __future__ import annotations

import json
from itertools import chain, permutations, product
from math import prod
from random import Random

import pytest
from proofs.second_workings.logic_puzzle import solutions

from quandary.puzzles.questions.planning.logic_puzzle import LogicPuzzle
from quandary.puzzles.questions.planning.logic_puzzle.solver import (
    Choice,
    Grid,
    canonical,
    choices,
    drawn,
    only_choice,
)

FAMILIES = [(family, level) for family in "abc" for level in range(4)]


def _made(family: str, level: int, seed: int) -> LogicPuzzle:
    return LogicPuzzle.new(Random(f"{family}{level}#{seed}"), level=level, family=family)


def _answer(question: LogicPuzzle) -> list[list[str]]:
    answer: list[list[str]] = json.loads(question.solution())["answer"]
    return answer


def test_a_grid_by_hand() -> None:
    """3 leaves room for 1 alone in its row and column, so 2 is chosen elsewhere."""
    question = LogicPuzzle("a", 0, ((2, 3), (2, 1)), 4, ((3, (0, 1)),))

    assert [["2", "2"], ["2", "1"], ["1", "2"]] == _answer(question)
    assert "The number 3 in the cell (1,2) is already chosen." in question.text(0)


def test_products_are_named_from_the_bottom_left() -> None:
    """-2 and -1 must share the top row, or stand alone, as -3 and -1 share the right column."""
    grid = ((-2, -1), (-2, -3))
    question = LogicPuzzle("c", 0, grid, None, ((-2, (0, 0)),))

    assert [["2", "1"], ["1", "2"], ["2", "2"]] == _answer(question)
    assert "The number -2 in the cell (1,2) is already chosen." in question.text(0)


@pytest.mark.parametrize("bound", [4, 5, None])
def test_all_choices_of_small_grids(bound: int | None) -> None:
    """They are those that brute force over all sets of cells finds."""
    numbers = (1, 2, 3) if bound else (-1, 1, 2)
    for cells in product(numbers, repeat=4):
        grid = (cells[:2], cells[2:])
        if set(cells) == set(numbers):
            found = {tuple(sorted(one.items())) for one in choices(grid, bound, {})}
            assert found == _by_sets_of_cells(grid, bound)


def _by_sets_of_cells(
    grid: Grid, bound: int | None
) -> set[tuple[tuple[int, tuple[int, int]], ...]]:
    numbers = sorted(set(chain(*grid)))
    places = list(product(range(len(grid)), repeat=2))
    found = set()
    for chosen in permutations(places, len(numbers)):
        if [grid[row][column] for row, column in chosen] != numbers:
            continue
        lines = [
            [grid[row][column] for row, column in chosen if (row, column)[axis] == line]
            for axis in (0, 1)
            for line in range(len(grid))
        ]
        keep = [sum(line) <= bound if bound else len(line) < 2 or prod(line) > 0 for line in lines]
        if all(keep):
            found.add(tuple(zip(numbers, chosen, strict=True)))
    return found


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_exactly_one_choice_is_right(family: str, level: int) -> None:
    for seed in range(5 if level == 3 else 30):
        made = _made(family, level, seed)
        assert 1 == len(solutions(made.grid, made.bound, dict(made.told)))


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_grow_as_in_the_paper(family: str, level: int) -> None:
    made = _made(family, level, 0)
    count = (3, 4, 6, 8)[level]

    assert (2, 3, 4, 5)[level] == len(made.grid) == len(made.grid[0])
    assert count == len(set(chain(*made.grid))) == len(_answer(made))
    assert (2 if family == "b" and level > 1 else 1) == len(made.told)
    assert (None if family == "c" else (4, 4, 6, 8)[level]) == made.bound


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_what_is_told_is_part_of_the_answer(family: str, level: int) -> None:
    made = _made(family, level, 1)
    numbers = sorted(set(chain(*made.grid)))
    for number, (row, column) in made.told:
        named = [column + 1, len(made.grid) - row] if family == "c" else [row + 1, column + 1]
        assert made.grid[row][column] == number
        assert [*map(str, named)] == _answer(made)[numbers.index(number)]


def test_the_same_task_in_another_order_has_the_same_form() -> None:
    for family, level in FAMILIES:
        made, rng = _made(family, level, 2), Random(level)
        images = [made.equivalent(rng) for _ in range(20)]
        assert {made.canonical()} == {image.canonical() for image in images}
        assert len({image.grid for image in images}) > 1


def test_forms_are_equal_for_orders_of_lines_alone() -> None:
    """Against all orders of the lines of small grids, with each cell marked in turn."""
    rng, forms = Random(0), dict[object, object]()
    grids = [(cells[:3], cells[3:6], cells[6:]) for cells in product((1, 2), repeat=9)]
    for grid in rng.sample(grids[1:-1], 200):  # with both numbers
        place = rng.randrange(3), rng.randrange(3)
        told: Choice = {grid[place[0]][place[1]]: place}
        assert forms.setdefault(canonical(grid, told), _least(grid, place)) == _least(grid, place)
    assert len(forms) == len(set(map(str, forms.values())))


def _least(grid: Grid, place: tuple[int, int]) -> object:
    images = []
    for image, at in ((grid, place), (tuple(zip(*grid, strict=True)), place[::-1])):
        for rows in permutations(range(len(grid))):
            for columns in permutations(range(len(grid))):
                cells = tuple(image[row][column] for row in rows for column in columns)
                images.append((cells, rows.index(at[0]), columns.index(at[1])))
    return min(images)


@pytest.mark.parametrize(("bound", "numbers"), [(4, (1, 2, 3)), (None, (-3, -2, -1))])
def test_few_instances_are_counted(bound: int | None, numbers: tuple[int, ...]) -> None:
    """All grids of two lines with a number that is told, so that one choice is left."""
    forms = set()
    for cells in product(numbers, repeat=4):
        grid = (cells[:2], cells[2:])
        for place in product(range(2), repeat=2):
            told = {grid[place[0]][place[1]]: place}
            if set(cells) == set(numbers) and only_choice(grid, bound, told):
                forms.add(canonical(grid, told))
    families = "ab" if bound else "c"

    for family in families:
        assert LogicPuzzle.distinct_instances[f"0,family={family}"].instances == len(forms)


def test_grids_that_cannot_be_made_are_refused() -> None:
    for sizes, why in (
        ({"size": 2, "count": 5}, "5 cells cannot be chosen from 2 x 2"),
        ({"size": 3, "count": 3, "told": 3}, "at most 2 of 3 chosen cells can be told"),
    ):
        with pytest.raises(ValueError, match=why):
            LogicPuzzle.new(Random(1), family="a", **sizes)


def test_no_choice_is_planted_where_there_is_none() -> None:
    """Nine numbers in two lines go beyond every bound."""
    assert drawn(Random(1), 2, [1, 2, 3, 4], 4, 1) is None
