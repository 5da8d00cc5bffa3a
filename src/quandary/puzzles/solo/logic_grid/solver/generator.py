"""Making logic grids: clues that leave exactly one table, none of which can be spared.

Clues are true of a random table.  As long as another table follows them all, a clue is added that
is false there; in the end those are taken out without which there is still only one table.  Two
things of a column that no clue named could be exchanged, so there is at most one in each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from .clues import (
    AllDifferent,
    Apart,
    Clue,
    Earlier,
    EarlierBy,
    EitherOr,
    NeitherNor,
    OneOther,
    Thing,
    Together,
)
from .rules import Rows, follows, rule_of
from .solutions import open_domains, solutions

Cells: TypeAlias = Sequence[Sequence[int]]  # by column and row, the place of the thing there
Measures: TypeAlias = tuple[float, ...]  # by row, what the first column measures

TRIES = 30  # clues of a kind that are drawn before another kind is tried


def random_clues(rng: Random, columns: int, measures: Measures) -> tuple[Clue, ...]:
    """Clues for a random table that leave no other one, each of them needed."""
    size = len(measures)
    cells = [list(range(size)), *(rng.sample(range(size), size) for _ in range(columns - 1))]
    rows = tuple(column.index(thing) for column in cells for thing in range(size))
    clues, others = list[Clue](), list[Rows]()
    while other := _other_table(clues, measures, columns, rows):
        others.append(other)
        clues.append(_clue_against(other, rng, cells, measures))
    needed = _without_spare(rng.sample(clues, len(clues)), others, measures, columns, rows)
    return tuple(needed)


def _other_table(
    clues: Sequence[Clue], measures: Measures, columns: int, rows: Rows
) -> Rows | None:
    """Return a table other than the given one of which all clues are true; None if there is
    none.
    """
    size = len(measures)
    rules = [rule_of(clue, measures) for clue in clues]
    found = solutions(size, rules, open_domains(size, columns))
    return next((other for other in found if other != rows), None)


def _clue_against(other: Rows, rng: Random, cells: Cells, measures: Measures) -> Clue:
    """Return a random clue that is true of the cells and false of another table; all kinds are as
    likely, if they can be found.
    """
    while True:
        make = rng.choice(MAKERS)
        for _ in range(TRIES):
            clue = make(rng, cells, measures)
            if not follows(rule_of(clue, measures), other):
                return clue


def _without_spare(
    clues: Sequence[Clue],
    others: list[Rows],
    measures: Measures,
    columns: int,
    rows: Rows,
) -> list[Clue]:
    """Return the clues without those that can be spared.

    A table of which just one clue is false shows that this clue is needed, so that few searches
    are left.
    """
    kept = list(clues)
    for clue in clues:
        rest = [one for one in kept if one is not clue]
        rules = [rule_of(one, measures) for one in rest]
        if any(all(follows(rule, other) for rule in rules) for other in others):
            continue
        if other := _other_table(rest, measures, columns, rows):
            others.append(other)
        else:
            kept = rest
    return kept


def _together(rng: Random, cells: Cells, measures: Measures) -> Clue:
    [row], (one, other) = _rows(rng, cells, 1), rng.sample(range(len(cells)), 2)
    return Together(_at(cells, one, row), _at(cells, other, row))


def _apart(rng: Random, cells: Cells, measures: Measures) -> Clue:
    rows, columns = _rows(rng, cells, 2), rng.sample(range(len(cells)), 2)
    return Apart(*_all_at(cells, columns, rows))


def _earlier(rng: Random, cells: Cells, measures: Measures) -> Clue:
    rows = sorted(_rows(rng, cells, 2))
    return Earlier(*_all_at(cells, _columns_with_gaps(rng, cells, 2), rows))


def _earlier_by(rng: Random, cells: Cells, measures: Measures) -> Clue:
    rows = sorted(_rows(rng, cells, 2))
    a, b = _all_at(cells, _columns_with_gaps(rng, cells, 2), rows)
    return EarlierBy(a, b, measures[rows[1]] - measures[rows[0]])


def _either_or(rng: Random, cells: Cells, measures: Measures) -> Clue:
    row, other = _rows(rng, cells, 2)
    column, *others = rng.sample(range(len(cells)), len(cells))
    pair = [_at(cells, rng.choice(others), row), _at(cells, rng.choice(others), other)]
    return EitherOr(_at(cells, column, row), *rng.sample(pair, 2))


def _neither_nor(rng: Random, cells: Cells, measures: Measures) -> Clue:
    rows = _rows(rng, cells, 3)
    column, *others = rng.sample(range(len(cells)), len(cells))
    columns = [rng.choice(others), rng.choice(others), column]
    return NeitherNor(*_all_at(cells, columns, rows))


def _one_other(rng: Random, cells: Cells, measures: Measures) -> Clue:
    """Return the two pairs share no column, so that each of one pair could go with each of the
    other.
    """
    rows, columns = _rows(rng, cells, 2), rng.sample(range(len(cells)), len(cells))
    cut = rng.randint(1, len(columns) - 1)
    pairs = [
        _all_at(cells, [rng.choice(some), rng.choice(some)], rows)
        for some in (columns[:cut], columns[cut:])
    ]
    return OneOther(*rng.sample(pairs[0], 2), *rng.sample(pairs[1], 2))


def _all_different(rng: Random, cells: Cells, measures: Measures) -> Clue:
    """Of three things or, in grids of five rows or more, perhaps four, in two columns at least."""
    rows = _rows(rng, cells, rng.randint(3, max(3, min(4, len(measures) - 1))))
    one, other = rng.sample(range(len(cells)), 2)
    columns = [one, other, *(rng.randrange(len(cells)) for _ in rows[2:])]
    return AllDifferent(tuple(_all_at(cells, columns, rows)))


MAKERS = (
    _together, _apart, _earlier, _earlier_by, _either_or, _neither_nor, _one_other, _all_different,
)  # fmt: skip


def _rows(rng: Random, cells: Cells, count: int) -> list[int]:
    return rng.sample(range(len(cells[0])), count)


def _columns_with_gaps(rng: Random, cells: Cells, count: int) -> list[int]:
    """Columns but the first, which needs no clue on its order."""
    return [rng.randrange(1, len(cells)) for _ in range(count)]


def _at(cells: Cells, column: int, row: int) -> Thing:
    return Thing(column, cells[column][row])


def _all_at(cells: Cells, columns: Sequence[int], rows: Sequence[int]) -> list[Thing]:
    return [_at(cells, column, row) for column, row in zip(columns, rows, strict=True)]
