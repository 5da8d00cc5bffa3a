"""Pattern recognition by looking at the corner of every possible square."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    size, grid = len(instance.grid), instance.grid
    found = []
    for top in range(1, size + 1):
        for left in range(1, size + 1):
            for bottom in range(top + 1, size + 1):
                right = left + bottom - top
                if right <= size and _fits(instance.family, grid, top, left, bottom - top):
                    found.append((bottom, right if instance.family == "a" else left))
    (corner,) = found
    return [str(number) for number in corner], [str(number) for number in corner]


def _fits(family: str, grid: Any, top: int, left: int, longest: int) -> bool:
    """The square's cells are looked up one by one, counted from 1 in the whole grid."""
    everywhere, falling, rising = set(), set(), set()
    for down in range(longest + 1):
        for right in range(longest + 1):
            letter = grid[top + down - 1][left + right - 1]
            everywhere.add(letter)
            if down == right:
                falling.add(letter)
            if down + right == longest:
                rising.add(letter)
    if family == "a":
        return len(everywhere) == 1
    return len(falling) == len(rising) == 1 and falling != rising
