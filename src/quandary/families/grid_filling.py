"""Grids that one player fills cell by cell: the base class of sudoku and takuzu."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

from quandary.core.contract import Ending, Game, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.kit.square_grid import EMPTY, rows_of, side_of

from .grid_notation import write_fill

CARVINGS = 20  # how many grids are carved before a number of blanks is given up
FILL_IN_LIST = re.compile(  # (0, 3, 2), [0, 3, 2], [(0, 3), 2]
    r"[\[(]\s{0,9}[\[(]?\s{0,9}[0-9]{1,4}\s{0,9},\s{0,9}[0-9]{1,4}\s{0,9}[\])]?\s{0,9},\s{0,9}\w{1,4}\s{0,9}[\])]"
)


@dataclass(frozen=True)
class Filling(Game):
    """A grid under way; it is lost once an empty cell has no value left."""

    givens: str  # the grid at the start, row by row, "." for an empty cell
    cells: str  # the grid now

    seats = 1

    @abstractmethod
    def fills(self) -> Sequence[Collection[Move]]:
        """For each cell the fills that break no rule at once; none for a filled cell."""

    @abstractmethod
    def grid(self, said: str) -> str:
        """The cells of a grid that `said` writes, or Unreadable."""

    def options(self) -> Options:
        left = self.fills()
        if any(not fills and value == EMPTY for fills, value in zip(left, self.cells, strict=True)):
            return {}  # a dead end
        moves = [move for fills in left for move in fills]
        return {0: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> Self:
        row, column, value = move.split()
        cell = int(row) * side_of(self.cells) + int(column)
        return type(self)(self.givens, self.cells[:cell] + value + self.cells[cell + 1 :])

    def scores(self) -> tuple[float]:
        return (float(EMPTY not in self.cells and self.solvable()),)

    def ending(self) -> Ending:
        return Ending("dead_end" if EMPTY in self.cells else "goal")

    def branches(self) -> Collection[Move]:
        """One cell is enough to search: the first one with the fewest values left."""
        empty = (fills for fills, value in zip(self.fills(), self.cells, strict=True) if value == EMPTY)
        return min(empty, key=len, default=())

    def moves(self, said: str) -> Sequence[Move]:
        """A full grid, fills one a line, or a list of fills such as [(0, 3, 2), (1, 1, 4)]."""
        listed = FILL_IN_LIST.findall(said)
        if listed and not FILL_IN_LIST.sub("", said).strip(" \t\r\n,[]()"):
            return [self.read(0, fill) for fill in listed]
        try:
            return super().moves(said)
        except Unreadable:
            grid = self.grid(said)
        if any(new == EMPTY != old for old, new in zip(self.cells, grid, strict=True)):
            raise Unreadable("The grid leaves out values that are already there.")
        # a changed given is an illegal fill
        changed = [cell for cell, value in enumerate(self.cells) if grid[cell] != value]
        return [write_fill(side_of(self.cells), cell, grid[cell]) for cell in changed]

    def state(self) -> str:
        return "\n".join(map(" ".join, rows_of(self.cells)))

    def restate(self, said: str) -> Self:
        return replace(self, cells=self.grid(said))


def most_blank(carve: Callable[[], str], wanted: int, fewest: int) -> str:
    """A carved grid with as many blanks as wanted, or the most found, but at least `fewest`."""
    cells = ""
    for _ in range(CARVINGS):
        cells = max(cells, carve(), key=lambda cells: cells.count(EMPTY))
        if cells.count(EMPTY) == wanted:
            break
    if cells.count(EMPTY) < fewest:
        raise ValueError(f"no grid of side {side_of(cells)} with {fewest} blanks and only one solution was found")
    return cells
