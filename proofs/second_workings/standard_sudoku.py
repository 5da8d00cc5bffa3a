"""Standard sudoku by lists of what is left, always going on where the fewest choices are."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any

Grid = list[list[str]]
Place = tuple[int, int]  # row and column
Filled = dict[Place, str]


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    """Fails unless exactly one grid fits."""
    (grid,) = solutions(instance)
    return grid, grid


def solutions(instance: Any) -> list[Grid]:
    """All of them."""
    side = isqrt(len(instance.cells))
    lines = _lines(side, instance.boxes, instance.family == "b" and side > 2)
    given = {divmod(at, side): cell for at, cell in enumerate(instance.cells) if cell != "."}
    for line in lines:
        values = [given[place] for place in line if place in given]
        if len(set(values)) < len(values):
            return []
    return [
        [[filled[row, column] for column in range(side)] for row in range(side)]
        for filled in _search(given, lines, side)
    ]


def _lines(side: int, boxes: bool, diagonals: bool) -> list[list[Place]]:
    """All sets of places that must hold different values."""
    every = range(side)
    lines = [[(row, column) for column in every] for row in every]
    lines += [[(row, column) for row in every] for column in every]
    if boxes:
        height = max(number for number in (1, 2, 3) if side % number == 0 and number**2 <= side)
        width = side // height
        for top in range(0, side, height):
            for left in range(0, side, width):
                lines.append([(top + at // width, left + at % width) for at in every])
    if diagonals:
        lines += [[(at, at) for at in every], [(at, side - 1 - at) for at in every]]
    return lines


def _search(filled: Filled, lines: list[list[Place]], side: int) -> Iterator[Filled]:
    if len(filled) == side * side:
        yield filled
        return
    for place, value in _tightest(filled, lines, side):
        yield from _search(filled | {place: value}, lines, side)


def _tightest(filled: Filled, lines: list[list[Place]], side: int) -> list[tuple[Place, str]]:
    """All ways to fill one place, or to place one value in one line: whichever has the fewest."""
    values = "123456789"[:side]
    left = {(row, column): set(values) for row in range(side) for column in range(side)}
    for line in lines:
        used = {filled[place] for place in line if place in filled}
        for place in line:
            left[place] -= used
    choices = [
        [(place, value) for value in sorted(left[place])] for place in left if place not in filled
    ]
    for line in lines:
        used = {filled[place] for place in line if place in filled}
        for value in values:
            if value not in used:
                open_places = [one for one in line if one not in filled and value in left[one]]
                choices.append([(place, value) for place in open_places])
    return min(choices, key=len)
