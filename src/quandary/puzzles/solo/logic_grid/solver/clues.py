"""The clues of logic grids, as data.

A logic grid has rows and columns; every cell of a column holds another thing of that column.  Two
things go together if they stand in the same row.  The first column is fixed and ascending, so a
thing that stands in a higher row has less of it (an earlier hour, a lower price).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

from msgspec import Struct

from quandary.core.descriptions import Doc

Value: TypeAlias = int | float | str


class Thing(Struct, frozen=True, array_like=True):
    """A thing by its column and its place in the list of that column's things."""

    column: Annotated[int, Doc("its column, counted from 0")]
    index: Annotated[
        int,
        Doc(
            "its place in the list of the column, counted from 0; in column 0 that is also its row"
        ),
    ]


class Together(Struct, frozen=True, tag="together"):
    """The two go together: they are in the same row."""

    a: Annotated[Thing, Doc("one thing")]
    b: Annotated[Thing, Doc("another thing, in the same row")]


class Apart(Struct, frozen=True, tag="apart"):
    """The two do not go together: they are in different rows."""

    a: Annotated[Thing, Doc("one thing")]
    b: Annotated[Thing, Doc("another thing, in another row")]


class Earlier(Struct, frozen=True, tag="earlier"):
    """The row of `a` comes before that of `b`."""

    a: Annotated[Thing, Doc("the thing that is in a row above the other one")]
    b: Annotated[Thing, Doc("the thing that is in a row below the other one")]


class EarlierBy(Struct, frozen=True, tag="earlier_by"):
    """`b` has so much more in the first column than `a`; among words, it is so many rows below."""

    a: Annotated[Thing, Doc("the thing in the row with less")]
    b: Annotated[Thing, Doc("the thing in the row with more")]
    amount: Annotated[
        int | float,
        Doc(
            "how much more: the difference of the numbers that the first column has in the two "
            "rows; if it has words, the difference of the rows"
        ),
    ]


class EitherOr(Struct, frozen=True, tag="either_or"):
    """`a` goes with `b` or with `c`, and these two do not go together."""

    a: Annotated[Thing, Doc("the thing that is in the same row as one of the others")]
    b: Annotated[Thing, Doc("the first thing that may be there")]
    c: Annotated[Thing, Doc("the second thing that may be there")]


class NeitherNor(Struct, frozen=True, tag="neither_nor"):
    """Neither `a` nor `b` goes with `c`, and `a` and `b` do not go together."""

    a: Annotated[Thing, Doc("the first thing that is in another row than `c`")]
    b: Annotated[Thing, Doc("the second thing that is in another row than `c`")]
    c: Annotated[Thing, Doc("the thing that is in another row than both")]


class OneOther(Struct, frozen=True, tag="one_other"):
    """Of `a` and `b`, one goes with `c` and the other with `d`; neither pair goes together."""

    a: Annotated[Thing, Doc("the first thing of one pair")]
    b: Annotated[Thing, Doc("the second thing of that pair, in another row than `a`")]
    c: Annotated[Thing, Doc("the first thing of the other pair")]
    d: Annotated[Thing, Doc("the second thing of that pair, in another row than `c`")]


class AllDifferent(Struct, frozen=True, tag="all_different"):
    """No two of three or more things go together."""

    things: Annotated[tuple[Thing, ...], Doc("the things, all of them in different rows")]


Clue: TypeAlias = (
    Together | Apart | Earlier | EarlierBy | EitherOr | NeitherNor | OneOther | AllDifferent
)


def named(clue: Clue) -> tuple[Thing, ...]:
    """Return the things that a clue names, in the order in which it names them."""
    match clue:
        case AllDifferent(things):
            return things
        case OneOther(a, b, c, d):
            return a, b, c, d
        case EitherOr(a, b, c) | NeitherNor(a, b, c):
            return a, b, c
    return clue.a, clue.b


def measures_of(rows: Sequence[Value]) -> tuple[float, ...]:
    """Return what the first column measures: its numbers, or the places of its words."""
    numbers = [value for value in rows if isinstance(value, int | float)]
    return tuple(numbers) if len(numbers) == len(rows) else tuple(range(len(rows)))
