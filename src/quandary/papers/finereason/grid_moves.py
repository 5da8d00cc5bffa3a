"""Which tables the published grader of logic grids took for one move.

A move applies a clue that was not applied before: it places all values that the clue names and that
are not in the table yet, in any gaps of their columns, so that the condition is true.
Two values of a column could land in one cell: the later one stayed, and their order came from the
hash seed of the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from quandary.puzzles.solo.logic_grid.solver.clues import Value

from .conditions import Condition, Table, is_true, parse
from .key import Key

WHOLE_NUMBER = re.compile(r"\b[0-9]+\b")


def is_one_clue_away(things: Sequence[Sequence[Value]], key: Key, proposed: Any) -> bool | None:
    """Return whether applying one clue leads from the current table to this one.

    None if that depends on which of two values in one cell came later.
    """
    placed = _placed(key.current, proposed)
    if placed is None:
        return False
    may_be = False
    for text in key.conditions:
        condition, named = _parsed(text)
        column_of = _to_place(named, things, key.current)
        if not placed.items() <= column_of.items() or not is_true(condition, proposed):
            continue
        lost = column_of.keys() - placed.keys()
        if not lost:
            return True
        taken = set(placed.values())
        may_be = may_be or all(column_of[value] in taken for value in lost)
    return None if may_be else False


def _to_place(
    named: Sequence[Value], things: Sequence[Sequence[Value]], table: Table
) -> dict[Value, int]:
    """Return the values that a clue puts into a table, with their columns: the first that
    has them.
    """
    found = dict[Value, int]()
    for value in named:
        column = next((place for place, values in enumerate(things) if value in values), None)
        if column is not None and all(row[column] != value for row in table[1:]):
            found[value] = column
    return found


def _named(text: str) -> Iterator[Value]:
    """Yield what the grader took for values: all texts, and whole numbers, also in texts
    and sums.
    """
    for value in (*text.split("'")[1::2], *WHOLE_NUMBER.findall(text)):
        yield int(value) if value.isdecimal() else value


def _placed(before: Table, proposed: Any) -> dict[Value, int] | None:
    """Return the values that were put into gaps, with their columns; None if anything else
    changed.
    """
    if not isinstance(proposed, list) or len(proposed) != len(before):
        return None
    placed = dict[Value, int]()
    for old, new in zip(before, proposed, strict=True):
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
def _parsed(text: str) -> tuple[Condition, Sequence[Value]]:
    """Return a condition, and the values that it names."""
    return parse(text), list(dict.fromkeys(_named(text)))
