"""Who wins against whom: a coloured matrix of shares, each with its interval and number."""

from __future__ import annotations

from collections.abc import Sequence

from quandary.report.html import Markup, element
from quandary.scoring.score_table import Cell, Ranged, ScoreTable

from .shading import shaded
from .text import breakable

MOST = 10  # players


def win_matrix(ratings: Sequence[ScoreTable]) -> Markup:
    """One row and one column per player, best first; nothing if no games for two were played."""
    tables = {table.key: table for table in ratings}
    if not {"ratings", "wins", "meetings"} <= tables.keys():
        return Markup("")
    order = [str(name) for name in tables["ratings"].column("player")]
    names, left = order[:MOST], len(order) - MOST
    wins, meetings = (_cells(tables[key]) for key in ("wins", "meetings"))
    head = [element("th", element("span", "won against", class_="note"), scope="col")]
    head += [element("th", *breakable(name), scope="col") for name in names]
    rows = [
        element(
            "tr",
            element("th", *breakable(name), scope="row"),
            *(_cell(wins.get((name, other)), meetings.get((name, other))) for other in names),
        )
        for name in names
    ]
    note = [element("p", f"The first {MOST} of {len(order)} players.", class_="note")]
    return element(
        "div",
        element(
            "div",
            element(
                "table",
                element("thead", element("tr", *head)),
                element("tbody", *rows),
                class_="matrix",
            ),
            class_="scroll",
            tabindex="0",
            role="region",
            aria_label="Who won against whom",
        ),
        *(note if left > 0 else []),
    )


def _cells(table: ScoreTable) -> dict[tuple[str, str], Cell]:
    return {
        (str(row[0]), name): cell
        for row in table.rows
        for name, cell in zip(table.head[1:], row[1:], strict=True)
    }


def _cell(share: Cell, meetings: Cell) -> Markup:
    if not isinstance(share, Ranged):
        return element("td", "–", class_="none")
    return shaded(share, int(meetings) if isinstance(meetings, int) else 0)
