"""Bit strings as moves: writing and reading them, lazy lists of them, and labels for their map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import overload

from quandary.core.contract import Move
from quandary.core.errors import Unreadable
from quandary.core.scene import Label, Shape
from quandary.kit.reading import outside_brackets
from quandary.solvers.hamming_distance import listed

LONGEST = 1_000  # characters of words that are looked at
LIST = re.compile(r"\[(?!int\])[^\[\]]*\]|\(['\"\s]*[01][01,'\"\s]*\)", re.I)
# among other words; bits that stand apart are caught too, for they may be meant instead
ROW = re.compile(r"(?<![\w.,])[01]{2,64}(?!\w|[.,]\w)|\b[01](?:,\s?|\s)[01]\b")


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
        return (
            isinstance(place, str)
            and place in Places(self.bits)
            and bool(self.mask >> int(place, 2) & 1)
        )

    def __iter__(self) -> Iterator[str]:
        return (write_place(place, self.bits) for place in listed(self.mask))


@lru_cache(maxsize=64)
def places_of(bits: int) -> Places:
    """All places of so many bits; they are asked for in every turn."""
    return Places(bits)


def map_labels(down: int, across: int) -> list[Shape]:
    """The leading bits of places, along the left and the upper edge of their map."""
    top = [
        Label(3.5 + x, 2.3, f"{x:0{across}b}", size=0.35, colour="quiet")
        for x in range(1 << across)
    ]
    rows = range(1 << down if down else 0)
    return [
        *top,
        *(
            Label(2.8, 3.3 + y, f"{y:0{down}b}", size=0.5, colour="quiet", anchor="end")
            for y in rows
        ),
    ]


def read_place(said: str, how: str) -> Move:
    """The only bit string in `said`: in a list, after an equals sign, or among other words."""
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
    """The bits that some words are, however they are separated; "" where they are anything else."""
    bits = re.sub(r"[\s,()\[\]'\"`*]+", "", words).removesuffix(".")
    return bits if re.fullmatch(r"[01]{1,64}", bits) else ""


@lru_cache(maxsize=1 << 16)  # as single places are
def write_run(start: int, end: int, bits: int) -> str:
    """The places from `start` up to but excluding `end`: first and last, or the only one."""
    first = write_place(start, bits)
    return first if end - start == 1 else f"{first}-{write_place(end - 1, bits)}"


@lru_cache(maxsize=1 << 16)  # the same few rows are written in every turn
def write_place(place: int, bits: int) -> str:
    """The place as its row of bits."""
    return f"{place:0{bits}b}"


def write_places(places: Iterable[int], bits: int) -> tuple[str, ...]:
    """The places as rows of bits, in ascending order."""
    return tuple(write_place(place, bits) for place in sorted(places))


def _nth(mask: int, index: int, bits: int) -> int:
    """The place of a mask that has `index` others below it, found by halving."""
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
