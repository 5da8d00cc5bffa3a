"""Who wins against whom: a coloured matrix of shares, each with its interval and number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.report.head_to_head import common_opponent
from quandary.report.html import Markup, element
from quandary.scoring.score_table import Cell, ScoreTable

from .scroll_box import scroll_box
from .shading import shaded
from .text import breakable

MOST = 10  # players
TIED = "tied with"


def win_matrix(ratings: Sequence[ScoreTable], short: Mapping[str, str]) -> Markup:
    """Return one row and one column per player, best first; nothing if no two-player games were
    played.

    Where all met a single opponent, and nobody else, there are columns for that one alone.  `short`
    are short names of players.
    """
    tables = {table.key: table for table in ratings}
    if not {"ratings", "wins", "ties", "meetings"} <= tables.keys():
        return Markup("")
    order = [str(name) for name in tables["ratings"].column("player")]
    names, left = {name: short.get(name, name) for name in order[:MOST]}, len(order) - MOST
    wins, ties, meetings = (_cells(tables[key]) for key in ("wins", "ties", "meetings"))
    hub = common_opponent(tables["meetings"])
    if hub:
        shown = short.get(hub, hub)
        names = {name: short.get(name, name) for name in order if name != hub}
        left = 0
        heads = {f"won against {shown}": (wins, hub), f"{TIED} {shown}": (ties, hub)}
        corner = "player"
    else:
        heads = {shown: (wins, name) for name, shown in names.items()}
        corner = "won against"
    head = [element("th", element("span", corner, class_="note"), scope="col")]
    head += [element("th", *breakable(name), scope="col") for name in heads]
    rows = [
        element(
            "tr",
            element("th", *breakable(shown), scope="row", title=name),
            *(
                _cell(found.get((name, other)), meetings.get((name, other)), words)
                for words, (found, other) in heads.items()
            ),
        )
        for name, shown in names.items()
    ]
    table = element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", *rows),
        class_="matrix cards" if hub else "matrix cards wins",
    )
    note = [element("p", f"The first {MOST} of {len(order)} players.", class_="note")]
    return element(
        "div", scroll_box("Who won against whom", table, "fitting"), *(note if left > 0 else [])
    )


def _cells(table: ScoreTable) -> dict[tuple[str, str], Cell]:
    return {
        (str(row[0]), name): cell
        for row in table.rows
        for name, cell in zip(table.head[1:], row[1:], strict=True)
    }


def _cell(share: Cell, meetings: Cell, words: str) -> Markup:
    n = int(meetings) if isinstance(meetings, int) else 0
    return shaded(share, n, words, is_score=not words.startswith(f"{TIED} "))
