"""Square grids as text: the cells row by row, "." for an empty cell."""

from __future__ import annotations

from math import isqrt

EMPTY = "."


def side_of(cells: str) -> int:
    return isqrt(len(cells))


def rows_of(cells: str) -> list[str]:
    side = side_of(cells)
    return [cells[start : start + side] for start in range(0, len(cells), side)]


def lines_of(cells: str) -> str:
    """The grid with one row per line."""
    return "\n".join(rows_of(cells))


def columns_of(cells: str) -> list[str]:
    side = side_of(cells)
    return [cells[column::side] for column in range(side)]
