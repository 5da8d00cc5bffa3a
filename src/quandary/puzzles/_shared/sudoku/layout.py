"""What a full grid obeys: units that hold every value once, and lines of equal values."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

from .grid import SIDES, box_shape

Cells: TypeAlias = tuple[int, ...]


class Layout(NamedTuple):
    """The conditions on all full grids of a kind; its values are as many as a row has cells."""

    side: int
    units: tuple[Cells, ...]  # each holds every value once
    equal: tuple[Cells, ...] = ()  # each holds one value alone


class Table(NamedTuple):
    """Cells, and all rows of values, from 1, that they may hold."""

    cells: Cells
    rows: tuple[tuple[int, ...], ...]


def rows(side: int) -> tuple[Cells, ...]:
    return tuple(tuple(range(start, start + side)) for start in range(0, side * side, side))


def columns(side: int) -> tuple[Cells, ...]:
    return tuple(zip(*rows(side), strict=True))


def boxes(side: int) -> tuple[Cells, ...]:
    height, width = box_shape(side)
    return tuple(
        tuple((top + y) * side + left + x for y in range(height) for x in range(width))
        for top in range(0, side, height)
        for left in range(0, side, width)
    )


def main_diagonal(side: int) -> Cells:
    """From the top left to the bottom right."""
    return tuple(range(0, side * side, side + 1))


def anti_diagonal(side: int) -> Cells:
    """From the top right to the bottom left."""
    return tuple((row + 1) * (side - 1) for row in range(side))


@cache
def sudoku(side: int) -> Layout:
    """Rows, columns and boxes."""
    return Layout(side, (*rows(side), *columns(side), *boxes(side)))


def is_boxed(layout: Layout) -> bool:
    """Return whether the boxes of a sudoku are among its units."""
    return layout.side in SIDES and boxes(layout.side)[0] in layout.units
