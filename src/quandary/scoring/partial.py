"""Results of a run that is not finished: how much of each row is missing, and no intervals.

Short matches are the first to be finished, so the mean of a row with missing matches favours
whoever does well in short ones.  An interval would count that as precision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from quandary.arena.headers import RecordKey
from quandary.arena.job import Job
from quandary.arena.store import records
from quandary.results.starts import listed_starts
from quandary.results.unplayed import left
from quandary.tasks.published_wording import Unscored

from .normalised import NormalisedRow
from .score_table import Cell, Ranged, ScoreTable
from .summary import SummaryRow, level_of, summarise

PARTIAL = (
    "PARTIAL RESULTS: some matches are not played yet. Short matches end first, so numbers favour "
    "them; players of whom some are missing have no interval and no rank."
)
MOST_MISSING = 0.01  # of the results of a player that has a rank
PRECISE = ("ranks", "group", "p", "p adjusted")  # columns that say how sure something is
RowKey: TypeAlias = tuple[str, str, str]  # puzzle, level and player


def mark_missing(rows: Iterable[SummaryRow], unplayed: Iterable[Job]) -> list[SummaryRow]:
    """Rows with the number of matches that are left or were cut off, and rows for players none of
    whose matches has ended.
    """
    missing, empty = Counter[RowKey](), dict[RowKey, SummaryRow]()
    for match in unplayed:
        if match.spec.name == Unscored.task:
            continue
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
    return mark_missing(summarise(records(folder)), _left(folder))


def is_unfinished(folder: Path) -> bool:
    """Whether matches of the run in a folder are left to play."""
    return any(True for _ in _left(folder))


def _left(folder: Path) -> Iterator[Job]:
    stored = records(folder)
    played = (RecordKey(record.name, record.players, record.repeat) for record in stored)
    return left(folder, played, len(stored))


def _marked(row: SummaryRow, missing: int) -> SummaryRow:
    return replace(row, missing=missing, low=None, high=None) if missing else row


def marked(table: ScoreTable, players: Collection[str]) -> ScoreTable:
    """A table of an unfinished run: it says so first, and has neither intervals nor ranks of the
    players of whom matches are left, which are in the column `player` or name columns.
    """
    at = table.head.index("player") if "player" in table.head else None
    rows = tuple(
        tuple(
            _plain(name, cell)
            if name in players or (at is not None and row[at] in players)
            else cell
            for name, cell in zip(table.head, row, strict=True)
        )
        for row in table.rows
    )
    return replace(table, rows=rows, notes=(PARTIAL, *table.notes))


def _plain(name: str, cell: Cell) -> Cell:
    if name in PRECISE:
        return None
    return cell.value if isinstance(cell, Ranged) else cell


def cut_off_notes(missing: Mapping[str, tuple[int, int]]) -> list[str]:
    """Who has no rank because so many of all its results are missing."""
    if not missing:
        return []
    told = ", ".join(f"{player} ({count} of {of})" for player, (count, of) in missing.items())
    percent = f"{100 * MOST_MISSING:.0f} %"
    because = f"Without a rank, because more than {percent} of their results are missing: {told}"
    return [f"{because}; `quandary compare` says what these can change."]


def left_out_notes(matches: int) -> list[str]:
    """How many matches a table is without because they have no result."""
    if not matches:
        return []
    return [f"Matches that were cut off have no result and are left out: {matches:,}."]


def without_intervals(
    rows: Iterable[NormalisedRow], partial: Collection[RowKey]
) -> list[NormalisedRow]:
    """Normalised means, without intervals for the players whose results are partial."""
    return [replace(row, low=None, high=None) if row_key(row) in partial else row for row in rows]


def partial_rows(rows: Sequence[SummaryRow]) -> set[RowKey]:
    return {row_key(row) for row in rows if row.missing}


def row_key(row: SummaryRow | NormalisedRow) -> RowKey:
    return row.puzzle, row.level, row.player
