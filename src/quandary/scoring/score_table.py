"""A table of scores, as which every score is handed on, whoever defined it; the order of levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from quandary.catalogue import registry
from quandary.core.errors import UserError
from quandary.players.model_names import without_settings


class Ranged(NamedTuple):
    """A number with its 95 % interval, or with any range that the table's notes explain."""

    value: float
    low: float
    high: float


Cell: TypeAlias = str | int | float | Ranged | None  # None: there is no such number


@dataclass(frozen=True)
class ScoreTable:
    """Rows of numbers of one kind, and how they were computed."""

    key: str  # names its files, for example win_rates
    title: str
    formula: str  # one or two sentences: what the numbers are
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()  # n, seeds, versions, what is missing
    # A column of difficulties: the report draws how accuracy depends on it, by task and puzzle.
    difficulty: str = ""
    lead: str = ""  # what stands above the table: of which levels and settings it is
    levels: tuple[str, ...] = ()  # of a leaderboard, if there are several: what it is over
    # Settings that all models of a leaderboard have: tables that people read name them once.
    shared_settings: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()  # of a leaderboard: what must stand beside it wherever it is
    main: str = ""  # the column that stands for the table; by default the first with intervals

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError(f"a row of {self.key} does not fit its head")

    def column(self, name: str) -> tuple[Cell, ...]:
        """Return the cells below one head."""
        place = self.head.index(name)
        return tuple(row[place] for row in self.rows)

    def main_column(self) -> int:
        """Return which column stands for the whole table."""
        if self.main:
            return self.head.index(self.main)
        ranged = (
            at
            for at in range(len(self.head))
            if any(isinstance(row[at], Ranged) for row in self.rows)
        )
        return next(ranged, len(self.head) - 1)

    def short_rows(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the rows for people: without shared settings in the names of players."""
        if not self.shared_settings:
            return self.rows
        at = self.head.index("player")
        return tuple(
            (*row[:at], without_settings(str(row[at]), self.shared_settings), *row[at + 1 :])
            for row in self.rows
        )

    def plain(self) -> dict[str, Any]:
        """Return the table as JSON writes it: a dictionary per row, an interval as a list
        of three.
        """
        rows = [dict(zip(self.head, map(plain, row), strict=True)) for row in self.rows]
        about = {
            "lead": self.lead,
            "levels": list(self.levels),
            "shared_settings": list(self.shared_settings),
        }
        return {
            "key": self.key,
            "title": self.title,
            "formula": self.formula,
            **{name: value for name, value in about.items() if value},
            "rows": rows,
            "notes": list(self.notes),
        }


def plain(cell: Cell) -> object:
    """Return a cell as JSON writes it."""
    return list(cell) if isinstance(cell, Ranged) else cell


def score_table(
    key: str,
    title: str,
    formula: str,
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    notes: Sequence[str] = (),
    difficulty: str = "",
    main: str = "",
) -> ScoreTable:
    """Return a table from lists."""
    cells = tuple(map(tuple, rows))
    return ScoreTable(key, title, formula, tuple(head), cells, tuple(notes), difficulty, main=main)


def ranked(table: ScoreTable, order: Sequence[str]) -> ScoreTable:
    """Return a table whose players stand in this order where they stand in that of letters.

    Rows with other texts before the player stay together; other players come last.
    """
    if "player" not in table.head:
        return table
    at = table.head.index("player")
    rows, places = list(table.rows), dict[str, int]()
    for place, player in enumerate(order):
        places.setdefault(player, place)
        places.setdefault(player.partition(",")[0], place)
    found = dict[tuple[Cell, ...], dict[str, list[tuple[Cell, ...]]]]()
    for row in rows:
        found.setdefault(row[:at], {}).setdefault(str(row[at]), []).append(row)
    if any(list(group) != sorted(group) for group in found.values()):
        return table
    last = len(places)
    made = [
        row
        for group in found.values()
        for player in sorted(group, key=lambda name: places.get(name, last))
        for row in group[player]
    ]
    return replace(table, rows=tuple(made))


def suite_key(key: str, suite: str) -> str:
    """Return the key of a table of one suite."""
    return f"{key}_" + re.sub(r"\W+", "_", suite)


@cache
def level_place(puzzle: str, level: str) -> tuple[int, str]:
    """Return where a level stands among those of its puzzle, from easy to hard; for sorting."""
    name = puzzle.rpartition(":")[2].partition(" ")[0]
    try:
        known = list(registry.load(name).levels)
    except UserError:  # a puzzle from outside that is not here
        known = []
    base = level.partition(" (")[0].partition("@")[0].partition(",")[0]
    return (known.index(base) if base in known else len(known)), level
