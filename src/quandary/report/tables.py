"""Plain text tables, and numbers with their nouns."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as their widest cell; columns of numbers are right-aligned."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    columns = range(len(head))
    widths = [max(len(row[i]) for row in cells) for i in columns]
    numeric = [bool(rows) and all(isinstance(row[i], int | float) for row in rows) for i in columns]

    def line(row: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        return "  ".join(padded).rstrip()

    ruler = ["-" * width for width in widths]
    return "\n".join([line(cells[0]), line(ruler), *map(line, cells[1:])])


def counted(count: int, one: str, many: str = "") -> str:
    """A number and its noun, in the singular or the plural."""
    return f"{count} {one if count == 1 else many or one + 's'}"
