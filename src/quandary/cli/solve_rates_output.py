"""Solve rates by turn, as commands print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from quandary.report.solve_rate_tables import average_table, solve_rate_table
from quandary.scoring.solve_rates import (
    SolveRate,
    average_rates,
    results_in,
    solve_rates,
)

from .output import json_line

if TYPE_CHECKING:
    from quandary.arena.run import RunResult
    from quandary.results.run_columns import RunColumns


def show_solve_rates(
    rates: Sequence[SolveRate], averages: Mapping[str, Sequence[str]], as_json: bool
) -> None:
    """A row per player, puzzle and level, then the means over sets of puzzles."""
    means = average_rates(rates, averages)
    if as_json:
        for player, puzzle, level, asked, shares in rates:
            shown = {"player": player, "puzzle": puzzle, "level": level, "n": asked}
            json_line({**shown, "solved_within": shares})
        for mean in means:
            json_line(mean._asdict())
        return
    print(solve_rate_table(rates))
    if means:
        print(f"\n{average_table(means)}")


def show_turns_of_run(
    played: RunResult, columns: RunColumns, averages: Mapping[str, Sequence[str]]
) -> None:
    """Solve rates at the end of a run as JSON lines, if there were questions with several turns."""
    rates = solve_rates(results_in(columns.at_offsets(played.played_offsets)))
    if rates:
        show_solve_rates(rates, averages, as_json=True)
