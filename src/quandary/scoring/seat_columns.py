"""The columns of the table of seats as numpy arrays, and rows in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quandary.catalogue import registry
from quandary.core.errors import UserError
from quandary.statistics.estimates import Estimate, Flags, Floats, Ints
from quandary.statistics.intervals import UNIT, pooled_estimate

from .score_table import Ranged

if TYPE_CHECKING:
    import pyarrow as pa

DENSE = 4_000_000  # numbers up to which counting them is faster than sorting


class Texts(NamedTuple):
    """A column of texts: the number of each row's text, -1 where there is none."""

    codes: Ints
    names: tuple[str, ...]

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
    """Some rows of the table of seats; each column is converted when it is first asked for."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self._texts = dict[str, Texts]()
        self._numbers = dict[str, Floats]()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def texts(self, name: str) -> Texts:
        if name not in self._texts:
            import pyarrow as pa

            column = self.table[name].combine_chunks()
            if not pa.types.is_dictionary(column.type):
                column = column.cast(pa.string()).dictionary_encode()
            codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
            self._texts[name] = Texts(codes.astype(np.int64), tuple(column.dictionary.to_pylist()))
        return self._texts[name]

    def numbers(self, name: str) -> Floats:
        """Numbers, with true as 1 and false as 0; nan where there is none."""
        if name not in self._numbers:
            import pyarrow as pa

            column = self.table[name].combine_chunks()
            if pa.types.is_boolean(column.type):
                column = column.cast(pa.int8())
            found = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
            self._numbers[name] = np.asarray(found, np.float64)
        return self._numbers[name]

    def only(self, rows: Flags) -> SeatColumns:
        """The rows for which an array is true."""
        import pyarrow as pa

        return SeatColumns(self.table.filter(pa.array(rows)))

    def puzzles(self) -> Texts:
        """Puzzles as they were asked: `whole:tidy_tower`, `sudoku (image)`.

        A match is shown as a picture if any of its seats is.
        """
        shown, (_, match) = self.texts("shown"), compact(self._matches())
        pictured = ~(shown.where("text") | (shown.codes < 0))
        kind = np.full(int(match.max(initial=-1)) + 1, -1)
        kind[match[pictured]] = shown.codes[pictured]
        return joined(
            [self.texts("task"), self.texts("puzzle"), Texts(kind[match], shown.names)],
            lambda task, puzzle, shown: (
                f"{f'{task}:' if task else ''}{puzzle}{f' ({shown})' if shown else ''}"
            ),
        )

    def _matches(self) -> Ints:
        """A number for each match of each run."""
        number = self.numbers("match").astype(np.int64)
        return self.texts("run").codes * (int(number.max(initial=0)) + 1) + number

    def levels(self) -> Texts:
        """Levels with their changes, and with their split if it is not `test`."""
        return joined(
            [self.texts("level"), self.texts("split")],
            lambda level, split: level if split == "test" else f"{level}@{split}",
        )


def joined(columns: Sequence[Texts], spell: Callable[..., str]) -> Texts:
    """One text from the texts of several columns, spelt once for each combination."""
    groups = grouped(*columns)
    names = list[str](spell(*key) for key in groups.labels)
    known = {name: code for code, name in enumerate(dict.fromkeys(names))}
    codes = np.array([known[name] for name in names], np.int64)
    return Texts(codes[groups.of] if len(codes) else groups.of, tuple(known))


@dataclass(frozen=True)
class Groups:
    """Rows that have the same texts in some columns."""

    labels: list[tuple[str | None, ...]]
    of: Ints  # the number of each row's group

    def __iter__(self) -> Iterator[tuple[tuple[str | None, ...], Ints]]:
        """Each group's key with the numbers of its rows, in their order."""
        order = np.argsort(self.of, kind="stable")
        ends = np.cumsum(np.bincount(self.of, minlength=len(self.labels)))
        yield from zip(self.labels, np.split(order, ends[:-1]), strict=True) if self.labels else ()


def grouped(*columns: Texts) -> Groups:
    """Groups by several columns."""
    rows, of = places(*columns)
    return Groups([tuple(column.at(row) for column in columns) for row in rows], of)


def places(*columns: Texts) -> tuple[Ints, Ints]:
    """A row of each group by several columns, and the number of each row's group: for groups that
    are too many to name.
    """
    first = columns[0]
    joint = first.codes + 1
    for column in columns[1:]:
        joint = compact(joint)[1] * (len(column.names) + 1) + column.codes + 1
    return compact(joint)


def compact(numbers: Ints) -> tuple[Ints, Ints]:
    """A row of each distinct number, in ascending order of numbers, and their places in it."""
    if not len(numbers):
        return numbers, numbers
    most = int(numbers.max()) + 1
    if most > max(DENSE, 2 * len(numbers)):
        _, rows, of = np.unique(numbers, return_index=True, return_inverse=True)
        return rows, of.reshape(-1)
    some = np.full(most, -1)
    some[numbers[::-1]] = np.arange(len(numbers))[::-1]  # the first row of each number stays
    present = np.flatnonzero(some >= 0)
    places = np.zeros(most, np.int64)
    places[present] = np.arange(len(present))
    return some[present], places[numbers]


@cache
def level_place(puzzle: str, level: str) -> tuple[int, str]:
    """Where a level stands among those of its puzzle, from easy to hard; for sorting."""
    name = puzzle.rpartition(":")[2].partition(" ")[0]
    try:
        known = list(registry.load(name).levels)
    except UserError:  # a puzzle from outside that is not here
        known = []
    base = level.partition("@")[0].partition(",")[0]
    return (known.index(base) if base in known else len(known)), level


def ranged(found: Estimate) -> Ranged:
    return Ranged(found.mean, found.low, found.high)


def mean_with_interval(
    values: Floats, starts: Ints, bounds: tuple[float, float] | None = UNIT
) -> Ranged | None:
    """The mean of the numbers that are there, with the interval over starts; None without any."""
    there = ~np.isnan(values)
    if not there.any():
        return None
    return ranged(pooled_estimate(values[there], starts[there], bounds=bounds))
