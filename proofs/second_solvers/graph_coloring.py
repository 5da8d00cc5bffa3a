"""Can a graph still be coloured?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from ._solving import can_be_filled, solver_of


def is_solvable(position: Any) -> bool:
    graph = (position.neighbours, position.colours)
    return can_be_filled(
        graph, position.colouring, 0, lambda: _coloured(*graph, position.colouring)
    )


def chromatic_number(neighbours: Sequence[Sequence[int]]) -> int:
    none = [0] * len(neighbours)
    return next(n for n in range(1, len(none) + 1) if _coloured(neighbours, n, none))


def _coloured(
    neighbours: Sequence[Sequence[int]], colours: int, colouring: Sequence[int]
) -> list[int] | None:
    model = cp_model.CpModel()
    found = [
        model.new_int_var(colour or 1, colour or colours, "") for colour in colouring
    ]  # 0 stands for none
    for vertex, others in enumerate(neighbours):
        for other in others:
            if vertex < other:
                model.add(found[vertex] != found[other])
    solver = solver_of(model)
    return solver and [solver.value(colour) for colour in found]
