"""The scores of TextGames: solve rates by turn, their averages, and how people do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from quandary.arena.suite import averages
from quandary.scoring.groups import (
    SeatColumns,
    asked_puzzles,
    grouped,
    mean_with_interval,
    people,
    persons,
    played_levels,
    ranged,
)
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, Ranged, ScoreTable, level_place, score_table
from quandary.scoring.solve_rates import QuestionResult, average_rates, rates_of_counts
from quandary.statistics.estimates import Estimate
from quandary.statistics.intervals import average, pooled_estimate

if TYPE_CHECKING:
    import pyarrow as pa

SUITE = "textgames"
COLUMNS = (
    "run", "match", "task", "puzzle", "level", "split", "modality", "instance", "player", "shots",
    "score", "turns", "seconds", "tries", "solved_on_turn",
)  # fmt: skip


@score("TextGames", columns=COLUMNS, suites=[SUITE])
def tables(seats: pa.Table) -> Iterator[ScoreTable]:
    columns = SeatColumns(seats)
    asked = ~np.isnan(columns.numbers("tries")) & ~np.isnan(columns.numbers("score"))
    rates = SolveRates(columns.only(asked))
    yield rates.by_puzzle()
    yield rates.averaged()
    yield _people(rates.seats)


class SolveRates:
    """Solve rates by turn, per player (with its shots), puzzle and level."""

    def __init__(self, seats: SeatColumns) -> None:
        self.seats = seats
        self.shots = dict[str, tuple[str, int | None]]()  # name in rates -> player and shots
        self.estimates = dict[tuple[str, str, str], list[Estimate]]()
        counted = dict[QuestionResult, int]()
        turn, tries = seats.numbers("solved_on_turn"), seats.numbers("tries")
        starts = seats.texts("instance").codes
        key = (
            seats.texts("player"),
            seats.texts("shots"),
            asked_puzzles(seats),
            played_levels(seats),
        )
        for (player, shots, puzzle, level), at in grouped(*key):
            name = f"{player} {shots}"
            self.shots[name] = str(player), None if shots is None else int(shots)
            most = int(tries[at].max())
            results = np.where(np.isnan(turn[at]), 0, turn[at]).astype(np.int64)
            for solved_on_turn, count in enumerate(np.bincount(results).tolist()):
                result = QuestionResult(name, str(puzzle), str(level), most, solved_on_turn or None)
                counted[result] = count
            self.estimates[name, str(puzzle), str(level)] = [
                pooled_estimate((results > 0) & (results <= within), starts[at])
                for within in range(1, most + 1)
            ]
        self.rates = rates_of_counts(counted)
        self.turns = max((len(rate.solved_within) for rate in self.rates), default=0)

    def by_puzzle(self) -> ScoreTable:
        rows = list[list[Cell]]()
        for rate in self.rates:
            parts = self.estimates[rate[:3]]
            within = _ranged(rate.solved_within, parts)
            rows.append(
                [*self.shots[rate.player], rate.puzzle, rate.level, rate.asked, *self._full(within)]
            )
        rows.sort(key=lambda row: (str(row[:2]), row[2], level_place(str(row[2]), str(row[3]))))
        return score_table(
            "textgames_solve_rates",
            "Solve rates by turn",
            "Share of the n questions that were solved within so many turns, with feedback after "
            "each wrong answer; 95 % intervals over starts.",
            ("player", "shots", "puzzle", "level", "n", *self._heads()),
            rows,
        )

    def averaged(self) -> ScoreTable:
        """Means over the one- and the two-dimensional games."""
        games = averages(SUITE)
        rows = list[list[Cell]]()
        for mean in average_rates(self.rates, games):
            parts = [self.estimates[mean.player, puzzle, mean.level] for puzzle in mean.puzzles]
            turns = min(map(len, parts))
            means = [average([part[turn] for part in parts]) for turn in range(turns)]
            within = _ranged(mean.solved_within, means)
            played = f"{len(mean.puzzles)} of {mean.expected}"
            rows.append(
                [*self.shots[mean.player], mean.games, mean.level, played, *self._full(within)]
            )
        first = next(iter(games.values()))[0]
        rows.sort(key=lambda row: (str(row[:2]), row[2], level_place(first, str(row[3]))))
        return score_table(
            "textgames_averages",
            "Average solve rates by turn",
            "Mean of the solve rates of the one-dimensional and of the two-dimensional games, each "
            "game with the same weight; 95 % intervals over starts.",
            ("player", "shots", "games", "level", "puzzles", *self._heads()),
            rows,
        )

    def _heads(self) -> list[str]:
        return [f"turn {turn}" for turn in range(1, self.turns + 1)]

    def _full(self, within: Sequence[Cell]) -> list[Cell]:
        return [*within, *[None] * (self.turns - len(within))]


def _ranged(shares: Sequence[float], parts: Sequence[Estimate]) -> list[Cell]:
    """Each share with its interval; turns beyond those of a puzzle add nothing."""
    known = [*parts, *[parts[-1]] * (len(shares) - len(parts))]
    return [Ranged(share, *ranged(part)[1:]) for share, part in zip(shares, known, strict=True)]


def wider(one: Ranged | None, other: Ranged | None) -> Ranged | None:
    """The one of two intervals of a mean that reaches farther."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda each: each.high - each.low)


def _people(seats: SeatColumns) -> ScoreTable:
    """First-turn solve rate, attempts and time of people."""
    seats = seats.only(people(seats.texts("player")))
    starts, turn = seats.texts("instance").codes, seats.numbers("solved_on_turn")
    who = persons(seats.texts("player"))
    seconds, rows = seats.numbers("seconds"), list[list[Cell]]()
    for (puzzle, level), at in grouped(asked_puzzles(seats), played_levels(seats)):
        solved = at[~np.isnan(turn[at])]
        is_first = (turn[at] == 1).astype(float)
        # Neither those of one person nor those on one instance are independent.
        first = wider(
            mean_with_interval(is_first, starts[at]), mean_with_interval(is_first, who[at])
        )
        attempts = float(turn[solved].mean()) if len(solved) else None
        time = float(seconds[solved].mean()) if len(solved) else None
        rows.append([puzzle, level, len(at), first, len(solved), attempts, time])
    rows.sort(key=lambda row: (row[0], level_place(str(row[0]), str(row[1]))))
    return score_table(
        "textgames_people",
        "People",
        "Of the n questions that people were asked: share solved in the first turn, with its 95 % "
        "interval, over persons or over starts, whichever is wider; of those that were solved at "
        "all: mean number of attempts and mean seconds.",
        ("puzzle", "level", "n", "first turn", "solved", "attempts", "seconds"),
        rows,
    )
