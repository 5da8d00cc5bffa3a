"""The table of seats: its columns as arrays, its rows in groups.

Sums are added in the order of rows, so the same table always gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quandary.players.people import is_person, own_name, pooled
from quandary.statistics.estimates import Estimate, Flags, Floats, Ints
from quandary.statistics.intervals import UNIT, pooled_estimate

from .score_table import Ranged

if TYPE_CHECKING:
    import pyarrow as pa

COPIED = (
    *("spec", "instance", "seat", "player", "opponents", "repeat", "score", "moves", "language"),
)
SPARSE = 2  # times as many numbers as rows, from which numbers are sorted instead of counted


class Texts(NamedTuple):
    """A column of texts as places in a list of names; -1 where there is none."""

    codes: Ints
    names: list[str]

    def where(self, name: str) -> Flags:
        """Return which rows have this text."""
        if name not in self.names:
            return np.zeros(len(self.codes), bool)
        found: Flags = self.codes == self.names.index(name)
        return found

    def at(self, row: int) -> str | None:
        code = self.codes[row]
        return None if code < 0 else self.names[code]


class SeatColumns:
    """Columns by name, each converted when it is first asked for; texts as numbers."""

    # A subclass has columns that are no table of pyarrow, which takes long to import.

    def __init__(self, seats: pa.Table) -> None:
        self.table = seats
        self._texts, self._numbers = dict[str, Texts](), dict[str, Floats]()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def only(self, rows: Flags) -> SeatColumns:
        """Return the rows for which an array is true."""
        import pyarrow as pa

        return SeatColumns(self.table.filter(pa.array(rows)))

    def texts(self, name: str) -> Texts:
        """Return a column as texts, named by the sorted list of those that occur."""
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
        """Return the same number for the same value; -1 for missing ones."""
        import pyarrow.compute as pc

        found: Ints = pc.fill_null(self._encoded(name).indices, -1).to_numpy().astype(np.int64)
        return found

    def _encoded(self, name: str) -> Any:
        import pyarrow as pa

        column = self.table[name]
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        return column.unify_dictionaries().combine_chunks()

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, with true as 1 and false as 0; nan where one is missing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if name not in self._numbers:
            self._numbers[name] = pc.cast(self.table[name], pa.float64()).to_numpy()
        return self._numbers[name]

    def whole(self, name: str) -> Ints:
        """Return a column of whole numbers, or of truths, without gaps."""
        found: Ints = self.table[name].to_numpy().astype(np.int64)
        return found

    @cached_property
    def starts(self) -> Ints:
        return self.texts("instance").codes

    @cached_property
    def same(self) -> tuple[Ints, ...]:
        """What is equal for seats of exact repeats of a match: the same start, word by word, in the
        same language, with the same opponents and moves.
        """
        opponents = self.texts("opponents").codes
        languages, moves = self.texts("language").codes, self.codes("moves")
        return self.starts, self.whole("seat"), opponents, languages, moves

    @property
    def copies(self) -> tuple[Ints, ...]:
        """What is equal for the same seat of copies of a match, as a copied run has them: instance,
        repeat, players and moves.  That they are in other repeats, or on another instance with the
        same start, does not make matches copies: how often a player does the same is a part of what
        it does.  Two people may give the same answers under one name.
        """
        player = self.texts("player")
        person = people(player) | people(self.texts("opponents"))
        alone = np.where(person, np.arange(len(self)), -1)
        spec = self.texts("spec").codes
        own = player.codes, spec, self.whole("repeat"), self.codes("score")
        return *self.same, *own, alone


def people(players: Texts) -> Flags:
    """Return which rows are those of people."""
    found = np.array([is_person(name) for name in players.names] + [False], bool)
    flags: Flags = found[players.codes]
    return flags


def pooled_people(players: Texts) -> Texts:
    """Return the same players, with all people as one."""
    return joined([players], pooled) if any(map(is_person, players.names)) else players


def persons(players: Texts) -> Ints:
    """Return a number per row, equal for the rows of one person, whatever helped."""
    return joined([players], own_name).codes


def without_copies(seats: SeatColumns) -> SeatColumns:
    """Return the rows of matches that are in several runs once; needs the columns `COPIED`."""
    first = is_first(*seats.copies)
    return seats if first.all() else seats.only(first)


def is_first(*columns: Ints) -> Flags:
    """Return which rows are the first with their combination of values."""
    found = np.zeros(len(columns[0]), bool)
    found[Groups(*columns).first] = True
    return found


def first_rows(*columns: Ints) -> Ints:
    """Return the rows that are the first with their combination of values."""
    return Groups(*columns).first


class Groups:
    """Rows that are the same in some columns; groups are in the order of their first rows."""

    def __init__(self, *columns: Ints) -> None:
        combined, size = _combined(columns)
        rows = len(combined)
        kind: Any = np.int32 if rows < 2**31 else np.int64  # half of the memory
        first = np.full(size, rows, kind)
        first[combined[::-1]] = np.arange(rows, dtype=kind)[::-1]  # of several, the last stays
        self.first: Ints = np.sort(first[first < rows])  # the first row of each group
        number = first  # in the same memory
        number[combined[self.first]] = np.arange(len(self.first))
        self.of: Ints = number[combined]  # the number of each row's group

    def __len__(self) -> int:
        return len(self.first)

    def __iter__(self) -> Iterator[Ints]:
        """The rows of each group, in their order."""
        if not len(self):
            return iter(())
        rows, ends = np.argsort(self.of, kind="stable"), np.cumsum(self.counts(self.of))
        return iter(np.split(rows, ends[:-1]))

    def counts(self, rows: Ints) -> Ints:
        """Return how many of some rows, given by the numbers of their groups, each group has."""
        return np.bincount(rows, minlength=len(self))

    def sums(self, values: Floats, rows: Flags) -> Floats:
        """Return the sum of each group's values over some of its rows."""
        return np.bincount(self.of[rows], values[rows], minlength=len(self)).astype(np.float64)


def _combined(columns: Sequence[Ints]) -> tuple[Ints, int]:
    """Columns as one of numbers from 0 that tell combinations of values apart, and a number that
    all of them are below.
    """
    rows = len(columns[0])
    most = max(SPARSE * rows, 1)
    found, size = np.zeros(rows, np.int64), 1
    for column in columns if rows else ():
        low = int(column.min())
        count = int(column.max()) - low + 1
        if count == 1:
            continue
        if count > most:
            column, count = _ranked(column)
            low = 0
        found *= count
        found += column
        found -= low
        size *= count
        if size > most:  # at most `most` times `rows` before, so that it was no overflow
            found, size = _ranked(found)
    return found, size


def _ranked(values: Ints) -> tuple[Ints, int]:
    """Values as numbers from 0 in their order, and how many different ones there are.

    `np.unique(values, return_inverse=True)` finds the same with twice the memory.
    """
    order = np.argsort(values, kind="stable").astype(np.int32 if len(values) < 2**31 else np.int64)
    ordered = values[order]
    is_new = np.concatenate([[False], ordered[1:] != ordered[:-1]])
    ranks = np.empty(len(values), np.int64)
    ranks[order] = np.cumsum(is_new, dtype=order.dtype)
    return ranks, int(ranks[order[-1]]) + 1


def numbered(values: Ints) -> Ints:
    """Values as numbers from 0, in the order in which they first occur."""
    return Groups(values).of


def grouped(*columns: Texts) -> Iterator[tuple[tuple[str | None, ...], Ints]]:
    """Yield the texts and the rows of each group by several columns."""
    for rows in Groups(*(column.codes for column in columns)):
        yield tuple(column.at(rows[0]) for column in columns), rows


def joined(columns: Sequence[Texts], spell: Callable[..., str]) -> Texts:
    """Return one text from the texts of several columns, spelt once for each combination."""
    groups = Groups(*(column.codes for column in columns))
    names = [spell(*(column.at(row) for column in columns)) for row in groups.first.tolist()]
    known = {name: code for code, name in enumerate(dict.fromkeys(names))}
    codes = np.array([known[name] for name in names], np.int64)
    return Texts(codes[groups.of], list(known))


def asked_puzzles(seats: SeatColumns) -> Texts:
    """Puzzles as they were asked: `whole:tidy_tower`, `sudoku (image)`.

    A match is shown as a picture if any of its seats is.
    """
    shown = seats.texts("modality")
    pictured = ~(shown.where("text") | (shown.codes < 0))
    kinds = np.full(len(seats), -1)
    if pictured.any():
        match = Groups(seats.codes("run"), seats.whole("match"))
        kind = np.full(len(match), -1)
        kind[match.of[pictured]] = shown.codes[pictured]
        kinds = kind[match.of]
    return joined(
        [seats.texts("task"), seats.texts("puzzle"), Texts(kinds, shown.names)],
        lambda task, puzzle, shown: (
            f"{f'{task}:' if task else ''}{puzzle}{f' ({shown})' if shown else ''}"
        ),
    )


def played_levels(seats: SeatColumns) -> Texts:
    """Levels with their changes, and with their split if it is not `test`."""
    return joined(
        [seats.texts("level"), seats.texts("split")],
        lambda level, split: level if split == "test" else f"{level}@{split}",
    )


def ranged(found: Estimate) -> Ranged:
    return Ranged(found.mean, found.low, found.high)


def mean_with_interval(
    values: Floats, starts: Ints, bounds: tuple[float, float] | None = UNIT
) -> Ranged | None:
    """Return the mean of the numbers that are there, with the interval over starts; None without
    any.
    """
    there = ~np.isnan(values)
    if not there.any():
        return None
    return ranged(pooled_estimate(values[there], starts[there], bounds=bounds))
