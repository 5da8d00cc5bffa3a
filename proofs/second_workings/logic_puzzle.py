"""Logic puzzle: every cell of each number is tried, and the rule is looked at in the end."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    (chosen,) = solutions(instance.grid, instance.bound, dict(instance.told))
    size = len(instance.grid)
    if instance.bound is None:
        answer = [[str(x + 1), str(size - y)] for y, x in chosen]
    else:
        answer = [[str(y + 1), str(x + 1)] for y, x in chosen]
    return answer, answer


def solutions(grid: Any, bound: int | None, told: Any) -> list[tuple[tuple[int, int], ...]]:
    """The chosen cells, in the order of their numbers, of every choice that keeps the rule."""
    size = len(grid)
    numbers = sorted({number for row in grid for number in row})
    cells = [
        [told[number]]
        if number in told
        else [(y, x) for y in range(size) for x in range(size) if grid[y][x] == number]
        for number in numbers
    ]
    lines = [[(y, x) for x in range(size)] for y in range(size)]
    lines += [[(y, x) for y in range(size)] for x in range(size)]
    return [
        chosen
        for chosen in product(*cells)
        if all(_keeps([grid[y][x] for y, x in line if (y, x) in chosen], bound) for line in lines)
    ]


def _keeps(chosen: list[int], bound: int | None) -> bool:
    if bound is None:
        return len(chosen) < 2 or prod(chosen) > 0
    return sum(chosen) <= bound
