"""Exact SudoKill: a proof-number search over positions that are one integer each.

A cell is a field with one bit for each value that still fits, and one bit above them that says the
cell is empty.  A fill clears its cell, and its value in the cells that see it; one mask then gives
the cells open to the next player.  Cells are never emptied, so no position repeats.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from quandary.algorithms.proof_number_search import Node, ProofNumberSearch
from quandary.puzzles._shared.square_grid import EMPTY, side_of
from quandary.puzzles._shared.sudoku.grid import SYMBOLS, candidates, in_line, places


class _Frame(NamedTuple):
    """What all boards of one side share."""

    values: int  # all bits but those that say a cell is empty
    lines: list[int]  # cell -> the fields of its row and column
    keep: list[int]  # bit of a value in a cell -> what stays after this fill


@cache
def _frame(side: int) -> _Frame:
    where, width = places(side), side + 1
    starts = range(0, side * side * width, width)
    field, every = (1 << width) - 1, (1 << side * side * width) - 1
    lines, keep = [], []
    for row, column, box in where:
        line = [starts[cell] for cell in in_line(side)[row * side + column]]
        seeing = [start for start, place in zip(starts, where, strict=True) if place[2] == box]
        lines.append(sum(field << start for start in line))
        rivals = sum(1 << start for start in {*line, *seeing})
        own = field << starts[row * side + column]
        keep += [every & ~(own | rivals << value) for value in range(width)]
    return _Frame(sum(field >> 1 << start for start in starts), lines, keep)


class Position(Node):
    """A position: the board, and the fills allowed now, as bits."""

    __slots__ = ("board", "open")

    def __init__(self, board: int, reach: int, values: int) -> None:
        self.board = board
        self.open = reach & values
        super().__init__(self.open.bit_count())


def reachable(cells: str, last: int | None) -> list[int]:
    """Return the empty cells open to the player to move, whether or not a value fits."""
    if last is not None:
        lines = in_line(side_of(cells))[last]
        if near := [cell for cell in lines if cells[cell] == EMPTY]:
            return near
    return [cell for cell, value in enumerate(cells) if value == EMPTY]


class SudoKillSearch(ProofNumberSearch[Position]):
    """A proof-number search from one position over about `budget` positions."""

    def __init__(self, cells: str, last: int | None, budget: int) -> None:
        self.frame, self.width, self.budget = _frame(side_of(cells)), side_of(cells) + 1, budget
        board = 0
        for cell, values in enumerate(candidates(cells)):
            if cells[cell] == EMPTY:
                board |= (values | 1 << self.width - 1) << cell * self.width
        reach = board if last is None else board & self.frame.lines[last] or board
        self.known: dict[tuple[int, int], Position] = {}
        self.root = Position(board, reach, self.frame.values)

    def fills(self) -> dict[tuple[int, str], Position]:
        """Return the position after each fill (cell, value) allowed at the root."""
        named = ((bit // self.width, SYMBOLS[bit % self.width]) for bit in _bits(self.root.open))
        return dict(zip(named, self.children(self.root), strict=True))

    def children(self, node: Position) -> list[Position]:
        """Return the positions after each fill allowed in `node`, highest bit first."""
        if node.after is not None:
            return node.after
        values, lines, keep = self.frame
        node.after = []
        for bit in _bits(node.open):
            board = node.board & keep[bit]
            reach = board & lines[bit // self.width] or board
            child = self.known.get((board, reach))
            if child is None:
                child = self.known[board, reach] = Position(board, reach, values)
                self.budget -= 1
            node.after.append(child)
        return node.after

    def ends_quickly(self, node: Position) -> bool:
        """Return whether the player to move is known to win, and can do so by a single fill."""
        return not node.win and any(not reply.open for reply in self.children(node))


def _bits(number: int) -> list[int]:
    """Return the set bits, highest first."""
    found = []
    while number:
        found.append(number.bit_length() - 1)
        number ^= 1 << found[-1]
    return found
