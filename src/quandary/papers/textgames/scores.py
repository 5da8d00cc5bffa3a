"""The scores of TextGames: solve rates by turn, their averages, and how people do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from quandary.arena.suite import averages
from quandary.players.people import is_person
from quandary.scoring.groups import (
    SeatColumns,
    asked_puzzles,
    grouped,
    persons,
    played_levels,
    pooled_people,
    ranged,
)
from quandary.scoring.score import score
from quandary.scoring.score_table import Cell, Ranged, ScoreTable, level_place, score_table
from quandary.scoring.solve_rates import QuestionResult, average_rates, rates_of_counts
from quandary.statistics.estimates import Estimate, Flags, Ints
from quandary.statistics.intervals import average, pooled_estimate

from .people import people_table

if TYPE_CHECKING:
    import pyarrow as pa

SUITE = "textgames"
PEOPLE = (
    "All people are one player; their intervals are over persons or over starts, whichever is "
    "wider."
)
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
    yield people_table(rates.seats)


class SolveRates:
    """Solve rates by turn, per player (with its shots), puzzle and level."""

    def __init__(self, seats: SeatColumns) -> None:
        self.seats = seats
        self.shots = dict[str, tuple[str, int | None]]()  # name in rates -> player and shots
        self.estimates = dict[tuple[str, str, str], list[Estimate]]()
        counted = dict[QuestionResult, int]()
        turn, tries = seats.numbers("solved_on_turn"), seats.numbers("tries")
        starts, who = seats.texts("instance").codes, persons(seats.texts("player"))
        key = (
            pooled_people(seats.texts("player")),
            seats.texts("shots"),
            asked_puzzles(seats),
            played_levels(seats),
        )
        for (player, shots, puzzle, level), at in grouped(*key):
            name, of_people = f"{player} {shots}", is_person(str(player))
            self.shots[name] = str(player), None if shots is None else int(shots)
            most = int(tries[at].max())
            results = np.where(np.isnan(turn[at]), 0, turn[at]).astype(np.int64)
            for solved_on_turn, count in enumerate(np.bincount(results).tolist()):
                result = QuestionResult(name, str(puzzle), str(level), most, solved_on_turn or None)
                counted[result] = count
            self.estimates[name, str(puzzle), str(level)] = [
                _estimate(
                    (results > 0) & (results <= within), starts[at], who[at] if of_people else None
                )
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
            self._notes(),
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
            self._notes(),
        )

    def _notes(self) -> list[str]:
        """Return what is said where people have played."""
        return [PEOPLE] if any(is_person(player) for player, _ in self.shots.values()) else []

    def _heads(self) -> list[str]:
        return [f"turn {turn}" for turn in range(1, self.turns + 1)]

    def _full(self, within: Sequence[Cell]) -> list[Cell]:
        return [*within, *[None] * (self.turns - len(within))]


def _estimate(solved: Flags, starts: Ints, who: Ints | None) -> Estimate:
    """Return a share with its interval over starts; that of people over persons, if that is
    wider.
    """
    found = pooled_estimate(solved, starts)
    other = found if who is None else pooled_estimate(solved, who)
    return other if other.half > found.half else found


def _ranged(shares: Sequence[float], parts: Sequence[Estimate]) -> list[Cell]:
    """Return each share with its interval; turns beyond those of a puzzle add nothing."""
    known = [*parts, *[parts[-1]] * (len(shares) - len(parts))]
    return [Ranged(share, *ranged(part)[1:]) for share, part in zip(shares, known, strict=True)]
