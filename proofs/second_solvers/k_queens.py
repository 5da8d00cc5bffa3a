"""Can the queens be set right in the moves that are left?"""

from __future__ import annotations

from typing import Any

from ortools.sat.python import cp_model

from ._solving import solver_of


def is_solvable(position: Any) -> bool:
    """The fewest moves lead to the placement that shares the most squares with the board."""
    side = len(position.queens)
    model = cp_model.CpModel()
    columns = [model.new_int_var(0, side - 1, "") for _ in range(side)]
    model.add_all_different(columns)
    model.add_all_different(column + row for row, column in enumerate(columns))
    model.add_all_different(column - row for row, column in enumerate(columns))
    stays = []
    for row, column in position.queens:
        stays.append(model.new_bool_var(""))
        model.add(columns[row] == column).only_enforce_if(stays[-1])
    model.add(sum(stays) >= side - position.left)
    return solver_of(model) is not None
