"""Leaderboards at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.scoring.score_table import ScoreTable

from .formats import shown
from .tables import table

SHORT = ("player", "score", "missing", "worst", "best", "ranks", "group", "n")  # columns


def short(found: Sequence[ScoreTable]) -> str:
    """Leaderboards with few columns; what explains several of them is said once, below."""
    said = dict.fromkeys(line for each in found for line in (each.formula, *each.notes))
    return "\n".join([*(f"{each.title}\n\n{_rows(each)}\n" for each in found), *said])


def _rows(found: ScoreTable) -> str:
    kept = [at for at, name in enumerate(found.head) if name in SHORT]
    head = [found.head[at] for at in kept]
    return table(head, [[_cell(row[at]) for at in kept] for row in found.rows])


def _cell(cell: object) -> object:
    """Whole numbers stay numbers, so that they are aligned on the right."""
    return cell if isinstance(cell, int) else shown(cell)  # type: ignore[arg-type]
