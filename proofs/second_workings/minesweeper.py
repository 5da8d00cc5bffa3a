"""Minesweeper by trial: a mine is certain if no arrangement does without it."""

from __future__ import annotations

from typing import Any

Square = tuple[int, int]  # x from the left, y from the bottom, both from 1
Clue = tuple[frozenset[Square], int]  # hidden squares, and how many of them have a mine
SEEN = {
    "A": lambda x, y, u, v: u == x and v > y,
    "B": lambda x, y, u, v: u == x and v < y,
    "C": lambda x, y, u, v: v == y and u < x,
    "D": lambda x, y, u, v: v == y and u > x,
    "": lambda x, y, u, v: max(abs(u - x), abs(v - y)) == 1,
}


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    process = [_certain(board, instance.mines) for board in instance.boards]
    return process[-1], process


def _certain(board: Any, total: int | None) -> list[list[str]]:
    size = len(board)
    cells = {(x + 1, size - y): board[y][x] for y in range(size) for x in range(size)}
    hidden = frozenset(square for square, cell in cells.items() if cell == "*")
    clues = [_clue(square, cell, hidden) for square, cell in cells.items() if cell != "*"]
    mines = [
        square
        for square in sorted(hidden)
        if not _is_possible(hidden - {square}, [_without(clue, square) for clue in clues], total)
    ]
    return [[str(x), str(y)] for x, y in mines] or [[]]


def _clue(square: Square, cell: str, hidden: frozenset[Square]) -> Clue:
    sees = SEEN[cell[:-1]]
    return frozenset(other for other in hidden if sees(*square, *other)), int(cell[-1])


def _without(clue: Clue, square: Square, mines: int = 0) -> Clue:
    """What a clue says about the other squares."""
    squares, count = clue
    return (squares - {square}, count - mines) if square in squares else clue


def _is_possible(hidden: frozenset[Square], clues: list[Clue], total: int | None) -> bool:
    if any(not 0 <= count <= len(squares) for squares, count in clues):
        return False
    if total is not None and not 0 <= total <= len(hidden):
        return False
    told = [squares for squares, _ in clues if squares]
    if not told:
        return True
    square = min(min(told, key=len))
    return any(
        _is_possible(
            hidden - {square},
            [_without(clue, square, mines) for clue in clues],
            None if total is None else total - mines,
        )
        for mines in (0, 1)
    )
