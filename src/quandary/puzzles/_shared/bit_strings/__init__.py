"""Bit strings as moves: how they are written, lazy lists of them, and their map."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import overload

from msgspec.structs import replace

from quandary.core.boards import Cell, beside, board, stack
from quandary.core.moves import Bits, Notation
from quandary.core.scene import Box, Label, Scene
from quandary.core.text_width import text_width

from .cube_symmetry import CubeSymmetry
from .hamming_distance import listed

MOST_MAPPED_BITS = 8  # a map of more has no room for text in its cells
MOST_STORED_BITS = 6  # of places in a tuple; with more, looking for one would take too long
MOST_BITS_IN_LINE = 3  # of the name of a column
LETTERS = {4: 0.5, 5: 0.85}  # the size of those of larger maps, by the bits of a column
BIT_HEIGHT = 1.1  # of names that are written downwards, relative to their letters


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
def places_of(bits: int) -> Sequence[str]:
    """Return all places of so many bits; they are asked for in every turn, and a few are stored."""
    places = Places(bits)
    return tuple(places) if bits <= MOST_STORED_BITS else places


@cache
def place_notation(length: int, shortest: int | None = None) -> Notation:
    """Return a move that is one place, of `length` bits or of any length from `shortest` on."""
    return Notation("{place}", labels={"place": ("position",)}, place=Bits(length, shortest))


def place_map(shown: int, look: Callable[[int], Cell], bits: int | None = None) -> Scene:
    """Return a board with a cell per place, or per group of places that begin with the `shown`
    bits.

    The first half of the bits names the row, as in 01··, and the others the column.
    Where columns are too narrow for their names, these are written downwards, and those of rows
    have no dots.
    """
    down, across = shown // 2, shown - shown // 2
    rows = [
        [look(row << across | column) for column in range(1 << across)] for row in range(1 << down)
    ]
    rest = "·" * ((bits or shown) - down)
    row_names = [write_place(row, down) + rest for row in range(1 << down)] if down else []
    column_names = [write_place(column, across) for column in range(1 << across)]
    if across <= MOST_BITS_IN_LINE:
        return board(rows, row_names=row_names, column_names=column_names)
    size = letter_size(shown)
    row_names = [name.rstrip("·") for name in row_names]  # there is little room
    left = max(text_width(row_names[0], size), len(row_names[0]) / 4) + 0.3  # as in a terminal
    beside_rows = [
        Label(left - 0.2, row + 0.5, name, size, "quiet", "end")
        for row, name in enumerate(row_names)
    ]
    above_columns = [
        Label(column + 0.5, (bit + 0.5) * size * BIT_HEIGHT, name[bit], size, "quiet")
        for column, name in enumerate(column_names)
        for bit in range(across)
    ]
    height = across * size * BIT_HEIGHT
    cells = board(rows)
    large = (replace(one, size=size) if isinstance(one, Box) else one for one in cells.shapes)
    return stack(
        beside(Scene(left, height, ()), Scene(len(column_names), height, (*above_columns,)), gap=0),
        beside(
            Scene(left, len(rows), (*beside_rows,)),
            Scene(cells.width, cells.height, tuple(large)),
            gap=0,
        ),
        gap=0.1,
    )


def letter_size(shown: int) -> float:
    """Return the size of letters in and beside a map of so many bits, which are legible as
    a whole.
    """
    return LETTERS.get(shown - shown // 2, 0.4)


def marks_map(marks: str, shown: int, blank: str, fills: Mapping[str, str]) -> Scene:
    """Return a map of marks, one per place; of groups with their number of blanks if `shown` bits
    are few.

    A cell is filled for the first mark of `fills` that is in it, and can be clicked if it is blank.
    """
    block = len(marks) >> shown

    def look(cell: int) -> Cell:
        here = marks[cell * block : (cell + 1) * block]
        left = here.count(blank)
        fill = next((fills[mark] for mark in fills if mark in here), "paper")
        if block > 1:
            return Cell(str(left), fill)
        click = {"place": write_place(cell, shown)} if left else None
        return Cell(here.strip(blank), fill, click=click)

    return place_map(shown, look, len(marks).bit_length() - 1)


@lru_cache(maxsize=1 << 16)  # the same few places are written in every turn
def write_place(place: int, bits: int) -> str:
    """Return the place as its row of bits."""
    return f"{place:0{bits}b}"


def write_places(places: Iterable[int], bits: int) -> tuple[str, ...]:
    """Return the places as rows of bits, in ascending order."""
    return tuple(write_place(place, bits) for place in sorted(places))


def turned_places(places: Iterable[str], turn: CubeSymmetry) -> tuple[str, ...]:
    """Return the places after a turn of the cube."""
    bits = len(turn.order)
    return tuple(write_place(turn.place(int(place, 2)), bits) for place in places)


def turned_marks(marks: str, turn: CubeSymmetry) -> str:
    """Return the marks of all places after a turn of the cube."""
    turned = [""] * len(marks)
    for place, mark in zip(turn.places(), marks, strict=True):
        turned[place] = mark
    return "".join(turned)


def write_runs(marks: str, mark: str) -> str:
    """Return the places that carry a mark, in ascending order, neighbours joined: 001-011 110.

    `marks` has one letter per place.
    """
    bits = len(marks).bit_length() - 1
    runs = (found.span() for found in re.finditer(f"{re.escape(mark)}+", marks))
    ends = ((write_place(start, bits), write_place(stop - 1, bits)) for start, stop in runs)
    return " ".join(first if first == last else f"{first}-{last}" for first, last in ends)


def extended_runs(runs: str, marks: str, mark: str, place: int) -> str:
    """Return what `write_runs` gives after one more place gets the mark.

    `runs` and `marks` are those before.
    """
    bits, following = len(marks).bit_length() - 1, marks.find(mark, place + 1)
    own = write_place(place, bits)
    at = len(runs) + 1 if following < 0 else runs.index(write_place(following, bits))
    left, right = runs[: at - 1] if at else "", runs[at:]
    if following == place + 1:
        if right[bits : bits + 1] == "-":
            right = right[bits + 1 :]  # the start of this run moves back
        end = f"-{right}"
    else:
        end = f" {right}" if right else ""
    if place and marks[place - 1] == mark:
        if left[-bits - 1 : -bits] == "-":
            left = left[: -bits - 1]  # the end of this run moves on
        return f"{left}{end}" if end[:1] == "-" else f"{left}-{own}{end}"
    return f"{left} {own}{end}" if left else f"{own}{end}"


def _nth(mask: int, index: int, bits: int) -> int:
    """Return the place of a mask that has `index` others below it, found by halving."""
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
