"""Published rows of logic grids as positions of our puzzle."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import groupby

from quandary.core.errors import Unreadable
from quandary.puzzles.solo.logic_grid import LogicGrid
from quandary.puzzles.solo.logic_grid.solver.clues import Clue, Value, measures_of
from quandary.puzzles.solo.logic_grid.solver.moves import compiled
from quandary.puzzles.solo.logic_grid.tables import rows_of

from .clues import Reader
from .conditions import NotUnderstood, parse
from .positions import State
from .rows import Grid, GridState, PublishedClue, Table


class ClueError(ValueError):
    """A clue that is not understood; `place` is where in its conditions, from 0."""

    def __init__(self, number: str, clue: PublishedClue, place: int, reason: str) -> None:
        super().__init__(f"clue {number} is not understood: {reason}")
        self.conditions, self.place = clue.conditions, place


def grid(inputs: Grid, solution: Table) -> LogicGrid:
    """Return the puzzle; its things, except for those of the first column, are listed in order."""
    titles, *rows = inputs.initial
    wanted = [list(map(type, row)) for row in solution]
    if len(titles) < 2 or {len(row) for row in (*inputs.initial, *solution)} != {len(titles)}:
        raise ValueError("its tables do not have one value for each column")
    if solution[0] != titles or len(solution) != len(inputs.initial) or not wanted:
        raise ValueError("its solution has other titles or another number of rows")
    first, *others = zip(*solution[1:], strict=True)
    if [row[0] for row in rows] != list(first):
        raise ValueError("its solution has another first column")
    things = (first, *(tuple(sorted(column, key=_order)) for column in others))
    if any(len(set(column)) < len(column) or "" in column for column in things):
        raise ValueError("its solution has a gap, or a thing twice in one column")
    clues = tuple(
        clue
        for number, published in inputs.clues.items()
        for clue in _clues(number, published, tuple(map(str, titles)), things)
    )
    start = LogicGrid.start(tuple(map(str, titles)), things, clues)
    only = compiled(len(titles), measures_of(first), clues).only_solution
    if only is None:
        raise ValueError("its clues do not have exactly one solution")
    if only != rows_of(_position(start, solution).table):
        raise ValueError("its solution is not that of its clues")
    return start


def grid_state(inputs: GridState, solution: Table) -> State:
    """The parent is the nearest earlier table that differs: some steps changed nothing."""
    start = grid(inputs, solution)
    path = [table for table, _ in groupby(inputs.initial_to_current)]
    if not path or path[0] != inputs.initial or path[-1] != inputs.current or len(path) < 2:
        raise ValueError("its tables do not lead from the first to the current one")
    before = _position(start, path[-3]) if len(path) > 2 else None
    child = inputs.unsolvable_child
    return State(
        start,
        before,
        _position(start, path[-2]),
        _position(start, inputs.current),
        _position(start, child) if child != inputs.current else None,
        len(path) - 1,
    )


def _position(start: LogicGrid, table: Table) -> LogicGrid:
    try:
        return start.restate(json.dumps(table))
    except Unreadable:
        raise ValueError("a table has a value that its solution does not have") from None


def _order(value: Value) -> tuple[bool, float, str]:
    """Numbers ascending, then words by the alphabet."""
    if isinstance(value, str):
        return True, 0, value
    return False, value, ""


@lru_cache(maxsize=1 << 10)  # the states of a puzzle repeat its clues
def _parsed(conditions: str, titles: tuple[str, ...], things: object) -> tuple[Clue, ...]:
    return tuple(Reader(titles, things).clues(parse(conditions)))  # type: ignore[arg-type]


def _clues(
    number: str,
    published: PublishedClue,
    titles: tuple[str, ...],
    things: tuple[tuple[Value, ...], ...],
) -> tuple[Clue, ...]:
    try:
        return _parsed(published.conditions, titles, things)
    except NotUnderstood as reason:
        raise ClueError(number, published, reason.place, str(reason)) from None
    except ValueError as reason:
        raise ClueError(number, published, 0, str(reason)) from None
