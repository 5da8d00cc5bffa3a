"""How commands speak: tables, JSON lines, and progress where a person is watching."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from time import monotonic
from typing import Any

PATIENCE = 2.0  # seconds without a sign before progress is shown


def json_line(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False))


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as they need to be; numbers to the right."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    right = [
        bool(rows) and all(isinstance(row[i], int | float) for row in rows)
        for i in range(len(head))
    ]

    def line(row: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        )
        return "  ".join(padded).rstrip()

    return "\n".join(
        [line(cells[0]), line(["-" * width for width in widths]), *map(line, cells[1:])]
    )


def counted(count: int, one: str, many: str = "") -> str:
    """A number and what it counts, in the singular or the plural."""
    return f"{count} {one if count == 1 else many or one + 's'}"


class Progress:
    """One line that says how far things are, on a terminal only."""

    def __init__(self, what: str) -> None:
        self.what, self.begun, self.shown = what, monotonic(), False

    def __call__(self, done: int, of: int) -> None:
        if sys.stderr.isatty() and (self.shown or monotonic() - self.begun > PATIENCE):
            self.shown = True
            end = "\n" if done == of else ""
            print(f"\r{self.what}: {done} of {of}", end=end, file=sys.stderr, flush=True)


def colourful() -> bool:
    """Whether colours may be used: a person is looking at a terminal."""
    return sys.stdout.isatty()
