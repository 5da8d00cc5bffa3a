"""The clues of logic grids, as data.

A logic grid has rows and columns; every cell of a column holds another thing of that column.  Two
things go together if they stand in the same row.  The first column is fixed and ascending, so a
thing that stands in a higher row has less of it (an earlier hour, a lower price).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

Value: TypeAlias = int | float | str


class Thing(Struct, frozen=True, array_like=True):
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


def measures_of(rows: Sequence[Value]) -> tuple[float, ...]:
    """What the first column measures: its numbers, or the places of its words."""
    numbers = [value for value in rows if isinstance(value, int | float)]
    return tuple(numbers) if len(numbers) == len(rows) else tuple(range(len(rows)))
