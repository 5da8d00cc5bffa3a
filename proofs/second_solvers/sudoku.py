"""Can a sudoku still be filled in?"""

from __future__ import annotations

from typing import Any

from ortools.sat.python import cp_model

from ._solving import can_be_filled, solver_of


def is_solvable(position: Any) -> bool:
    side, cells = len(position.cells), position.cells
    return can_be_filled(("sudoku", side), cells, ".", lambda: _solved_sudoku(cells))


def _solved_sudoku(cells: str) -> str | None:
    side = round(len(cells) ** 0.5)
    height = max(number for number in range(1, side) if side % number == 0 and number**2 <= side)
    width = side // height
    model = cp_model.CpModel()
    values = [model.new_int_var(1, side, "") if cell == "." else int(cell, 36) for cell in cells]
    for line in range(side):
        top, left = line // height * height, line % height * width
        model.add_all_different(values[line * side : (line + 1) * side])
        model.add_all_different(values[line::side])
        model.add_all_different(
            values[(top + row) * side + left + column]
            for row in range(height)
            for column in range(width)
        )
    if (solver := solver_of(model)) is None:
        return None
    return "".join("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[solver.value(value)] for value in values)
