"""The picture of a grid that is filled cell by cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from quandary.core.boards import Cell, board
from quandary.core.scene import Scene
from quandary.kit.square_grid import EMPTY, side_of


def grid_picture(
    cells: str,
    blocks: tuple[int, int],
    fills: Mapping[int, str],
    clicks: Collection[int],
    colours: Mapping[int, str] | None = None,
) -> Scene:
    """The grid with rows and columns numbered from 0; a click gives the row and the column.

    `fills` and `colours` are the background and the text colour of some cells.
    """
    side, colours = side_of(cells), colours or {}

    def look(cell: int) -> Cell:
        row, column = divmod(cell, side)
        click = {"row": str(row), "column": str(column)} if cell in clicks else None
        text, fill = cells[cell].strip(EMPTY), fills.get(cell, "paper")
        return Cell(text, fill, colour=colours.get(cell, ""), click=click)

    rows = [[look(row * side + column) for column in range(side)] for row in range(side)]
    return board(rows, first=0, heavy=blocks)
