"""Means over the puzzles of a kind, as the PuzzlePlex papers average: matches, then puzzles.

A paper names its kinds of puzzles and how it asks them.  Where a puzzle was asked in several ways
(`k_queens` and `whole:k_queens`), the way of the paper counts, if it was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from quandary.scoring.groups import SeatColumns, Texts, asked_puzzles, grouped, joined
from quandary.scoring.score_table import Cell, Ranged
from quandary.statistics.estimates import CONFIDENCE, Estimate, Floats, Ints, student
from quandary.statistics.intervals import pooled_estimate

LEVELS = ("easy", "normal")  # the first paper calls the second one intermediate
BOTH = "both"


class Place(NamedTuple):
    """What a mean is over: a kind of puzzles, a level and a player."""

    kind: str
    level: str
    player: str


@dataclass(frozen=True)
class Kinds:
    """The kinds of puzzles of a paper."""

    puzzles: Mapping[str, Sequence[str]]
    asked: Mapping[str, str]  # how the paper asks a puzzle, if not move by move
    together: Mapping[str, Sequence[str]]  # kinds that are also averaged together

    def members(self, present: Sequence[str]) -> dict[str, list[str]]:
        """Return the puzzles of each kind as they were asked, those of several kinds
        together last.
        """
        found = dict[str, list[str]]()
        for kind, puzzles in self.puzzles.items():
            ways = [self.asked.get(puzzle, puzzle) for puzzle in puzzles]
            found[kind] = [
                way if way in present else puzzle
                for way, puzzle in zip(ways, puzzles, strict=True)
                if way in present or puzzle in present
            ]
        for name, kinds in self.together.items():
            found[name] = [puzzle for kind in kinds for puzzle in found[kind]]
        return found


class Cells:
    """Rows by puzzle, level and player, and their means by kind."""

    def __init__(self, seats: SeatColumns, kinds: Kinds, players: Texts | None = None) -> None:
        self.seats, self.starts = seats, seats.texts("instance").codes
        puzzles = asked_puzzles(seats)
        groups = grouped(puzzles, base_levels(seats), players or seats.texts("player"))
        self.rows: dict[tuple[str | None, ...], Ints] = dict(groups)
        self.members = kinds.members(puzzles.names)
        self.players = sorted({str(player) for *_, player in self.rows})

    def places(self) -> Iterator[tuple[Place, list[Ints]]]:
        """Yield each kind, level and player with the rows of each of its puzzles; `both` levels
        last.
        """
        for kind, puzzles in self.members.items():
            for level in (*LEVELS, BOTH):
                levels = LEVELS if level == BOTH else (level,)
                for player in self.players:
                    keys = [(puzzle, one, player) for one in levels for puzzle in puzzles]
                    found = [self.rows[key] for key in keys if key in self.rows]
                    if found:
                        yield Place(kind, level, player), found

    def estimates(self, values: Floats, cells: Sequence[Ints]) -> list[Estimate]:
        """Return the mean of each cell that has a value."""
        there = [at[~np.isnan(values[at])] for at in cells]
        return [pooled_estimate(values[at], self.starts[at]) for at in there if len(at)]


def base_levels(seats: SeatColumns) -> Texts:
    """Levels without their changes: a changed normal level counts as normal."""
    return joined([seats.texts("level")], lambda level: level.partition(",")[0])


def over_cells(means: Sequence[float]) -> Cell:
    """Return the mean over puzzles with Student's 95 % interval over puzzles, as the second paper
    has it.

    A single puzzle has no interval.
    """
    values = np.asarray(means)
    if len(values) < 2:
        return float(values[0]) if len(values) else None
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    half = student(len(values) - 1, CONFIDENCE) * error
    mean = float(values.mean())
    return Ranged(mean, mean - half, mean + half)
