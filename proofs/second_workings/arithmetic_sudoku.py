"""Arithmetic sudoku by writing down every square and crossing out those that a cage refutes."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

Grid = tuple[tuple[int, ...], ...]


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    """Fails unless exactly one grid fits."""
    (grid,) = solutions(instance)
    return grid, grid


def solutions(instance: Any) -> list[list[list[int]]]:
    """All of them."""
    return [
        [list(row) for row in square]
        for square in squares(instance.side)
        if all(_holds(cage, square) for cage in instance.cages)
    ]


@cache
def squares(side: int) -> list[Grid]:
    """All ways to write 1 to n once into each row and column."""
    rows = list(permutations(range(1, side + 1)))
    found: list[Grid] = [()]
    for _ in range(side):
        found = [
            (*above, row)
            for above in found
            for row in rows
            if all(one != other for line in above for one, other in zip(line, row, strict=True))
        ]
    return found


def _holds(cage: Any, square: Grid) -> bool:
    numbers = [square[cell // len(square)][cell % len(square)] for cell in cage.cells]
    if cage.operation == "=":
        return numbers == [cage.value]
    if cage.operation == "+":
        return sum(numbers) == cage.value
    if cage.operation == "*":
        together = 1
        for number in numbers:
            together *= number
        return together == cage.value
    one, other = numbers
    if cage.operation == "-":
        return cage.value in (one - other, other - one)
    return one == other * cage.value or other == one * cage.value
