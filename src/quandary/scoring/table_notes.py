"""What tables of scores say of n and of missing results, and unfinished tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from .score_table import Cell, Ranged, ScoreTable

# Short matches are the first to be finished, so a mean with missing matches favours whoever does
# well in short ones.  An interval would count that as precision.
PARTIAL = (
    "PARTIAL RESULTS: some matches are not played yet. Short matches end first, so numbers favour "
    "them; players with missing matches have no interval and no rank."
)
N = "n: matches with a result, exact repeats once."
VALUES = (
    "value: mean raw value of the matches that have one; reference: mean best possible value of "
    "the same matches; bounds: how many of these are only bounds."
)
MOST_MISSING = 0.01  # of the results of a player that has a rank
PRECISE = ("ranks", "group", "p", "p adjusted")  # columns that say how sure something is


def marked(table: ScoreTable, players: Collection[str]) -> ScoreTable:
    """Return a table of an unfinished run: it says so first, and has neither intervals nor ranks of
    the players of whom matches are left, which are in the column `player` or name columns.
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
    """Return who has no rank because so many of all its results are missing."""
    if not missing:
        return []
    listed = ", ".join(f"{player} ({count} of {of})" for player, (count, of) in missing.items())
    percent = f"{100 * MOST_MISSING:.0f} %"
    because = f"Without a rank, because more than {percent} of their results are missing: {listed}"
    return [f"{because}; `quandary compare` says what these can change."]


def left_out_notes(matches: int) -> list[str]:
    """Return how many matches a table is without because they have no result."""
    if not matches:
        return []
    return [f"Matches that were cut off have no result and are left out: {matches:,}."]
