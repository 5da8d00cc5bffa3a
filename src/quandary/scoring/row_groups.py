"""Rows of the table of seats in groups: by puzzle as it was asked, by level, by player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from quandary.statistics.estimates import Estimate, Floats, Ints
from quandary.statistics.intervals import UNIT, pooled_estimate

from .score_table import Ranged
from .seat_columns import SeatColumns, Texts, first_rows, numbered


def asked_puzzles(seats: SeatColumns) -> Texts:
    """Puzzles as they were asked: `whole:tidy_tower`, `sudoku (image)`.

    A match is shown as a picture if any of its seats is.
    """
    shown = seats.texts("shown")
    match = numbered(seats.codes("run"), seats.whole("match"))
    pictured = ~(shown.where("text") | (shown.codes < 0))
    kind = np.full(int(match.max(initial=-1)) + 1, -1)
    kind[match[pictured]] = shown.codes[pictured]
    return joined(
        [seats.texts("task"), seats.texts("puzzle"), Texts(kind[match], shown.names)],
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


def joined(columns: Sequence[Texts], spell: Callable[..., str]) -> Texts:
    """One text from the texts of several columns, spelt once for each combination."""
    groups = grouped(*columns)
    names = list[str](spell(*key) for key in groups.labels)
    known = {name: code for code, name in enumerate(dict.fromkeys(names))}
    codes = np.array([known[name] for name in names], np.int64)
    return Texts(codes[groups.of] if len(codes) else groups.of, list(known))


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
    of = numbered(*(column.codes + 1 for column in columns))
    return first_rows(of), of


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
