"""Rows of bits that keep a distance: all places, what is far from one, counting, drawing and searching sets, exact play.

A place is a row of bits, as a text or as the number it writes.  The distance of two places is the number of bits in which they
differ; one that is to be kept lies between 1 and the number of bits.  Where many places are meant at once they are a mask,
one wide integer with bit number p for place p, so what is far from several places takes one `&` for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from random import Random
from typing import overload

from quandary.core.contract import Move
from quandary.core.errors import Unreadable
from quandary.core.scene import Label, Shape

from .reading import outside_brackets

LONGEST = 1_000  # characters of words that are looked at
LIST = re.compile(r"\[(?!int\])[^\[\]]*\]|\(['\"\s]*[01][01,'\"\s]*\)", re.I)
ROW = re.compile(  # among other words; bits that stand apart are caught too, for they may be meant instead
    r"(?<![\w.,])[01]{2,64}(?!\w|[.,]\w)|\b[01](?:,\s?|\s)[01]\b"
)
SEARCHED = 200  # places left beyond which exact play is out of reach


@dataclass(frozen=True)
class Places(Sequence[str]):
    """All rows of some bits, in ascending order; none is stored."""

    bits: int

    def __len__(self) -> int:
        return 1 << self.bits

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        bits = self.bits
        if isinstance(index, slice):
            return [write_place(place, bits) for place in range(1 << bits)[index]]
        return write_place(range(1 << bits)[index], bits)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, str) and len(place) == self.bits and not place.strip("01")

    def __iter__(self) -> Iterator[str]:
        return (write_place(place, self.bits) for place in range(len(self)))


@dataclass(frozen=True)
class Selection(Sequence[str]):
    """The rows of bits of a mask, in ascending order; none is stored."""

    mask: int
    bits: int

    def __len__(self) -> int:
        return self.mask.bit_count()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [write_place(place, self.bits) for place in listed(self.mask)[index]]
        return write_place(_nth(self.mask, range(len(self))[index], self.bits), self.bits)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, str) and place in Places(self.bits) and bool(self.mask >> int(place, 2) & 1)

    def __iter__(self) -> Iterator[str]:
        return (write_place(place, self.bits) for place in listed(self.mask))


@lru_cache(maxsize=64)
def places_of(bits: int) -> Places:
    """All places of so many bits; they are asked for in every turn."""
    return Places(bits)


def map_labels(down: int, across: int) -> list[Shape]:
    """The bits along the left and the upper edge of a map whose rows and columns stand for the leading bits of places."""
    top = [Label(3.5 + x, 2.3, f"{x:0{across}b}", size=0.35, colour="quiet") for x in range(1 << across)]
    rows = range(1 << down if down else 0)
    return [*top, *(Label(2.8, 3.3 + y, f"{y:0{down}b}", size=0.5, colour="quiet", anchor="end") for y in rows)]


def read_place(said: str, how: str) -> Move:
    """The one row of bits that is said: in a list, behind an equals sign, or in one piece among other words."""
    if len(said) > LONGEST:
        raise Unreadable(how)
    lists, words = LIST.findall(said), outside_brackets(said, LIST)
    *heads, tail = words.split("=")
    if not lists and len(heads) < 2 and _bits(tail):
        lists, words = [tail], "".join(heads)
    rows: set[str] = {*map(_bits, lists), *ROW.findall(words)}
    row = rows.pop() if len(rows) == 1 else ""
    if not row.isdigit():
        raise Unreadable(how)
    return row


def _bits(words: str) -> str:
    """The bits that words are, in whatever dress; "" where they are anything else."""
    bits = re.sub(r"[\s,()\[\]'\"`*]+", "", words).removesuffix(".")
    return bits if re.fullmatch(r"[01]{1,64}", bits) else ""


@lru_cache(maxsize=1 << 16)  # as single places are
def write_run(start: int, end: int, bits: int) -> str:
    """The places from `start` up to `end`, without that one: the first and the last of them, or the only one."""
    first = write_place(start, bits)
    return first if end - start == 1 else f"{first}-{write_place(end - 1, bits)}"


@lru_cache(maxsize=1 << 16)  # the same few rows are written in every turn
def write_place(place: int, bits: int) -> str:
    """The place as its row of bits."""
    return f"{place:0{bits}b}"


def write_places(places: Iterable[int], bits: int) -> tuple[str, ...]:
    """The places as rows of bits, in ascending order."""
    return tuple(write_place(place, bits) for place in sorted(places))


def listed(mask: int) -> list[int]:
    """The places of a mask, in ascending order."""
    return [place for place, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def lowest(mask: int) -> int:
    """The first place of a mask, which must have one."""
    return (mask & -mask).bit_length() - 1


@lru_cache(maxsize=1 << 12)
def far(place: int, distance: int, bits: int) -> int:
    """The mask of all places at least `distance` from `place`."""
    if not place:
        return int("".join("01"[other.bit_count() >= distance] for other in reversed(range(1 << bits))), 2)
    axis = place & -place  # what is far from a neighbour, mirrored along the axis between them
    nearby = far(place ^ axis, distance, bits)
    lower = ((1 << (1 << bits)) - 1) // ((1 << axis) + 1)
    return (nearby & lower) << axis | nearby >> axis & lower


def count_sets(mask: int, count: int, distance: int, bits: int) -> int:
    """How many sets of `count` places of the mask, one or more, keep the distance."""
    if count == 1:
        return mask.bit_count()
    total = 0
    while mask:
        place = lowest(mask)
        mask ^= 1 << place
        total += count_sets(mask & far(place, distance, bits), count - 1, distance, bits)
    return total


def roomiest(mask: int, others: int, distance: int, bits: int) -> int:
    """The place of a mask that leaves most sets of `others` further places, one or more; the lowest of equals."""
    return max(listed(mask), key=lambda place: count_sets(mask & far(place, distance, bits), others, distance, bits))


def draw_set(rng: Random, places: Sequence[int], count: int, distance: int, bits: int, tries: int) -> list[int] | None:
    """A set of `count` of the places that keeps the distance, all such sets equally likely; None if `tries` draws meet none.

    The first place is drawn evenly from `places`, each other one evenly from `places` or from all that are far from the first,
    whichever are fewer; a set that does not fit is thrown away whole.  So every sequence that fits has the same chance.
    """
    if count > len(places):
        return None
    allowed = places if isinstance(places, range) else frozenset(places)
    from_first = len(places) > far(0, distance, bits).bit_count()
    for _ in range(tries if count else 1):
        drawn = [rng.choice(places)] if count else []
        while len(drawn) < count:
            place = drawn[0] ^ _shift(rng, distance, bits) if from_first else rng.choice(places)
            if place not in allowed or any((place ^ other).bit_count() < distance for other in drawn):
                break
            drawn.append(place)
        else:
            return drawn
    return None


def search_set(rng: Random, places: Sequence[int], count: int, distance: int) -> list[int]:
    """Some set of `count` of the places, one or more, that keeps the distance, found for certain; [] where there is none."""
    order = rng.sample(places, len(places))
    for index, place in enumerate(order[: len(order) - count + 1]):
        rest = [other for other in order[index + 1 :] if (place ^ other).bit_count() >= distance]
        if count == 1:
            return [place]
        if others := search_set(rng, rest, count - 1, distance):
            return [place, *others]
    return []


def mirrored(places: Sequence[int], distance: int) -> bool:
    """Whether some shift by the distance or more maps the places onto themselves, as any does where there are none.

    Shifting a place flips some of its bits.  If what is placed, or what is open, is mirrored, then whoever is to place next
    can be answered for ever: the shift of any open place is open, far from that place, and leaves a mirrored board again.
    """
    members = frozenset(places)
    shifts = (places[0] ^ place for place in places[1:]) if len(members) % 2 == 0 else ()
    return not members or any(shift.bit_count() >= distance and all(p ^ shift in members for p in places) for shift in shifts)


def twins(places: Sequence[int], bits: int) -> list[int]:
    """The places that make a set mirrored; where the set keeps a distance, they keep it too."""
    members, found = frozenset(places), set[int]()
    if len(places) == 1:
        return [places[0] ^ (1 << bits) - 1]  # every place will do, and this one is the furthest
    if len(places) % 2:
        for shift in {one ^ other for one in places[:2] for other in places if one != other}:
            alone = list(islice((place ^ shift for place in places if place ^ shift not in members), 2))
            found.update(alone if len(alone) == 1 else ())
    return sorted(found)


class Exclusion:
    """Exact play where two players in turn take a place and all that is too near to it; who finds no place left loses.

    What is left is a mask over the places as they were listed at first, so cubes of all sizes are searched alike.
    Groups of places that are not near each other do not touch, so each but the largest counts as the heap of nim it is worth.
    """

    def __init__(self, places: Sequence[int], distance: int, budget: int) -> None:
        self.places, self.distance, self.budget = places, distance, budget
        self.after = [  # what each place leaves of all
            sum(1 << index for index, other in enumerate(places) if (place ^ other).bit_count() >= distance) for place in places
        ]
        self.known: dict[tuple[int, int], bool] = {}

    def best(self) -> int:
        """The first place that wins; else one that may win and leaves most; else the one that leaves most replies that lose."""
        unsure, order = [], sorted(range(len(self.places)), key=lambda index: self.after[index].bit_count())
        for index in order:
            won = self.wins(self.after[index])
            if won is False:
                return self.places[index]
            if won is None:
                unsure.append(index)
        return self.places[unsure[-1] if unsure else max(reversed(order), key=self._traps)]

    def _traps(self, index: int) -> float:
        """The share of replies to a place that are known to lose."""
        replies = [self.wins(self.after[index] & self.after[reply]) for reply in listed(self.after[index])]
        return replies.count(True) / len(replies)

    def wins(self, left: int, heap: int = 0) -> bool | None:
        """Whether the player to move wins with these places left beside a heap of nim; None if the budget does not tell."""
        if not left:
            return heap > 0
        if self.budget <= 0 or left.bit_count() > SEARCHED:
            return None
        *small, largest = self._groups(left)
        for group in small:
            worth = self.worth(group)
            if worth is None:
                return None
            heap ^= worth
        if (largest, heap) not in self.known:
            self.budget -= 1
            won = self._search(largest, heap)
            if won is None:
                return None
            self.known[largest, heap] = won
        return self.known[largest, heap]

    def worth(self, group: int) -> int | None:
        """The heap beside which the player to move loses with these places left; None if the budget does not tell."""
        if group.bit_count() == 1:
            return 1
        heap = 0
        while won := self.wins(group, heap):
            heap += 1
        return None if won is None else heap

    def _search(self, left: int, heap: int) -> bool | None:
        places = listed(left)
        if not heap and mirrored([self.places[index] for index in places], self.distance):
            return False
        turns = [(rest, heap) for rest in sorted({left & self.after[index] for index in places}, key=_size)]
        for turn in [*turns, *((left, less) for less in range(heap))]:
            won = self.wins(*turn)
            if not won:
                return None if won is None else True
        return False

    def _groups(self, left: int) -> list[int]:
        """The places left, those that are near each other together, straight or by way of others; the smallest group first."""
        found = []
        while left:
            group = reached = left & -left
            left ^= group
            while reached:
                near = left & ~self.after[lowest(reached)]
                left ^= near
                group |= near
                reached = reached & reached - 1 | near
            found.append(group)
        return sorted(found, key=_size)


def _nth(mask: int, index: int, bits: int) -> int:
    """The place of a mask that has `index` others children it, found by halving."""
    place = 0
    for width in (1 << bit for bit in reversed(range(bits))):
        lower = mask & (1 << width) - 1
        if index >= lower.bit_count():
            index -= lower.bit_count()
            place += width
            mask >>= width
        else:
            mask = lower
    return place


def _size(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _shift(rng: Random, distance: int, bits: int) -> int:
    while (shift := rng.getrandbits(bits)).bit_count() < distance:
        pass
    return shift
