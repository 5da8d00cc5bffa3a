"""Can a table still be completed?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ortools.sat.python import cp_model

from ._solving import can_be_filled, solver_of


def is_solvable(position: Any) -> bool:
    places = [[-1] * len(things) for things in position.things]  # the row of each thing
    for row, entries in enumerate(position.table):
        for column, index in enumerate(entries):
            if index >= 0:
                places[column][index] = row
    puzzle = (position.things, position.clues)
    rows = [row for column in places for row in column]
    return can_be_filled(puzzle, rows, -1, lambda: next(iter(grid_solutions(position, 1)), None))


def grid_solutions(position: Any, most: int) -> list[list[int]]:
    """Up to so many ways to complete a table: the row of each thing, column by column."""
    places = [
        (column, index)
        for column, things in enumerate(position.things)
        for index in range(len(things))
    ]
    rows = len(position.things[0])
    model = cp_model.CpModel()
    row_of = {place: model.new_int_var(0, rows - 1, "") for place in places}
    for index in range(rows):
        model.add(row_of[0, index] == index)
    for column, things in enumerate(position.things):
        model.add_all_different(row_of[column, index] for index in range(len(things)))
    for row, entries in enumerate(position.table):
        for column, index in enumerate(entries):
            if index >= 0:
                model.add(row_of[column, index] == row)
    for clue in position.clues:
        named = _named(clue)
        fitting = (
            at
            for at in product(range(rows), repeat=len(named))
            if _holds(clue, at, position.things[0])
        )
        model.add_allowed_assignments([row_of[thing] for thing in named], list(fitting))
    found = list[list[int]]()
    while len(found) < most and (solver := solver_of(model)):
        found.append([solver.value(row_of[place]) for place in places])
        model.add_forbidden_assignments(list(row_of.values()), [found[-1]])
    return found


def _named(clue: Any) -> list[tuple[int, int]]:
    things = (
        clue.things
        if type(clue).__name__ == "AllDifferent"
        else [getattr(clue, name) for name in "abcd" if hasattr(clue, name)]
    )
    return [(thing.column, thing.index) for thing in things]


def _holds(clue: Any, at: Sequence[int], first: Sequence[Any]) -> bool:
    """Whether a clue is true if the things it names are in these rows."""
    a, b, c, d = (*at, -1, -2)[:4]
    match type(clue).__name__:
        case "Together":
            return a == b
        case "Apart":
            return a != b
        case "Earlier":
            return a < b
        case "EarlierBy":
            numbers = all(isinstance(value, int | float) for value in first)
            apart = first[b] - first[a] if numbers else b - a
            return abs(apart - clue.amount) < 1e-6
        case "EitherOr":
            return a in (b, c) and b != c
        case "NeitherNor":
            return a != c and b != c and a != b
        case "OneOther":
            return a != b and {a, b} == {c, d}
        case "AllDifferent":
            return len(set(at)) == len(at)
    raise ValueError(f"an unknown clue: {clue}")
