"""What follows from clues: the candidates that are left after each, and what all of them agree in.

A candidate is a sequence of values, one for each place, such as the symbols of a code.
A set of candidates is a whole number with one bit for each, so that a clue about a place, or one
that counts, takes a few operations however many candidates there are:

    codes = Candidates(permutations("0123456789", 2))
    eight_or_nine = [codes.holding("8"), codes.holding("9")]
    clues = [codes.having(0, "5"), exactly(1, eight_or_nine, codes.everything)]
    [codes.agreed(left) for left in codes.left_after(clues)]    # [("5", "*"), ("5", "*")]

Any other clue is a test of one candidate: `codes.where(test)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, islice, pairwise
from operator import and_, or_
from random import Random
from typing import Generic, TypeVar

Value = TypeVar("Value")
UNKNOWN = "*"
MOST_VALUES = 16_000_000  # of all places of all candidates


class Candidates(Generic[Value]):
    """All candidates that there are before the first clue, in their order.

    ValueError if they are out of reach, as those of a question that was not drawn may be.
    """

    def __init__(self, candidates: Iterable[Sequence[Value]]) -> None:
        every = iter(candidates)
        first = [tuple(candidate) for candidate in islice(every, 1)]
        most = MOST_VALUES // max(1, *map(len, first))
        self._all = first + [tuple(candidate) for candidate in islice(every, most)]
        if len(self._all) > most:
            raise ValueError(f"more than {most:,} candidates are out of reach")
        self._places = [_by_value(column) for column in zip(*self._all, strict=True)]
        self.everything = (1 << len(self._all)) - 1
        self._holding: dict[Value, int] = {}
        for places in self._places:
            for value, bits in places.items():
                self._holding[value] = self._holding.get(value, 0) | bits

    def having(self, place: int, value: Value) -> int:
        """Those that have a value in a place, counted from 0."""
        return self._places[place].get(value, 0)

    def holding(self, value: Value) -> int:
        """Those that have a value in any place."""
        return self._holding.get(value, 0)

    def values(self, place: int | None = None) -> Iterable[Value]:
        """Return the values that a place has in any of them, or those that any place has."""
        return self._holding if place is None else self._places[place]

    def where(self, holds: Callable[[tuple[Value, ...]], bool]) -> int:
        """Those of which a test holds; it is put to each of them."""
        return _bits(map(holds, self._all))

    def left_after(self, clues: Iterable[int]) -> list[int]:
        """Those that fit all clues so far, after each clue."""
        return list(accumulate(clues, and_, initial=self.everything))[1:]

    def listed(self, some: int) -> Iterator[tuple[Value, ...]]:
        """Yield the candidates of a set, in their order."""
        while some:
            lowest = some & -some
            yield self._all[lowest.bit_length() - 1]
            some ^= lowest

    def drawn(self, some: int, rng: Random) -> tuple[Value, ...]:
        """Return a candidate of a set, by chance; those after a gap are somewhat more likely."""
        skipped = rng.randrange(some.bit_length())
        return self.first(some >> skipped << skipped)

    def first(self, some: int) -> tuple[Value, ...]:
        return self._all[(some & -some).bit_length() - 1]

    def last(self, some: int) -> tuple[Value, ...]:
        return self._all[some.bit_length() - 1]

    def agreed(self, some: int, unknown: Value | str = UNKNOWN) -> tuple[Value | str, ...]:
        """Return what all candidates of a set have in each place, and `unknown` where they
        differ.
        """
        if not some:
            raise ValueError("no candidate fits the clues")
        shared = zip(self._places, self.first(some), strict=True)
        return tuple(value if some & ~at[value] == 0 else unknown for at, value in shared)


def exactly(count: int, sets: Sequence[int], everything: int) -> int:
    """Return the candidates that are in exactly so many of the sets."""
    if not 0 <= count <= len(sets):
        return 0
    in_some = [everything] + [0] * count  # by the number of sets that each is in, so far
    for one in sets:
        for number in range(count, 0, -1):
            in_some[number] = in_some[number] & ~one | in_some[number - 1] & one
        in_some[0] &= ~one
    return in_some[count]


def any_of(sets: Iterable[int]) -> int:
    """Return the candidates that are in one of the sets at least."""
    return reduce(or_, sets, 0)


def is_one(some: int) -> bool:
    """Return whether a set holds one candidate."""
    return some > 0 and some & (some - 1) == 0


def telling(process: Iterable[Sequence[object]]) -> int:
    """Return how many entries know more than the one before them; the first, how many know
    anything.
    """
    known = [sum(value != UNKNOWN for value in entry) for entry in process]
    return sum(more > less for less, more in pairwise([0, *known]))


def _by_value(column: Sequence[Value]) -> dict[Value, int]:
    """Return each value of a place, with the candidates that have it."""
    values = list(dict.fromkeys(column))
    if len(values) > 255:
        return {value: _bits(entry == value for entry in column) for value in values}
    codes = {value: code for code, value in enumerate(values)}
    text = bytes(codes[entry] for entry in reversed(column))  # the first one is the lowest bit
    zeros = b"0" * 256
    return {
        value: int(text.translate(zeros[:code] + b"1" + zeros[code + 1 :]), 2)
        for value, code in codes.items()
    }


def _bits(truths: Iterable[bool]) -> int:
    return int("0" + "".join("1" if truth else "0" for truth in list(truths)[::-1]), 2)
