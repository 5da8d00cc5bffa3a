"""Square grids as text: the cells row by row, "." for an empty cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import isqrt
from operator import itemgetter
from typing import NamedTuple

EMPTY = "."


class GridSymmetry(NamedTuple):
    """A rotation or reflection of a grid, with new names for its values."""

    sources: tuple[int, ...]  # for each cell the one that it comes from
    names: Mapping[int, int] = {}  # as `str.translate` takes them

    def grid(self, cells: str) -> str:
        """Return the whole grid after the turn."""
        return "".join(itemgetter(*self.sources)(cells)).translate(self.names)

    def cell(self, cell: int) -> int:
        """Return where a cell goes."""
        return self.sources.index(cell)


@cache
def turns(side: int) -> tuple[GridSymmetry, ...]:
    """Return the eight rotations and reflections; the first four take rows to rows."""
    ends = range(side), range(side - 1, -1, -1)
    straight = (
        tuple(row * side + column for row in rows for column in columns)
        for rows in ends
        for columns in ends
    )
    crossed = (
        tuple(row * side + column for column in columns for row in rows)
        for rows in ends
        for columns in ends
    )
    return (*map(GridSymmetry, straight), *map(GridSymmetry, crossed))


def side_of(cells: str) -> int:
    return isqrt(len(cells))


def rows_of(cells: str) -> list[str]:
    side = side_of(cells)
    return [cells[start : start + side] for start in range(0, len(cells), side)]


def lines_of(cells: str) -> str:
    """Return the grid with one row per line."""
    return "\n".join(rows_of(cells))


def columns_of(cells: str) -> list[str]:
    side = side_of(cells)
    return [cells[column::side] for column in range(side)]
