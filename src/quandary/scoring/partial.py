"""Results of a run that is not finished: how much of each row is missing, and no intervals.

Short matches are the first to be finished, so the mean of a row with missing matches favours
whoever does well in short ones.  An interval would count that as precision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from quandary.arena.headers import RecordKey
from quandary.arena.job import Job
from quandary.arena.store import records
from quandary.results.starts import listed_starts
from quandary.results.unplayed import left

from .normalised import NormalisedRow
from .summary import SummaryRow, level_of, summarise

RowKey: TypeAlias = tuple[str, str, str]  # puzzle, level and player


def mark_missing(rows: Iterable[SummaryRow], unplayed: Iterable[Job]) -> list[SummaryRow]:
    """Rows with the number of matches that are left or were cut off, and rows for players none of
    whose matches has ended.
    """
    missing, empty = Counter[RowKey](), dict[RowKey, SummaryRow]()
    for match in unplayed:
        for player in match.players:
            key = (*level_of(match.spec), player)
            missing[key] += 1
            if key not in empty:
                listed = listed_starts(match.spec)
                empty[key] = SummaryRow(*key, 0, 0, 0, 0, listed, *(None,) * 5, 0, (), 0)
    found = {row_key(row): row for row in rows}
    return [_marked(row, missing[key] + row.unscored) for key, row in (empty | found).items()]


def scores_by_level(folder: Path) -> list[SummaryRow]:
    """The rows of the run in a folder, with what is left of it."""
    stored = records(folder)
    played = (RecordKey(record.name, record.players, record.repeat) for record in stored)
    return mark_missing(summarise(stored), left(folder, played, len(stored)))


def _marked(row: SummaryRow, missing: int) -> SummaryRow:
    return replace(row, missing=missing, low=None, high=None) if missing else row


def without_intervals(
    rows: Iterable[NormalisedRow], partial: Collection[RowKey]
) -> list[NormalisedRow]:
    """Normalised means, without intervals for the players whose results are partial."""
    return [replace(row, low=None, high=None) if row_key(row) in partial else row for row in rows]


def partial_rows(rows: Sequence[SummaryRow]) -> set[RowKey]:
    return {row_key(row) for row in rows if row.missing}


def row_key(row: SummaryRow | NormalisedRow) -> RowKey:
    return row.puzzle, row.level, row.player
