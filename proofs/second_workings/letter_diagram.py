"""Letter diagrams cell by cell, always in the cell that the fewest letters fit."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Any

Grid = list[list[str]]


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    """Fails unless exactly one grid fits."""
    (grid,) = solutions(instance)
    return grid, grid


def solutions(instance: Any) -> list[Grid]:
    """All of them."""
    side = isqrt(len(instance.cells))
    grid = [list(instance.cells[start * side : (start + 1) * side]) for start in range(side)]
    for row in range(side):
        for column in range(side):
            letter, grid[row][column] = grid[row][column], "."
            if letter not in (".", *_fitting(grid, row, column, instance.family)):
                return []
            grid[row][column] = letter
    return list(_filled(grid, instance.family))


def _filled(grid: Grid, family: str) -> Iterator[Grid]:
    every = range(len(grid))
    choices = {
        (row, column): _fitting(grid, row, column, family)
        for row in every
        for column in every
        if grid[row][column] == "."
    }
    if not choices:
        yield [list(row) for row in grid]
        return
    row, column = min(choices, key=lambda place: len(choices[place]))
    for letter in choices[row, column]:
        grid[row][column] = letter
        yield from _filled(grid, family)
        grid[row][column] = "."


def _fitting(grid: Grid, row: int, column: int, family: str) -> list[str]:
    """The letters of an empty cell that no other cell refutes."""
    side = len(grid)
    seen = {*grid[row], *(line[column] for line in grid)}
    falling, rising = row == column, row + column == side - 1
    letters = "abcdefghi"[:side]
    if side > 2 and family == "a" and falling:
        seen |= {grid[at][at] for at in range(side)}
    if side > 2 and family == "b" and rising:
        told = {grid[at][side - 1 - at] for at in range(side)} - {"."}
        if len(told) > 1:
            return []
        letters = "".join(told) or letters
    return [letter for letter in letters if letter not in seen]
