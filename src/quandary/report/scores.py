"""All tables of scores of some runs, as the report shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from quandary.scoring.score_table import ScoreTable

if TYPE_CHECKING:
    import pyarrow as pa


class PaperScores(NamedTuple):
    """The tables of one paper."""

    name: str
    tables: Sequence[ScoreTable]


class Scores(NamedTuple):
    """Tables by what they are about; those without rows are left out."""

    leaderboard: ScoreTable
    suites: Sequence[ScoreTable]
    puzzles: ScoreTable
    levels: ScoreTable
    normalised: Sequence[ScoreTable]
    ratings: Sequence[ScoreTable]
    papers: Sequence[PaperScores]
    factors: Sequence[ScoreTable]
    statuses: Sequence[ScoreTable]
    costs: Sequence[ScoreTable]
    effort: Sequence[ScoreTable]
    regrets: Sequence[ScoreTable]
    labels: Sequence[ScoreTable]

    def all(self) -> list[ScoreTable]:
        """Every table, in the order of the page."""
        return [
            self.leaderboard,
            *self.suites,
            *(self.puzzles, self.levels),
            *(*self.normalised, *self.ratings),
            *(table for paper in self.papers for table in paper.tables),
            *(
                *self.factors,
                *self.statuses,
                *self.costs,
                *self.effort,
                *self.regrets,
                *self.labels,
            ),
        ]


def columns() -> list[str]:
    """The columns of the table of seats that scores need."""
    from quandary.scoring import (
        factors,
        normalisations,
        papers,
        rating_tables,
        regrets,
        seat_groups,
        usage,
    )

    needed = (factors, normalisations, rating_tables, regrets, seat_groups, usage)
    names = [name for module in needed for name in module.COLUMNS]
    return list(dict.fromkeys([*names, *papers.columns()]))


def scores_of(seats: pa.Table, folders: Sequence[Path], labels: Sequence[Path] = ()) -> Scores:
    """Computes every table from the table of seats of some runs, and from samples with labels.

    In leaderboards, the matches that are left to play count as missing.
    """
    from quandary.results.unplayed import with_unplayed
    from quandary.scoring import leaderboard, normalisations, rating_tables, regrets, usage
    from quandary.scoring.factors import factors
    from quandary.scoring.labels import label_tables
    from quandary.scoring.papers import paper_tables
    from quandary.scoring.seat_groups import COLUMNS, fixed_rng, seat_groups

    # Each with random numbers of its own, so that other commands print the same intervals.
    groups = seat_groups(with_unplayed(seats.select(COLUMNS), folders))
    several = len({group.key.suite for group in groups}) > 1
    return Scores(
        leaderboard.overall(groups, fixed_rng()),
        leaderboard.by_suite(groups, fixed_rng()) if several else [],
        leaderboard.by_puzzle(groups, fixed_rng()),
        leaderboard.by_level(groups, fixed_rng()),
        _filled(normalisations.normalised(seats)),
        _filled(*rating_tables.tables(seats, fixed_rng())),
        [PaperScores(paper.NAME, tables) for paper, tables in paper_tables(seats)],
        _filled(*factors(seats, fixed_rng())),
        _filled(usage.status_shares(seats)),
        _filled(usage.costs(seats)),
        _filled(usage.plays_of_players(seats), usage.repeated_actions(seats)),
        _filled(regrets.regrets(seats)),
        _filled(*label_tables(labels)),
    )


def _filled(*tables: ScoreTable) -> list[ScoreTable]:
    return [table for table in tables if table.rows]
