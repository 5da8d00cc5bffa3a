"""Tables of seats that are made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from quandary.results.columns import SEATS, schema

ALONE = {
    "run": "here", "match": 0, "suite": "puzzleplex", "spec": "", "task": "", "puzzle": "sudoku",
    "level": "easy", "split": "test", "seed": 1, "family": "", "instance": "", "language": "en",
    "seat": 0, "seats": 1, "player": "a", "opponents": "", "repeat": 0, "score": 1.0,
    "cause": "goal", "at_fault": False, "legal": True, "fir": False, "turns": 1, "replies": 1,
    "unreadable": 0, "illegal": 0, "repeated_actions": 0.0, "seconds": 1.0,
    "setting": "instruction", "moves": "", "judged": 0,
}  # fmt: skip


def alone(player: str, seed: int = 1, **fields: Any) -> dict[str, Any]:
    """A row of a player who plays alone."""
    row = ALONE | {"player": player, "seed": seed} | fields
    spec = f"{row['task'] and row['task'] + ':'}{row['puzzle']}/{row['level']}#{seed}"
    return row | {"spec": spec, "instance": spec.rpartition(":")[2]}


def match(
    first: str, second: str, win: float, seed: int = 1, **fields: Any
) -> list[dict[str, Any]]:
    """The two rows of a match; `win` is of the first seat."""
    shared = {"puzzle": "card_nim", "seats": 2} | fields
    one = {"seat": 0, "opponents": second, "score": win, "win": win}
    other = {"seat": 1, "opponents": first, "score": 1 - win, "win": 1 - win}
    return [alone(first, seed, **shared | one), alone(second, seed, **shared | other)]


def seat_table(*rows: dict[str, Any] | Iterable[dict[str, Any]]) -> pa.Table:
    """A table of rows; matches get numbers in their order."""
    every = list[dict[str, Any]]()
    for number, row in enumerate(rows, start=1):
        some = [row] if isinstance(row, dict) else row
        every += [one | {"match": one["match"] or number} for one in some]
    return pa.Table.from_pylist(every, schema=schema(SEATS))
