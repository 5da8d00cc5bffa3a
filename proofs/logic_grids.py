"""A second opinion on logic grids, by OR-Tools CP-SAT: how many tables agree with a position?

It knows nothing of quandary; positions are read by the names of their fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from ortools.sat.python import cp_model


def is_solvable(position: Any) -> bool:
    return count(position, position.clues, most=1) == 1


def count(position: Any, clues: Sequence[Any], most: int = 2) -> int:
    """The number of tables that agree with a position and these clues, counted up to `most`."""
    size, columns = len(position.table), len(position.titles)
    model = cp_model.CpModel()
    rows = [[model.new_int_var(0, size - 1, "") for _ in range(size)] for _ in range(columns)]
    for column in rows:
        model.add_all_different(column)
    for row in range(size):
        model.add(rows[0][row] == row)
        for column, index in enumerate(position.table[row]):
            if index >= 0:
                model.add(rows[column][index] == row)
    for clue in clues:
        _add(model, clue, rows, position.things[0])
    return _counted(model, [row for column in rows for row in column], most)


def _add(model: cp_model.CpModel, clue: Any, rows: Any, first: Sequence[Any]) -> None:
    def at(thing: Any) -> Any:
        return rows[thing.column][thing.index]

    match type(clue).__name__:
        case "Together":
            model.add(at(clue.a) == at(clue.b))
        case "Apart":
            model.add(at(clue.a) != at(clue.b))
        case "Earlier":
            model.add(at(clue.a) < at(clue.b))
        case "EarlierBy":
            words = any(isinstance(value, str) for value in first)
            values = range(len(first)) if words else first
            pairs = [
                (one, other)
                for one, low in enumerate(values)
                for other, high in enumerate(values)
                if round(high - low - clue.amount, 6) == 0
            ]
            model.add_allowed_assignments([at(clue.a), at(clue.b)], pairs)
        case "EitherOr":
            with_b, with_c = model.new_bool_var(""), model.new_bool_var("")
            model.add(at(clue.a) == at(clue.b)).only_enforce_if(with_b)
            model.add(at(clue.a) == at(clue.c)).only_enforce_if(with_c)
            model.add_bool_or(with_b, with_c)
            model.add(at(clue.b) != at(clue.c))
        case "NeitherNor":
            model.add_all_different(at(clue.a), at(clue.b), at(clue.c))
        case "OneOther":
            crossed = model.new_bool_var("")
            model.add(at(clue.a) == at(clue.c)).only_enforce_if(~crossed)
            model.add(at(clue.b) == at(clue.d)).only_enforce_if(~crossed)
            model.add(at(clue.a) == at(clue.d)).only_enforce_if(crossed)
            model.add(at(clue.b) == at(clue.c)).only_enforce_if(crossed)
            model.add(at(clue.a) != at(clue.b))
        case "AllDifferent":
            for one, other in combinations(clue.things, 2):
                model.add(at(one) != at(other))
        case name:
            raise ValueError(f"there is no clue {name!r}")


def _counted(model: cp_model.CpModel, variables: Sequence[Any], most: int) -> int:
    found = 0
    while found < most:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            break
        found += 1
        model.add_forbidden_assignments(variables, [[solver.value(one) for one in variables]])
    return found
