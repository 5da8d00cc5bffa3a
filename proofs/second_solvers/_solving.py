"""What second solvers share: CP-SAT, and solutions that were found before."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ortools.sat.python import cp_model

SOLVED = (cp_model.OPTIMAL, cp_model.FEASIBLE)
RECENT = 20  # solutions of a puzzle that are tried before it is solved anew
Solutions = defaultdict[Hashable, deque[Sequence[Any]]]
_solutions: Solutions = Solutions(lambda: deque(maxlen=RECENT))


def solver_of(model: cp_model.CpModel) -> cp_model.CpSolver | None:
    """What has solved a model; None if it has no solution."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    # OR-Tools 9.15 can abort while it merges equal columns of a model, which this leaves out.
    solver.parameters.keep_all_feasible_solutions_in_presolve = True
    status = solver.solve(model)
    if status not in (*SOLVED, cp_model.INFEASIBLE):
        raise RuntimeError(f"CP-SAT could not decide: {solver.status_name(status)}")
    return solver if status in SOLVED else None


def can_be_filled(
    puzzle: Hashable, cells: Sequence[Any], gap: Any, solve: Callable[[], Sequence[Any] | None]
) -> bool:
    """Whether gaps can be filled in: a solution that fits shows it, so `solve` is seldom needed."""
    if len(_solutions) > RECENT and puzzle not in _solutions:
        _solutions.clear()
    known = _solutions[puzzle]
    for solution in known:
        if all(cell in (gap, there) for cell, there in zip(cells, solution, strict=True)):
            return True
    if (found := solve()) is not None:
        known.appendleft(found)
    return found is not None
