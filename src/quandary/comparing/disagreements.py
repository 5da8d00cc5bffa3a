"""Disagreements: where one of two players has the highest score and the other a lower one."""

from __future__ import annotations

from shlex import quote
from typing import Any

import numpy as np

from quandary.scoring.score_table import ScoreTable, score_table

from .shared_results import Shared, Side

SOLVED = 1.0 - 1e-9
FORMULA = (
    "Shared results where one of the two has a score of 1 (solved, won) and the other a lower one, "
    "such as 0, or 0.5 for a draw."
)
HEAD = ("instance", "seat", "opponents", "repeat", "A", "B", "higher", "replay A", "replay B")


def disagreements_table(shared: Shared, a: Side, b: Side, most: int) -> ScoreTable:
    """Return up to `most` disagreements in favour of each player, with commands to replay them."""
    there = ~np.isnan(shared.first - shared.second)
    first, second = there & (shared.first >= SOLVED), there & (shared.second >= SOLVED)
    rows, counts = [], {}
    for who, found in (("A", first & ~second), ("B", second & ~first)):
        places = np.flatnonzero(found & there)
        counts[who] = len(places)
        taken = shared.rows.take(places[:most]).to_pylist()
        rows += [[*_cells(row), who, _replay(a, row, "A"), _replay(b, row, "B")] for row in taken]
    sentence = " and ".join(f"{count:,} where only {who} scores 1" for who, count in counts.items())
    listed = f"; the first {most:,} of each are listed" if max(counts.values()) > most else ""
    return score_table(
        "disagreements", "Disagreements", FORMULA, HEAD, rows, [f"{sentence}{listed}."]
    )


def _cells(row: dict[str, Any]) -> list[Any]:
    return [row[key] for key in ("spec", "seat", "opponents", "repeat", "score A", "score B")]


def _replay(side: Side, row: dict[str, Any], label: str) -> str:
    folder = side.folders[row[f"run {label}"]]
    return f"quandary replay {quote(str(folder))} --match {row[f'match {label}']} --transcript"
