"""Sudoku grids: boxes, lines and candidates.

Sides 4 to 16 that split into boxes; values are 1 to 9, then A to G.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isqrt
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from quandary.puzzles._shared.square_grid import EMPTY, side_of

Unit: TypeAlias = Literal["row", "column", "box"]
UNITS: tuple[Unit, ...] = ("row", "column", "box")  # in the order of `places`
SYMBOLS = "123456789ABCDEFG"
BITS = {symbol: 1 << value for value, symbol in enumerate(SYMBOLS)}
SIDES = tuple(
    side
    for side in range(4, len(SYMBOLS) + 1)
    if any(side % height == 0 for height in range(2, isqrt(side) + 1))
)


def box_shape(side: int) -> tuple[int, int]:
    """Rows and columns of a box: 2 by 2, 2 by 3, 3 by 3, ..."""
    if side not in SIDES:
        raise ValueError(
            f"a board of side {side} cannot be made; choose one of {', '.join(map(str, SIDES))}"
        )
    height = max(height for height in range(2, isqrt(side) + 1) if side % height == 0)
    return height, side // height


@cache
def places(side: int) -> tuple[tuple[int, int, int], ...]:
    """Row, column and box of each cell."""
    height, width = box_shape(side)
    return tuple(
        (row, column, row // height * height + column // width)
        for row in range(side)
        for column in range(side)
    )


class Repeat(NamedTuple):
    """Two cells of one row, column or box that hold the same value."""

    cell: int
    unit: Unit
    again: int

    def places(self, side: int) -> dict[str, int]:
        """Row and column of both cells, counted from 1, by name."""
        row, column = divmod(self.cell, side)
        row2, column2 = divmod(self.again, side)
        return {"row": row + 1, "column": column + 1, "row2": row2 + 1, "column2": column2 + 1}


def first_repeat(cells: str) -> Repeat | None:
    """Return the first value of a full grid that repeats in its row, else its column, else
    its box.
    """
    side = side_of(cells)
    if all(len(set(pick(cells))) == side for pick in _unit_pickers(side)):
        return None
    return next(pair for pair in _pairs(side) if cells[pair.cell] == cells[pair.again])


@cache
def _unit_pickers(side: int) -> tuple[Callable[[str], tuple[str, ...]], ...]:
    """Return what picks the cells of each row, column and box out of a grid."""
    chosen: dict[tuple[Unit, int], list[int]] = {}
    for cell, where in enumerate(places(side)):
        for unit, number in zip(UNITS, where, strict=True):
            chosen.setdefault((unit, number), []).append(cell)
    return tuple(itemgetter(*cells) for cells in chosen.values())


@cache
def _pairs(side: int) -> tuple[Repeat, ...]:
    """Return every two cells that must differ, in the order of the search for repeats."""
    where = places(side)
    return tuple(
        Repeat(cell, unit, again)
        for cell in range(len(where))
        for kind, unit in enumerate(UNITS)
        for again in range(cell + 1, len(where))
        if where[again][kind] == where[cell][kind]
    )


@cache
def in_line(side: int) -> list[list[int]]:
    """For each cell all those in its row or column, itself too."""
    where = places(side)
    return [
        [other for other, there in enumerate(where) if here[0] == there[0] or here[1] == there[1]]
        for here in where
    ]


def candidates(cells: str) -> list[int]:
    """Return the values that fit each empty cell without a repeat, as bits; 0 for a filled cell."""
    side = side_of(cells)
    rows, columns, boxes = [0] * side, [0] * side, [0] * side
    for (row, column, box), value in zip(places(side), cells, strict=True):
        if value != EMPTY:
            bit = BITS[value]
            rows[row] |= bit
            columns[column] |= bit
            boxes[box] |= bit
    every = (1 << side) - 1
    return [
        every & ~(rows[row] | columns[column] | boxes[box]) if value == EMPTY else 0
        for (row, column, box), value in zip(places(side), cells, strict=True)
    ]


def easiest(cells: str) -> int | None:
    """Return the empty cell a person fills first.

    That is a cell with one value left, otherwise the only place of a value in a line or box,
    otherwise a cell with the fewest values left.
    """
    left = candidates(cells)
    empty = [cell for cell, value in enumerate(cells) if value == EMPTY]
    tightest = min(empty, key=lambda cell: left[cell].bit_count(), default=None)
    if tightest is None or left[tightest].bit_count() <= 1:
        return tightest
    side = side_of(cells)
    for kind in range(3):
        once, again = [0] * side, [0] * side
        for cell in empty:
            unit = places(side)[cell][kind]
            again[unit] |= once[unit] & left[cell]
            once[unit] |= left[cell]
        for cell in empty:
            unit = places(side)[cell][kind]
            if left[cell] & ~again[unit]:
                return cell
    return tightest
