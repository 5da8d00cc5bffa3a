"""The picture of a reversi board."""

from __future__ import annotations

from collections.abc import Iterable

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.scene import Scene
from quandary.solvers.reversi import BLACK, EMPTY, WHITE, Board
from quandary.solvers.reversi_games import Turn

PIECES = {BLACK: "ink", WHITE: "paper", EMPTY: ""}  # colours in the picture


def picture(rows: Board, turns: Iterable[Turn], caption: str) -> Scene:
    """The board with its pieces; where a piece will be placed, its round stands: R1, R2, ..."""
    cells = [[Cell(at.strip(EMPTY), "good", PIECES[at]) for at in row] for row in rows]
    for turn in turns:
        row, column = turn.place
        cells[row - 1][column - 1] = Cell(f"R{turn.number}", "mark", PIECES[turn.colour])
    return stack(board(cells, first=1), captions(caption, colour="quiet", width=len(rows) + 0.7))
