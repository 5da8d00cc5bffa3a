"""Tables of seats that are made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quandary.results.columns import SEATS, schema

ROW = {
    "run": "run", "match": 1, "suite": "mine", "task": "", "puzzle": "nim", "level": "easy",
    "split": "test", "seed": 1, "family": "", "version": 1, "language": "en", "seat": 0,
    "seats": 1, "player": "one", "opponents": "", "repeat": 0, "score": 1.0, "cause": "goal",
    "lost_by_failure": False, "turns": 1, "replies": 1, "unreadable": 0, "illegal": 0,
    "seconds": 0.0,
    "setting": "instruction", "judged": 0,
}  # fmt: skip


def seat_row(start: int | str, player: str, score: float | None, **columns: Any) -> dict[str, Any]:
    """A seat; matches on the same start have different moves unless `moves` says otherwise."""
    row = {**ROW, "player": player, "score": score, "instance": f"{start}", **columns}
    row.setdefault("spec", f"{row['puzzle']}/{row['level']}#{start}")
    row.setdefault("moves", "-".join(str(row[name]) for name in ("player", "spec", "repeat")))
    return row


def duel(
    start: int | str, first: str, second: str, win: float | None, **columns: Any
) -> list[dict[str, Any]]:
    """Both seats of a match of two players; `win` is the score of the first."""
    lost = None if win is None else 1 - win
    two = {"seats": 2, "moves": f"{first}-{second}-{start}-{columns.get('repeat', 0)}", **columns}
    return [
        seat_row(start, first, win, win=win, seat=0, opponents=second, **two),
        seat_row(start, second, lost, win=lost, seat=1, opponents=first, **two),
    ]


def seat_table(rows: Iterable[dict[str, Any]]) -> Any:
    """The rows as `results.table.seats` would give them."""
    import pyarrow as pa

    names = schema(SEATS).names
    whole = [{name: row.get(name) for name in names} for row in rows]
    return pa.Table.from_pylist(whole, schema=schema(SEATS))
