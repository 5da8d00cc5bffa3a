"""The clues of logic grids, as data: whether they hold, and which things they name.

A logic grid has rows and columns; every cell of a column holds another thing of that column.  Two
things go together if they stand in the same row.  The first column is fixed and ascending, so a
thing that stands in a higher row has less of it (an earlier hour, a lower price).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from msgspec import Struct

Value: TypeAlias = int | float | str
EPSILON = 1e-6  # 24.99 + 1 is not quite 25.99


class Thing(NamedTuple):
    """A thing by its column and its place in the list of that column's things.

    Column 0 is the first one; there the place is also the row.
    """

    column: int
    index: int


class Together(Struct, frozen=True, tag="together"):
    """The two go together."""

    a: Thing
    b: Thing


class Apart(Struct, frozen=True, tag="apart"):
    """The two do not go together."""

    a: Thing
    b: Thing


class Earlier(Struct, frozen=True, tag="earlier"):
    """The row of `a` comes before that of `b`."""

    a: Thing
    b: Thing


class EarlierBy(Struct, frozen=True, tag="earlier_by"):
    """`b` has so much more in the first column than `a`; among words, it is so many rows below."""

    a: Thing
    b: Thing
    amount: int | float


class EitherOr(Struct, frozen=True, tag="either_or"):
    """`a` goes with `b` or with `c`, and these two do not go together."""

    a: Thing
    b: Thing
    c: Thing


class NeitherNor(Struct, frozen=True, tag="neither_nor"):
    """Neither `a` nor `b` goes with `c`, and these two do not go together."""

    a: Thing
    b: Thing
    c: Thing


class OneOther(Struct, frozen=True, tag="one_other"):
    """Of `a` and `b`, one goes with `c` and the other with `d`; neither pair goes together."""

    a: Thing
    b: Thing
    c: Thing
    d: Thing


class AllDifferent(Struct, frozen=True, tag="all_different"):
    """No two of three or more things go together."""

    things: tuple[Thing, ...]


Clue: TypeAlias = (
    Together | Apart | Earlier | EarlierBy | EitherOr | NeitherNor | OneOther | AllDifferent
)
KINDS: tuple[type[Clue], ...] = (
    Together, Apart, Earlier, EarlierBy, EitherOr, NeitherNor, OneOther, AllDifferent,
)  # fmt: skip


def named(clue: Clue) -> tuple[Thing, ...]:
    """The things that a clue names, in the order in which it names them."""
    match clue:
        case AllDifferent(things):
            return things
        case OneOther(a, b, c, d):
            return a, b, c, d
        case EitherOr(a, b, c) | NeitherNor(a, b, c):
            return a, b, c
    return clue.a, clue.b


def holds(clue: Clue, row: Mapping[Thing, int], measures: Sequence[float]) -> bool:
    """Whether a clue is true where its things stand in these rows."""
    rows = [row[thing] for thing in named(clue)]
    match clue:
        case Together():
            return rows[0] == rows[1]
        case Apart() | NeitherNor() | AllDifferent():
            return all(one != other for one, other in combinations(rows, 2))
        case Earlier():
            return rows[0] < rows[1]
        case EarlierBy():
            return abs(measures[rows[1]] - measures[rows[0]] - clue.amount) < EPSILON
        case EitherOr():
            return rows[0] in rows[1:] and rows[1] != rows[2]
        case OneOther():
            return rows[0] != rows[1] and {rows[0], rows[1]} == {rows[2], rows[3]}


def measures_of(rows: Sequence[Value]) -> tuple[float, ...]:
    """What the first column measures: its numbers, or the places of its words."""
    numbers = [value for value in rows if isinstance(value, int | float)]
    return tuple(numbers) if len(numbers) == len(rows) else tuple(range(len(rows)))
