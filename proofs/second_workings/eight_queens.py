"""Eight queens row by row: every cell is tried, and none if there are more rows than columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Queens = tuple[tuple[int, int], ...]


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    (queens,) = solutions(instance.board)
    answer = [
        ["1" if (y, x) in queens else cell for x, cell in enumerate(row)]
        for y, row in enumerate(instance.board)
    ]
    return answer, answer


def solutions(board: Any) -> list[Queens]:
    """All ways to complete a board."""
    return list(_completed(board, ()))


def _completed(board: Any, queens: Queens, row: int = 0) -> Iterator[Queens]:
    rows, columns = len(board), len(board[0])
    if row == rows:
        given = {(y, x) for y in range(rows) for x in range(columns) if board[y][x] == "1"}
        if len(queens) == min(rows, columns) and given <= {*queens}:
            yield queens
        return
    for column, cell in enumerate(board[row]):
        is_free = all(x != column and abs(x - column) != row - y for y, x in queens)
        if is_free and cell == ("1" if "1" in board[row] else "0"):
            yield from _completed(board, (*queens, (row, column)), row + 1)
    if rows > columns and "1" not in board[row]:
        yield from _completed(board, queens, row + 1)
