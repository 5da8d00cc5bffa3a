"""Solve rates by turn as tables."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.scoring.solve_rates import AverageRate, SolveRate

from .tables import table


def solve_rate_table(rates: Sequence[SolveRate]) -> str:
    """Return one row per player, puzzle and level, one column per turn."""
    return _by_turn(
        ("player", "puzzle", "level", "n"),
        [
            ((rate.player, rate.puzzle, rate.level, rate.asked), rate.solved_within)
            for rate in rates
        ],
    )


def average_table(averages: Sequence[AverageRate]) -> str:
    """Return one row per player, set of puzzles and level, one column per turn."""
    return _by_turn(
        ("player", "mean over", "level", "puzzles"),
        [
            (
                (mean.player, mean.games, mean.level, f"{len(mean.puzzles)} of {mean.expected}"),
                mean.solved_within,
            )
            for mean in averages
        ],
    )


def _by_turn(head: Sequence[str], rows: Sequence[tuple[Sequence[object], Sequence[float]]]) -> str:
    """Return a table whose last columns are percentages by turn; "-" where a row has fewer
    turns.
    """
    turns = max((len(shares) for _, shares in rows), default=0)
    filled = [
        (*row, *(f"{100 * share:.1f}" for share in shares), *["-"] * (turns - len(shares)))
        for row, shares in rows
    ]
    return table((*head, *(f"turn {turn + 1}" for turn in range(turns))), filled)
