"""The game 2048 without new tiles: all numbers slide to one side, and equal ones merge."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.kit.boards import Board, transposed


def slid(grid: Board[int], letter: str, merging: bool = True) -> Board[int]:
    """The grid after a move u, d, l or r; 0 is an empty cell."""
    lines = transposed(grid) if letter in "ud" else grid
    backwards = letter in "dr"
    moved = tuple(_line(line[::-1] if backwards else line, merging) for line in lines)
    laid = tuple(line[::-1] for line in moved) if backwards else moved
    return transposed(laid) if letter in "ud" else laid


def _line(line: Sequence[int], merging: bool) -> tuple[int, ...]:
    """A line whose numbers have moved to its beginning."""
    made, can_merge = list[int](), False
    for number in filter(None, line):
        can_merge = can_merge and made[-1] == number and merging
        if can_merge:
            made[-1], can_merge = 2 * number, False
        else:
            made, can_merge = [*made, number], True
    return (*made, *(0,) * (len(line) - len(made)))
