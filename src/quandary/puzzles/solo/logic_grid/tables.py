"""Tables of logic grids as players write them: a JSON list of rows, titles first, "" for a gap."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from quandary.core.boards import MARGIN, Cell, board
from quandary.core.errors import Unreadable
from quandary.core.json_replies import parsed
from quandary.core.moves import half_width
from quandary.core.scene import Scene
from quandary.core.text_width import text_width

from .solver.clues import Value
from .solver.rules import NOWHERE, Rows
from .themes import LANGUAGES, in_language

GAP = -1  # in a table
LONGEST = 20_000  # characters; far more than any table needs
GAPS = ("", ".", "_", "-", "?", "none", "null")
FENCE = re.compile(r"```(?:json)?", re.IGNORECASE)
TOKEN = re.compile(r"""'([^']*)'|"[^"]*"|[\[\],]|[^\s\[\],'"]+""")
NUMBER = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?")

Table: TypeAlias = tuple[tuple[int, ...], ...]  # by row and column, the place of a thing, or GAP
Lines: TypeAlias = list[list[str]]
Columns: TypeAlias = tuple[tuple[Value, ...], ...]


def rows_of(table: Table) -> Rows | None:
    """Return the row of each thing, column by column, or NOWHERE; None if one stands in several."""
    size, cells = len(table), 0
    rows = [NOWHERE] * (size * len(table[0]))
    for row, line in enumerate(table):
        for column, index in enumerate(line):
            if index != GAP:
                rows[column * size + index] = row
                cells += 1
    return tuple(rows) if len(rows) - rows.count(NOWHERE) == cells else None


def table_of(rows: Rows, size: int) -> Table:
    """Return the table of so many rows in which every thing has this row."""
    lines = [[GAP] * (len(rows) // size) for _ in range(size)]
    for thing, row in enumerate(rows):
        if row != NOWHERE:
            lines[row][thing // size] = thing % size
    return tuple(map(tuple, lines))


def lines_of(
    titles: Sequence[str], table: Table, things: Columns, language: str = "en"
) -> list[list[Value]]:
    """Return the titles and the things of a table as a language names them, "" for a gap."""
    cells = (
        [column[index] if index != GAP else "" for column, index in zip(things, line, strict=True)]
        for line in table
    )
    return [[in_language(value, language) for value in line] for line in (titles, *cells)]


def written_table(lines: Sequence[Sequence[Value]]) -> str:
    """Return a table in the one way in which positions are written, from its titles and cells."""
    return json.dumps(lines, ensure_ascii=False)


def drawn_table(rows: Iterable[Iterable[object]]) -> str:
    """Cells below each other, with bars between columns and a dot for a gap."""
    return "\n".join(f"| {' | '.join(str(cell) or '.' for cell in row)} |" for row in rows)


def table_picture(lines: Sequence[Sequence[Value]], most: float) -> Scene:
    """Return the table, at `most` so wide if it can be; titles and the first column are shaded.

    Rows are numbered from 1.
    """
    titles, *cells = [[str(cell) for cell in line] for line in lines]
    width = max(text_width(text, 0.5) for line in (titles, *cells) for text in line) + 0.2
    width = max(2.0, min(width, (most - MARGIN) / len(titles)))
    rows = [[Cell(text, "shade") for text in titles]]
    rows += [[Cell(first, "shade"), *map(Cell, others)] for first, *others in cells]
    names = ["", *map(str, range(1, len(rows)))]
    return board(rows, row_names=names, size=(width, 1.0))


def read_table(text: str, titles: Sequence[str], things: Columns) -> Table:
    """Return the table that a text writes, or Unreadable; a thing may stand in several cells.

    Case and outer spaces do not matter, 9, "9" and 9.0 are the same, names may be those of another
    language, and the titles may be left out.  If they are given, columns may stand in any order;
    a column of row numbers before them is ignored.
    """
    written = [[_plain(cell) for cell in line] for line in _lines(text)]
    lines = _ordered_rows(written, titles, len(things[0]))
    if len(lines) != len(things[0]):
        raise Unreadable(
            "Write the table as a JSON list of {count} lists: the titles, and {rows} rows of "
            '{columns} cells each, with "" for a gap and without row numbers.',
            count=len(things[0]) + 1,
            rows=len(things[0]),
            columns=len(titles),
        )
    table = tuple(
        tuple(_index(cell, column) for cell, column in zip(line, things, strict=True))
        for line in lines
    )
    if [first for first, *_ in table] != list(range(len(table))):
        raise Unreadable("Leave the first column of the table as it is.")
    return table


def _lines(answer: str) -> list[list[object]]:
    """Return the lists within a list, in JSON or with other quotation marks; [] for
    anything else.
    """
    text = half_width(FENCE.sub("", answer[: LONGEST + 1])).strip(" \t\r\n`")
    if not text.startswith("[") or len(text) > LONGEST:
        return []
    try:
        value = parsed(text)
    except Unreadable:
        try:
            value = parsed(_requoted(text))
        except Unreadable:
            return []
    is_table = isinstance(value, list) and all(isinstance(line, list) for line in value)
    return value if is_table else []  # type: ignore[return-value]


def _requoted(text: str) -> str:
    """Return a list of lists in the spelling of Python, as JSON."""
    tokens = TOKEN.finditer(text)
    return "".join(t[0] if t[1] is None else json.dumps(t[1]) for t in tokens).replace(
        "None", "null"
    )


def _ordered_rows(lines: Lines, titles: Sequence[str], size: int) -> Lines:
    """Return the rows of a table without titles and row numbers, with columns in their order; [] if
    its shape is another one.
    """
    numbers = [[str(row)] for row in range(1, size + 1)]
    if [line[:1] for line in lines[-size:]] == numbers and {len(titles) + 1} == set(
        map(len, lines)
    ):
        lines = [line[1:] for line in lines]
    if {len(titles)} != set(map(len, lines)):
        return []
    places = [_found(title, tuple(titles)) for title in lines[0]]
    if None in places or len(set(places)) < len(places):
        return lines  # without titles
    order = [places.index(column) for column in range(len(titles))]
    return [[line[place] for place in order] for line in lines[1:]]


def _index(cell: str, column: tuple[Value, ...]) -> int:
    if cell in GAPS:
        return GAP
    found = _found(cell, column)
    if found is None:
        raise Unreadable(
            "{cell} is not one of the items of its column; keep the order of the columns.",
            cell=cell[:40],
        )
    return found


def _found(cell: str, column: tuple[Value, ...]) -> int | None:
    """Return the place of the thing that a cell names in any language."""
    return _names(column).get(cell)


@lru_cache(maxsize=1 << 10)
def _names(column: tuple[Value, ...]) -> Mapping[str, int]:
    """Return all names of the things of a column."""
    return {
        _plain(in_language(thing, language)): index
        for language in (*LANGUAGES, "en")
        for index, thing in enumerate(column)
    }


def _plain(cell: object) -> str:
    text = "" if cell is None else " ".join(half_width(str(cell)).split()).casefold()
    return f"{float(text):.10g}" if NUMBER.fullmatch(text) else text
