"""Cells of a superply board as bits, as in `Race`: a row is one bit wider than the board."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

from quandary.core.contract import Move

from .race import cells_of

FREE = "."
MARKS = ("B", "R")  # of a claimed cell, by seat
DIGITS = {
    mark: str.maketrans({other: str(int(other == mark)) for other in (FREE, *MARKS)})
    for mark in (FREE, *MARKS)
}
EXCHANGED = str.maketrans(MARKS[0] + MARKS[1], MARKS[1] + MARKS[0])
TRUTH = bytes.maketrans(b"01", b"\0\1")


@lru_cache(maxsize=1 << 10)
def marked_cells(board: tuple[str, ...], mark: str) -> int:
    """Return the cells with this mark."""
    return int(FREE.join(board)[::-1].translate(DIGITS[mark]), 2) & cells_of(len(board))


def mirrored(board: tuple[str, ...]) -> tuple[str, ...]:
    """Return the board mirrored at its diagonal, with the marks of both seats exchanged."""
    return tuple("".join(column).translate(EXCHANGED) for column in zip(*board, strict=True))


def moves_to(cells: int, size: int) -> list[Move]:
    """Return the moves that claim these cells, in the order of the board."""
    bits = f"{cells:b}"[::-1].encode().translate(TRUTH)
    return list(compress(_all_moves(size), bits))


def cell_of(move: Move, size: int) -> int:
    """Return the cell that a move claims."""
    row, column = map(int, move.split())
    return 1 << (row - 1) * (size + 1) + column - 1


@lru_cache(maxsize=64)
def _all_moves(size: int) -> list[Move]:
    """Return the move of every bit; the bit at the end of a row is not a cell."""
    places = range(1, size + 1)
    return [f"{row} {column}" for row in places for column in (*places, 0)]
