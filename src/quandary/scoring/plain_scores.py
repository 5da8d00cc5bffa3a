"""Scores where numpy, scipy and pyarrow are not installed: the same means, without intervals."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.results.level_scores import WEIGHTS, LevelScore, headlines, means_of
from quandary.results.run_columns import PlayedRun

from .score_table import Cell, ScoreTable, level_place, score_table, suite_key
from .table_notes import PARTIAL, VALUES, N

NEEDED = (
    "Intervals, ranks and groups need numpy, scipy and pyarrow: pip install 'quandary[report]'."
)


def plain_scores(run: PlayedRun) -> list[LevelScore]:
    """The scores of a run by puzzle, level and player."""
    run.columns.check()
    return sorted(
        means_of(run.columns, run.left),
        key=lambda row: (row.puzzle, level_place(row.puzzle, row.level), row.player),
    )


def plain_leaderboard(suite: str, found: Sequence[LevelScore]) -> ScoreTable:
    """The players of a run of a suite, best first."""
    scores, has_gaps = headlines(found), any(row.missing for row in found)
    order = sorted(scores, key=lambda player: (-_number(scores[player]), player))
    rows = []
    for player in order:
        own = [row for row in found if row.player == player]
        missing = [sum(row.missing for row in own)] if has_gaps else []
        counts = (len({row.puzzle for row in own}), len(own), sum(row.matches for row in own))
        rows.append([player, scores[player], *missing, *counts, sum(row.starts for row in own)])
    head = ["player", "score", *_missing_head(has_gaps), "puzzles", "levels", "n", "starts"]
    key, title = suite_key("leaderboard", suite), f"Leaderboard of {suite}"
    notes = [*_gap_notes(found), N, NEEDED]
    return score_table(key, title, f"score: {WEIGHTS}.", head, rows, notes)


def plain_levels(suite: str, found: Sequence[LevelScore]) -> ScoreTable:
    """One row per puzzle, level and player of a run of a suite."""
    has_gaps = any(row.missing for row in found)
    rows: list[Sequence[Cell]] = [
        (
            *(suite, row.puzzle, row.level, row.player, row.score),
            *([row.missing] if has_gaps else []),
            *(row.matches, row.starts, row.listed, row.value, row.reference, row.bounds),
            ", ".join(f"{cause} {count}" for cause, count in row.causes),
        )
        for row in found
    ]
    head = ["suite", "puzzle", "level", "player", "score", *_missing_head(has_gaps), "n", "starts"]
    head += ["listed", "value", "reference", "bounds", "ended by"]
    values = [VALUES] if any(row.value is not None for row in found) else []
    notes = [*_gap_notes(found), N, *values, NEEDED]
    formula = "score: mean over starts of the means over playings."
    return score_table("levels", "Scores by level", formula, head, rows, notes)


def _number(score: float | None) -> float:
    return -1.0 if score is None else score


def _missing_head(has_gaps: bool) -> list[str]:
    return ["missing"] if has_gaps else []


def _gap_notes(found: Sequence[LevelScore]) -> list[str]:
    """What to know where results are missing."""
    missing = ["missing: matches without a result."] if any(row.missing for row in found) else []
    return [*([PARTIAL] if any(row.missing > row.unscored for row in found) else []), *missing]
