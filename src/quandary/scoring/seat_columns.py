"""The columns of the table of seats as arrays of numpy."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from quandary.statistics.estimates import Floats, Ints

if TYPE_CHECKING:
    import pyarrow as pa

LARGEST = 2**62  # number that stands for a combination


class SeatColumns:
    """Columns by name; texts as numbers."""

    def __init__(self, seats: pa.Table) -> None:
        self.table = seats

    def texts(self, name: str) -> tuple[Ints, list[str]]:
        """A column of texts as places in the sorted list of those that occur."""
        import pyarrow as pa
        import pyarrow.compute as pc

        encoded = self._encoded(name)
        order = pc.sort_indices(encoded.dictionary).to_numpy()
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        words: list[str] = encoded.dictionary.take(pa.array(order)).to_pylist()
        return place[encoded.indices.to_numpy()], words

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
        """A column of numbers, nan where one is missing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        found: Floats = pc.cast(self.table[name], pa.float64()).to_numpy()
        return found

    def whole(self, name: str) -> Ints:
        """A column of whole numbers, or of truths, without gaps."""
        found: Ints = self.table[name].to_numpy().astype(np.int64)
        return found

    @cached_property
    def starts(self) -> Ints:
        return self.texts("instance")[0]

    @cached_property
    def same(self) -> Ints:
        """The same number for seats of matches with the same start, players and moves."""
        seat = self.whole("seat")
        return numbered(self.starts, seat, self.codes("opponents"), self.codes("moves"))


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


def first_rows(numbers: Ints) -> Ints:
    """The row in which each number from 0 occurs first."""
    places = np.full(int(numbers.max(initial=-1)) + 1, len(numbers), np.int64)
    np.minimum.at(places, numbers, np.arange(len(numbers)))
    return places
