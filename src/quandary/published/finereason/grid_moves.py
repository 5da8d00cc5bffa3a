"""Which tables the published grader of logic grids took for one move.

A move places all values that a clue names and that are not in the table yet, in any free cells of
their columns, so that the condition is true.  Two values of a column could land in one cell: the
later one stayed, and their order came from the hash seed of the process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from quandary.solvers.grid_clues import Value

from .conditions import Condition, Table, is_true, parse, values_in
from .key import Key


def is_one_clue_away(things: Sequence[Sequence[Value]], key: Key, said: Any) -> bool | None:
    """Whether applying one clue leads from the current table to this one.

    None if that depends on which of two values in one cell came later.
    """
    placed = _placed(key.current, said)
    if placed is None:
        return False
    column_of = {value: column for column, values in enumerate(things) for value in values}
    if any(column_of.get(value) != column for value, column in placed.items()):
        return False
    is_there = {value for row in key.current[1:] for value in row}
    may_be = False
    for text in key.conditions:
        condition = _parsed(text)
        named = {value for value in values_in(condition) if value in column_of} - is_there
        if not placed.keys() <= named or not is_true(condition, said):
            continue
        lost = named - placed.keys()
        if not lost:
            return True
        taken = {column_of[value] for value in placed}
        may_be = may_be or all(column_of[value] in taken for value in lost)
    return None if may_be else False


def _placed(before: Table, said: Any) -> dict[Value, int] | None:
    """The values that were put into gaps, with their columns; None if anything else changed."""
    if not isinstance(said, list) or len(said) != len(before):
        return None
    placed = dict[Value, int]()
    for old, new in zip(before, said, strict=True):
        if not isinstance(new, list) or len(new) != len(old):
            return None
        for column, (was, value) in enumerate(zip(old, new, strict=True)):
            if not isinstance(value, str | int | float) or was not in ("", value):
                return None
            if was != value:
                if value in placed:
                    return None
                placed[value] = column
    return placed


@lru_cache(maxsize=1 << 10)  # the states of a puzzle share its clues
def _parsed(text: str) -> Condition:
    return parse(text)
