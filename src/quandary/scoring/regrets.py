"""Regret and blunders, where a judge knows what moves are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quandary.statistics.intervals import UNIT, pooled_estimate

from .groups import SeatColumns, asked_puzzles, grouped, played_levels, ranged
from .score_table import Cell, ScoreTable, level_place, score_table

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = (
    "run", "match", "task", "puzzle", "level", "split", "modality", "instance", "player",
    "regret_mean", "blunders", "judged",
)  # fmt: skip
JUDGED = "Judged: the first 40 moves of at most 20 matches (n) per puzzle, level and player."


def regrets(table: pa.Table) -> ScoreTable:
    """By puzzle, level and player: the mean regret of a move, and the share of blunders."""
    seats = SeatColumns(table)
    judged = seats.numbers("judged")
    seats, judged = seats.only(judged > 0), judged[judged > 0]
    starts, mean = seats.texts("instance").codes, seats.numbers("regret_mean")
    blunders = seats.numbers("blunders") / judged
    rows = list[list[Cell]]()
    for key, at in grouped(asked_puzzles(seats), played_levels(seats), seats.texts("player")):
        # What a heuristic judge expects may also rise by a move.
        bounds = UNIT if (mean[at] >= 0).all() else (-1.0, 1.0)
        shares = [
            ranged(pooled_estimate(column[at], starts[at], weights=judged[at], bounds=bounds))
            for column in (mean, blunders)
        ]
        rows.append([*key, len(at), int(judged[at].sum()), *shares])
    rows.sort(key=lambda row: (row[0], level_place(str(row[0]), str(row[1])), row[2]))
    return score_table(
        "regrets",
        "Regret and blunders",
        "Means over judged moves, with 95 % intervals over starts. regret: how much of the "
        "expected score of its position a move gives away; blunders: the share of moves with a "
        "regret of 0.5 or more.",
        ("puzzle", "level", "player", "n", "moves", "regret", "blunders"),
        rows,
        [JUDGED],
    )
