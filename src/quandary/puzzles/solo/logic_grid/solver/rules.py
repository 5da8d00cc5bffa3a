"""The clues of logic grids as rules for the solver: the rows of a thing are bits of a number.

Things are numbered column by column: that of column 2 and place 1 in a grid of 4 rows has number 9.
Every clue becomes a rule: links between two things, and perhaps a choice between two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import NamedTuple, TypeAlias

from .clues import (
    AllDifferent,
    Apart,
    Clue,
    Earlier,
    EarlierBy,
    EitherOr,
    NeitherNor,
    OneOther,
    Together,
    named,
)

EPSILON = 1e-6  # 24.99 + 1 is not quite 25.99
Rows: TypeAlias = tuple[int, ...]  # the row of each thing
NOWHERE = -1  # the row of a thing that is not in the table
# For every set of rows of one thing, the rows that it leaves to another one.
Table: TypeAlias = tuple[int, ...]
Link: TypeAlias = tuple[int, int, Table, Table]  # two things, and what each leaves to the other


class Rule(NamedTuple):
    """A clue as the solver uses it."""

    things: tuple[int, ...]  # that it names, in its order
    links: tuple[Link, ...]
    choice: tuple[int, ...] = ()  # the things of an either-or (3) or a one-and-the-other (4)
    only_apart: bool = False  # whether it says that no two things share a row, and nothing else


@lru_cache(maxsize=1 << 12)
def rule_of(clue: Clue, measures: tuple[float, ...]) -> Rule:
    """Return a clue as the solver uses it."""
    size = len(measures)
    things = tuple(thing.column * size + thing.index for thing in named(clue))
    a, b, *others = things
    same, other = tuple(range(1 << size)), apart(size)
    match clue:
        case Together():
            return Rule(things, ((a, b, same, same),))
        case Apart() | NeitherNor() | AllDifferent():
            links = tuple((one, two, other, other) for one, two in combinations(things, 2))
            return Rule(things, links, only_apart=True)
        case Earlier():
            return Rule(things, ((a, b, _after(size), _before(size)),))
        case EarlierBy():
            return Rule(things, ((a, b, *_apart_by(measures, clue.amount)),))
        case EitherOr():
            return Rule(things, ((b, others[0], other, other),), things)
        case OneOther():
            pairs = (a, b), (others[0], others[1])
            return Rule(things, tuple((*pair, other, other) for pair in pairs), things)


def follows(rule: Rule, rows: Sequence[int]) -> bool:
    """Return whether a rule is true where its things stand in these rows."""
    for a, b, onto, _ in rule.links:
        if not onto[1 << rows[a]] >> rows[b] & 1:
            return False
    match [rows[thing] for thing in rule.choice]:
        case [a, b, c]:
            return a in (b, c)
        case [a, b, c, d]:
            return {a, b} == {c, d}
    return True


@cache
def ways_to_choose(count: int, size: int) -> tuple[tuple[Rows, int], ...]:
    """Return all rows of the three things of an either-or, or of the four of a one-and-the-other.

    Each way also as one number: a bit for the row of each thing, in bits of its own.
    """
    ways = list[Rows]()
    for one, two in permutations(range(size), 2):
        ways += [(one, one, two), (one, two, one)] if count == 3 else []
        ways += [(one, two, one, two), (one, two, two, one)] if count == 4 else []
    return tuple(
        (way, sum(1 << place * size + row for place, row in enumerate(way))) for way in ways
    )


@lru_cache(maxsize=1 << 12)
def ways_to_be_apart(sets: tuple[int, ...]) -> int:
    """In how many ways things can stand in different rows, each in one of its set of rows."""
    if not sets:
        return 1
    first, *others = sets
    return sum(
        ways_to_be_apart(tuple(sorted([rows & ~(1 << row) for rows in others])))
        for row in bits(first)
    )


@cache  # sets of rows are few
def bits(rows: int) -> tuple[int, ...]:
    """Return the rows of a set."""
    return tuple(row for row in range(rows.bit_length()) if rows >> row & 1)


def _table(near: Sequence[int]) -> Table:
    """For every set of rows, what its rows leave together; `near` is what single rows leave."""
    table = [0]
    for rows in range(1, 1 << len(near)):
        lowest = rows & -rows
        table.append(table[rows ^ lowest] | near[lowest.bit_length() - 1])
    return tuple(table)


@cache
def apart(size: int) -> Table:
    """Return what a thing leaves to another one in a different row."""
    return _table([(1 << size) - 1 ^ 1 << row for row in range(size)])


@cache
def _after(size: int) -> Table:
    return _table([(1 << size) - (2 << row) for row in range(size)])


@cache
def _before(size: int) -> Table:
    return _table([(1 << row) - 1 for row in range(size)])


@lru_cache(maxsize=1 << 10)
def _apart_by(measures: tuple[float, ...], amount: float) -> tuple[Table, Table]:
    def near(sign: int) -> list[int]:
        return [
            sum(
                1 << row
                for row, there in enumerate(measures)
                if abs(there - here - sign * amount) < EPSILON
            )
            for here in measures
        ]

    return _table(near(1)), _table(near(-1))
