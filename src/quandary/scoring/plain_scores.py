"""Scores where numpy, scipy and pyarrow are not installed: the same means, without intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from quandary.results.level_scores import WEIGHTS, Level, LevelScore, headlines, means_of
from quandary.results.run_columns import PlayedRun
from quandary.results.run_context import context_of

from .score_table import Cell, ScoreTable, level_place, score_table, suite_key
from .shared_levels import level_sets
from .table_notes import PARTIAL, VALUES, N

NEEDED = (
    "Intervals, ranks and groups need numpy, scipy and pyarrow: pip install 'quandary[report]'."
)


def plain_scores(run: PlayedRun) -> list[LevelScore]:
    """Return the scores of a run by puzzle, level and player."""
    run.columns.check()
    return sorted(
        means_of(run.columns, run.left, context_of(run.folder).language_of),
        key=lambda row: (row.puzzle, level_place(row.puzzle, row.level), row.player),
    )


def plain_leaderboards(suite: str, found: Sequence[LevelScore]) -> list[ScoreTable]:
    """Those of a run of a suite: comparable rows only, as in `boards`."""
    levels = defaultdict[str, set[Level]](set)
    for row in found:
        levels[row.player].add((row.puzzle, row.level))
    played = {player: frozenset(own) for player, own in levels.items()}
    boards = [
        (shared, {player for player, own in played.items() if shared <= own})
        for shared in level_sets(played)
    ]
    count = len(frozenset().union(*played.values()))
    return [
        _leaderboard(
            suite if len(shared) == count else f"{suite}: {len(shared)} of {count} levels",
            [row for row in found if row.player in players and (row.puzzle, row.level) in shared],
        )
        for shared, players in sorted(
            boards, key=lambda board: (-len(board[0]), -len(board[1]), sorted(board[0]))
        )
    ]


def _leaderboard(name: str, found: Sequence[LevelScore]) -> ScoreTable:
    """Players on the same levels, best first."""
    scores, has_gaps = headlines(found), any(row.missing for row in found)
    order = sorted(scores, key=lambda player: (-_number(scores[player]), player))
    rows = []
    for player in order:
        own = [row for row in found if row.player == player]
        missing = [sum(row.missing for row in own)] if has_gaps else []
        counts = (len({row.puzzle for row in own}), len(own), sum(row.matches for row in own))
        rows.append([player, scores[player], *missing, *counts, sum(row.starts for row in own)])
    head = ["player", "score", *_missing_head(has_gaps), "puzzles", "levels", "n", "starts"]
    key, title = suite_key("leaderboard", name), f"Leaderboard of {name}"
    notes = [*_gap_notes(found), N, NEEDED]
    return score_table(key, title, f"score: {WEIGHTS}.", head, rows, notes)


def plain_levels(suite: str, found: Sequence[LevelScore]) -> ScoreTable:
    """Return one row per puzzle, level and player of a run of a suite."""
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
    head += ["listed starts", "value", "reference", "bounds", "ended by"]
    values = [VALUES] if any(row.value is not None for row in found) else []
    notes = [*_gap_notes(found), N, *values, NEEDED]
    formula = "score: mean over starts of the means over playings."
    return score_table("levels", "Scores by level", formula, head, rows, notes)


def _number(score: float | None) -> float:
    return -1.0 if score is None else score


def _missing_head(has_gaps: bool) -> list[str]:
    return ["missing"] if has_gaps else []


def _gap_notes(found: Sequence[LevelScore]) -> list[str]:
    """Return what to know where results are missing."""
    missing = ["missing: matches without a result."] if any(row.missing for row in found) else []
    return [*([PARTIAL] if any(row.missing > row.unscored for row in found) else []), *missing]
