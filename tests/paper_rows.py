"""Rows of the table of seats as runs of the papers' suites have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quandary.scoring.score_table import ScoreTable
from seat_tables import seat_row, seat_table

USUAL = {
    "suite": "puzzleplex", "puzzle": "sudoku", "match": 0, "legal": True, "illegal_loss": False,
    "repeated_actions": 0.0, "score": 1.0, "task": "", "level": "easy",
}  # fmt: skip


def alone(player: str, seed: int = 1, **fields: Any) -> dict[str, Any]:
    """A row of a player who plays alone, and solves the puzzle unless `fields` say otherwise."""
    row = USUAL | {"seed": seed} | fields
    start = f"{row['puzzle']}/{row['level']}#{seed}"
    row["spec"] = f"{row['task']}:{start}" if row["task"] else start
    return seat_row(start, player, row.pop("score"), **row)


def match(
    first: str, second: str, win: float, seed: int = 1, **fields: Any
) -> list[dict[str, Any]]:
    """The two rows of a match; `win` is of the first seat."""
    shared = {"puzzle": "card_nim", "seats": 2} | fields
    one = {"seat": 0, "opponents": second, "score": win, "win": win}
    other = {"seat": 1, "opponents": first, "score": 1 - win, "win": 1 - win}
    return [alone(first, seed, **shared | one), alone(second, seed, **shared | other)]


def table_of(*rows: dict[str, Any] | Iterable[dict[str, Any]]) -> Any:
    """A table of rows, alone or those of a match; matches get numbers in their order."""
    every = list[dict[str, Any]]()
    for number, row in enumerate(rows, start=1):
        some = [row] if isinstance(row, dict) else row
        every += [one | {"match": one["match"] or number} for one in some]
    return seat_table(every)


def asked(player: str, solved: list[int | None], **fields: Any) -> list[dict[str, Any]]:
    """Questions of TextGames, each solved in a turn or not at all."""
    fields = {"suite": "textgames", "puzzle": "anagram_scribble", "tries": 3} | fields
    return [
        alone(player, seed, solved_on_turn=turn, turns=turn or 3, score=float(bool(turn)), **fields)
        for seed, turn in enumerate(solved)
    ]


def rows_by(table: ScoreTable, *keys: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Rows of a table of scores by the cells of some columns."""
    made = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    return {tuple(row[key] for key in keys): row for row in made}
