"""Element operations letter by letter: for each one, its whole line is read from both ends."""

from __future__ import annotations

from typing import Any

STEPS = {"a": (0, 1), "b": (1, 0), "c": (1, 1)}  # along a line: down, right


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    cells = {(y, x): cell for y, row in enumerate(instance.grid) for x, cell in enumerate(row)}
    left: dict[int, list[str]] = {y: [] for y, _ in cells}
    for (y, x), letter in sorted(cells.items()):
        if not _is_deleted(cells, y, x, *STEPS[instance.family]):
            left[y].append(letter)
    if instance.family == "a":
        left = {y: row for y, row in left.items() if row}
    rows = [left[y] for y in sorted(left)]
    return rows, rows


def _is_deleted(cells: dict[tuple[int, int], str], y: int, x: int, down: int, right: int) -> bool:
    while (y - down, x - right) in cells:  # back to where the line begins
        y, x = y - down, x - right
    line = ""
    while (y, x) in cells:
        line += cells[y, x]
        y, x = y + down, x + right
    if len(line) < 2:
        return False
    while len(line) > 1 and line[0] == line[-1]:
        line = line[1:-1]
    return len(line) < 2
