"""Elo as the second PuzzlePlex paper reports it: one rating per puzzle and level, then the mean."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from quandary.scoring.groups import SeatColumns, Texts
from quandary.scoring.pairings import opponents
from quandary.scoring.score_table import Cell, ScoreTable, score_table
from quandary.statistics.comparisons import Comparisons, by_score, comparisons
from quandary.statistics.elo import elo, elo_over_orders
from quandary.statistics.estimates import Floats, Ints

from .kind_means import LEVELS, Cells, over_cells

ORDERS, SEED = 1_000, 2026
MOST_FOR_ORDERS = 100_000  # comparisons of a run up to which orders are drawn
FORMULA = (
    "K 32, start 1000, a draw counts 0.5, both ratings are updated from their values before the "
    "match. One rating per puzzle and level, then the mean over them (tables), with the paper's "
    "interval: Student's 95 % over tables. Two-player games count by result, in the order of play; "
    "single-player puzzles by comparing, seed by seed, the normalised scores of all pairs of "
    "players."
)
ORDER_NOTE = (
    f"Elo depends on the order of matches: mean and standard deviation over {ORDERS:,} random "
    f"orders (seed {SEED})."
)
TOO_MANY = "There are too many comparisons ({n:,}) to draw {orders:,} orders of them."


@dataclass(frozen=True)
class Rated:
    """The ratings of one player in one table."""

    in_order: float
    mean: float | None = None  # over orders
    deviation: float | None = None


class EloTables:
    """The ratings of each puzzle and level."""

    def __init__(self, seats: SeatColumns, values: Floats, players: Texts, cells: Cells) -> None:
        self.cells, self.players = cells, players
        self.rated, self.count = dict[tuple[str, str], dict[str, Rated]](), 0
        rows, kept = defaultdict[tuple[str, str], list[Ints]](list), dict[Any, Comparisons]()
        known = {puzzle for puzzles in cells.members.values() for puzzle in puzzles}
        for (puzzle, level, _), at in cells.rows.items():
            if level in LEVELS and puzzle in known:
                rows[str(puzzle), str(level)].append(at)
        other = _opponents(seats, players)
        for key, found in rows.items():
            at = np.sort(np.concatenate(found))
            at = at[~np.isnan(values[at])]
            if not len(at):
                continue
            alone = (seats.numbers("seats")[at] == 1).all()
            played = self._alone(seats, values, at) if alone else self._matches(seats, at, other)
            self.rated[key] = _in_order(played)
            self.count += len(played)
            kept[key] = played
            if self.count > MOST_FOR_ORDERS:  # millions of comparisons would not fit in memory
                kept.clear()
        self.rated |= {key: _over_orders(played) for key, played in kept.items() if len(played)}

    def _matches(self, seats: SeatColumns, at: Ints, other: Ints) -> Comparisons:
        """Matches in the order of play; each has a row for the first seat."""
        codes, names = self.players.codes, self.players.names
        at = at[(seats.numbers("seat")[at] == 0) & (other[at] >= 0) & (other[at] != codes[at])]
        first, second = ([names[one] for one in column[at]] for column in (codes, other))
        return comparisons(first, second, seats.numbers("win")[at])

    def _alone(self, seats: SeatColumns, values: Floats, at: Ints) -> Comparisons:
        names = [self.players.names[code] for code in self.players.codes[at]]
        return by_score(names, values[at], seats.texts("spec").codes[at])

    def table(self, key: str, title: str) -> ScoreTable:
        rows = list[list[Cell]]()
        for kind, puzzles in self.cells.members.items():
            for level in (*LEVELS, "both"):
                levels = LEVELS if level == "both" else (level,)
                keys = [(puzzle, one) for one in levels for puzzle in puzzles]
                tables = [self.rated[one] for one in keys if one in self.rated]
                for player in self.cells.players:
                    if found := [table[player] for table in tables if player in table]:
                        rows.append([kind, level, player, len(found), *_averaged(found)])
        note = ORDER_NOTE
        if self.count > MOST_FOR_ORDERS:
            note = TOO_MANY.format(n=self.count, orders=ORDERS)
        head = ("kind", "level", "player", "tables", "Elo", "over orders", "over orders: deviation")
        notes = (note, f"{self.count:,} comparisons.")
        return score_table(key, title, FORMULA, head, rows, notes)


def _in_order(played: Comparisons) -> dict[str, Rated]:
    return dict(zip(played.players, map(Rated, elo(played).tolist()), strict=True))


def _over_orders(played: Comparisons) -> dict[str, Rated]:
    found = elo_over_orders(played, np.random.default_rng(SEED), ORDERS)
    numbers = (found.in_order.tolist(), found.mean.tolist(), found.deviation.tolist())
    return dict(zip(found.players, map(Rated, *numbers), strict=True))


def _averaged(found: list[Rated]) -> list[Cell]:
    """Elo in order, its mean over orders and the deviation of that, over independent tables."""
    in_order = over_cells([one.in_order for one in found])
    means = [one.mean for one in found if one.mean is not None]
    deviations = [one.deviation for one in found if one.deviation is not None]
    if len(means) < len(found):
        return [in_order, None, None]
    spread = float(np.sqrt(np.square(deviations).sum())) / len(found)
    return [in_order, float(np.mean(means)), spread]


def _opponents(seats: SeatColumns, players: Texts) -> Ints:
    """Opponents among players that may stand for several programs each."""
    found = opponents(seats, seats.texts("player"))
    own = np.full(len(seats.texts("player").names) + 1, -1)
    own[seats.texts("player").codes] = players.codes
    own[-1] = -1
    return own[found]
