"""Tables of scores as HTML."""

from __future__ import annotations

import re

from quandary.report.formats import shown, shown_parts
from quandary.report.html import Markup, element
from quandary.scoring.score_table import Cell, Ranged, ScoreTable

from .scroll_box import scroll_box
from .text import breakable, with_code

MOST_ROWS = 1_000  # of a table in the page; its files have all
LONG = 14  # rows from which a table scrolls in its own box
FORMATS = {"CSV": "csv", "Markdown": "md", "LaTeX": "tex"}


COLUMN = re.compile(r"[a-z]+(_[a-z]+)+")  # a name of a column that stands in files
PROSE = 40  # letters from which a text may take several lines


def score_table(table: ScoreTable, *, folded: bool = False) -> Markup:
    """Return a table with its title, what its numbers are, and links to its files."""
    return element(
        "details" if folded else "section",
        element("summary" if folded else "h3", table.title),
        *([element("p", *with_code(table.lead), class_="note")] if table.lead else []),
        element("p", *with_code(_in_words(table, table.formula)), class_="formula"),
        table_box(table),
        *(
            element("p", *with_code(_in_words(table, note)), class_="note")
            for note in _notes(table)
        ),
        downloads({words: f"tables/{table.key}.{ending}" for words, ending in FORMATS.items()}),
        class_="table",
        id=f"table-{table.key}",
    )


def table_box(table: ScoreTable) -> Markup:
    """Return the table alone, in a box that scrolls."""
    if not table.rows:
        return element("p", "No rows.", class_="note")
    numeric = [_is_numeric(table, at) for at in range(len(table.head))]
    head = element(
        "tr",
        *(
            element(
                "th",
                element("button", *breakable(_in_words(table, name)), type="button"),
                scope="col",
                class_="number" if right else "words",
            )
            for name, right in zip(table.head, numeric, strict=True)
        ),
    )
    rows = [
        element(
            "tr",
            *(_cell(cell, right) for cell, right in zip(row, numeric, strict=True)),
        )
        for row in table.short_rows()[:MOST_ROWS]
    ]
    body = element("table", element("thead", head), element("tbody", *rows), class_="sortable")
    return scroll_box(table.title, body, "long" if len(rows) > LONG else "")


def _in_words(table: ScoreTable, text: str) -> str:
    """Return a text with the names of columns as people read them; files keep their names, and
    columns that are players theirs.
    """
    players = {cell for row in table.rows for cell in row if isinstance(cell, str)}
    names = (name for name in table.head if COLUMN.fullmatch(name) and name not in players)
    for name in names:
        text = re.sub(rf"\b{name}\b", name.replace("_", " "), text)
    return text


def downloads(links: dict[str, str]) -> Markup:
    """Links to the same thing as files."""
    return element(
        "p", *(element("a", words, href=href) for words, href in links.items()), class_="files"
    )


def _notes(table: ScoreTable) -> tuple[str, ...]:
    if len(table.rows) <= MOST_ROWS:
        return table.notes
    return (
        f"The first {MOST_ROWS:,} of {len(table.rows):,} rows; the files have all.",
        *table.notes,
    )


def _cell(cell: Cell, right: bool) -> Markup:
    kind = "number" if right else "words"
    match cell:
        case None:
            return element("td", "–", class_=f"{kind} none", data_sort="")
        case Ranged():
            value, low, high = shown_parts(cell)
            return element(
                "td",
                element("span", value, class_="value"),
                " ",
                element("span", f"{low} – {high}", class_="range"),
                class_=kind,
                data_sort=repr(float(cell.value)),
            )
        case int() | float():
            return element("td", shown(cell), class_=kind, data_sort=repr(cell))
        case _:
            return element("td", cell, class_=f"{kind} prose" if len(cell) > PROSE else kind)


def _is_numeric(table: ScoreTable, at: int) -> bool:
    cells = [row[at] for row in table.rows if row[at] is not None]
    return bool(cells) and not any(isinstance(cell, str) for cell in cells)
