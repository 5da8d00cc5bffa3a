"""The columns of the table of seats as arrays of numpy."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quandary.statistics.estimates import Flags, Floats, Ints

if TYPE_CHECKING:
    import pyarrow as pa

COPIED = ("spec", "instance", "seat", "player", "opponents", "repeat", "score", "moves")
PERSON = "human"  # the name of whoever plays at a terminal
LARGEST = 2**62  # number that stands for a combination


class Texts(NamedTuple):
    """A column of texts as places in a list of names; -1 where there is none."""

    codes: Ints
    names: list[str]

    def where(self, name: str) -> Flags:
        """Which rows have this text."""
        if name not in self.names:
            return np.zeros(len(self.codes), bool)
        found: Flags = self.codes == self.names.index(name)
        return found

    def at(self, row: int) -> str | None:
        code = self.codes[row]
        return None if code < 0 else self.names[code]


class SeatColumns:
    """Columns by name, each converted when it is first asked for; texts as numbers."""

    def __init__(self, seats: pa.Table) -> None:
        self.table = seats
        self._texts, self._numbers = dict[str, Texts](), dict[str, Floats]()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def only(self, rows: Flags) -> SeatColumns:
        """The rows for which an array is true."""
        import pyarrow as pa

        return SeatColumns(self.table.filter(pa.array(rows)))

    def texts(self, name: str) -> Texts:
        """A column as texts, named by the sorted list of those that occur."""
        if name not in self._texts:
            self._texts[name] = self._sorted(name)
        return self._texts[name]

    def _sorted(self, name: str) -> Texts:
        import pyarrow as pa
        import pyarrow.compute as pc

        encoded = self._encoded(name)
        words = encoded.dictionary.cast(pa.string())
        order = pc.sort_indices(words).to_numpy()
        place = np.full(len(order) + 1, -1)  # the last one is that of missing texts
        place[order] = np.arange(len(order))
        codes = pc.fill_null(encoded.indices, -1).to_numpy()
        return Texts(place[codes], words.take(pa.array(order)).to_pylist())

    def codes(self, name: str) -> Ints:
        """The same number for the same value, missing ones included."""
        import pyarrow.compute as pc

        found: Ints = pc.fill_null(self._encoded(name).indices, -1).to_numpy().astype(np.int64) + 1
        return found

    def _encoded(self, name: str) -> Any:
        import pyarrow as pa

        column = self.table[name]
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        return column.unify_dictionaries().combine_chunks()

    def numbers(self, name: str) -> Floats:
        """A column of numbers, with true as 1 and false as 0; nan where one is missing."""
        if name not in self._numbers:
            import pyarrow as pa
            import pyarrow.compute as pc

            self._numbers[name] = pc.cast(self.table[name], pa.float64()).to_numpy()
        return self._numbers[name]

    def whole(self, name: str) -> Ints:
        """A column of whole numbers, or of truths, without gaps."""
        found: Ints = self.table[name].to_numpy().astype(np.int64)
        return found

    @cached_property
    def starts(self) -> Ints:
        return self.texts("instance").codes

    @cached_property
    def same(self) -> Ints:
        """The same number for seats of matches with the same start, players and moves."""
        seat = self.whole("seat")
        return numbered(self.starts, seat, self.codes("opponents"), self.codes("moves"))

    @cached_property
    def copies(self) -> Ints:
        """The same number for the same seat of copies of a match, as a copied run has them: same
        instance, repeat, players and moves.  That they are in other repeats, or on another
        instance with the same start, does not make matches copies: how often a player does the
        same is a part of what it does.  Two people may give the same answers under one name.
        """
        person = self.texts("player").where(PERSON) | self.texts("opponents").where(PERSON)
        alone = np.where(person, np.arange(len(self)) + 1, 0)
        own = self.codes("player"), self.codes("spec"), self.whole("repeat"), self.codes("score")
        return numbered(self.same, *own, alone)


def numbered(*columns: Ints) -> Ints:
    """Numbers from 0 for the combinations of columns, in the order in which they first occur."""
    found, size = columns[0], int(columns[0].max(initial=0)) + 1
    for column in columns[1:]:
        more = int(column.max(initial=0)) + 1
        if size * more > LARGEST:
            found = _from_zero(found)
            size = int(found.max(initial=0)) + 1
        found, size = found * more + column, size * more
    return _from_zero(found)


def _from_zero(numbers: Ints) -> Ints:
    import pyarrow as pa

    found: Ints = pa.array(numbers).dictionary_encode().indices.to_numpy().astype(np.int64)
    return found


def without_copies(seats: SeatColumns) -> SeatColumns:
    """The rows of matches that are in several runs once; needs the columns `COPIED`."""
    first = is_first(seats.copies)
    return seats if first.all() else seats.only(first)


def is_first(numbers: Ints) -> Flags:
    """Which rows are the first of their number from 0."""
    found: Flags = np.zeros(len(numbers), bool)
    found[first_rows(numbers)] = True
    return found


def first_rows(numbers: Ints) -> Ints:
    """The row in which each number from 0 occurs first."""
    places = np.full(int(numbers.max(initial=-1)) + 1, len(numbers), np.int64)
    np.minimum.at(places, numbers, np.arange(len(numbers)))
    return places
