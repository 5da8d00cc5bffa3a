"""Can a takuzu still be filled in?"""

from __future__ import annotations

from typing import Any

from ortools.sat.python import cp_model

from ._solving import can_be_filled, solver_of


def is_solvable(position: Any) -> bool:
    size, cells = len(position.cells), position.cells
    return can_be_filled(("takuzu", size), cells, ".", lambda: _solved_takuzu(cells))


def _solved_takuzu(cells: str) -> str | None:
    side = round(len(cells) ** 0.5)
    model = cp_model.CpModel()
    values = [model.new_bool_var("") if cell == "." else int(cell) for cell in cells]
    rows = [values[row * side : (row + 1) * side] for row in range(side)]
    for lines in (rows, [values[column::side] for column in range(side)]):
        for line in lines:
            model.add(sum(line) == side // 2)
            for start in range(side - 2):
                model.add_linear_constraint(sum(line[start : start + 3]), 1, 2)
        # Lines are different where the numbers that they spell are.
        model.add_all_different(
            sum(value * 2**place for place, value in enumerate(line)) for line in lines
        )
    if (solver := solver_of(model)) is None:
        return None
    return "".join(str(solver.value(value)) for value in values)
