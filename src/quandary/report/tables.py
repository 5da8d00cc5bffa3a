"""Plain text tables, and numbers with their nouns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.core.control_characters import visible


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as their widest cell; columns of numbers are right-aligned."""
    cells = [[one_line(str(cell)) for cell in row] for row in [head, *rows]]
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


READABLE = 45  # columns that the last column of a fitted table has at least, if others can go


def fitted(
    columns: Mapping[str, Sequence[object]],
    width: int | None,
    drop: Sequence[str] = (),
    readable: int = READABLE,
    *,
    cut: bool = True,
) -> str:
    """Return a table within a width: columns of `drop` go one by one as long as the last one has
    less than `readable` columns, then that is cut short, unless `cut` is False.

    Without a width, the whole table.
    """
    kept = dict(columns)
    for name in ("", *drop):
        kept.pop(name, None)
        others = list(kept)[:-1]
        taken = sum(2 + max(map(len, map(str, [head, *kept[head]]))) for head in others)
        if width is None or taken + readable <= width:
            break
    cells = list(kept.values())
    if width is not None and cut:
        room = max(width - taken, 1)
        cells[-1] = [_cut(str(cell), room) for cell in cells[-1]]
    return table(list(kept), list(zip(*cells, strict=True)))


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    start = text[: width - 1]
    return (start.rpartition(" ")[0] or start).rstrip(" ,;:") + "…"


def one_line(text: str) -> str:
    """Whatever a player is called, its name stays in its line and commands no terminal."""
    return visible(text).replace("\n", " ")


def counted(count: int, one: str, many: str = "") -> str:
    """Return a number and its noun, in the singular or the plural."""
    return f"{count} {one if count == 1 else many or one + 's'}"
