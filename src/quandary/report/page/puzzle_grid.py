"""Strengths and weaknesses: a row per puzzle, by group, and a coloured cell per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from urllib.parse import quote, urlencode

from quandary.report.html import Markup, element
from quandary.report.tables import counted
from quandary.scoring.puzzle_groups import group_of
from quandary.scoring.score_table import Cell, ScoreTable

from .scroll_box import scroll_box
from .shading import NONE, shaded
from .text import breakable

MOST = 10  # players
FEW = 4  # players up to which the groups stand beside each other


def puzzle_grid(
    puzzles: ScoreTable,
    players: Sequence[str],
    pictures: Mapping[str, str],
    short: Mapping[str, str],
) -> Markup:
    """`players` in the order of the leaderboard; `pictures` are files, by puzzle; `short` are short
    names of players.
    """
    order = list(dict.fromkeys([*players, *map(str, puzzles.column("player"))]))
    names, left = {name: short.get(name, name) for name in order[:MOST]}, len(order) - MOST
    several = len(set(puzzles.column("suite"))) > 1
    cells = dict[tuple[str, str], dict[str, dict[str, Cell]]]()
    for row in puzzles.rows:
        named = dict(zip(puzzles.head, row, strict=True))
        place = str(named["puzzle"]), str(named["suite"]) if several else ""
        cells.setdefault(place, {})[str(named["player"])] = named
    places = sorted(cells, key=lambda place: (group_of(place[0]), place))
    head = [element("th", "puzzle", scope="col")]
    head += [
        element("th", *breakable(shown), scope="col", title=name) for name, shown in names.items()
    ]
    bodies = dict[str, Markup]()
    for group, of_group in groupby(places, key=lambda place: group_of(place[0])):
        rows = [_row(place, cells[place], names, pictures) for place in of_group]
        bodies[group] = element("tbody", _group_row(group, len(rows), len(head)), *rows)
    if len(names) <= FEW and len(bodies) > 1:
        parts = [_table(f"Strengths: {group}", head, [body]) for group, body in bodies.items()]
        tables = element("div", *parts, class_="halves")
    else:
        tables = _table("Strengths of all players", head, list(bodies.values()))
    note = f"The first {MOST} of {len(order)} players; the tables have all."
    return element("div", tables, *([element("p", note, class_="note")] if left > 0 else []))


def _group_row(group: str, puzzles: int, columns: int) -> Markup:
    """Return the name of a group, which folds its rows; the script folds those that make a grid
    long.
    """
    count = element("small", counted(puzzles, "puzzle"))
    fold = element("button", group, " ", count, type="button", aria_expanded="true")
    return element(
        "tr", element("th", fold, scope="rowgroup", colspan=str(columns), class_="group")
    )


def _table(name: str, head: Sequence[Markup], bodies: Sequence[Markup]) -> Markup:
    rows = element("thead", element("tr", *head)), *bodies
    return scroll_box(name, element("table", *rows, class_="matrix cards puzzles"), "fitting")


def list_of(puzzle: str, suite: str, player: str = "") -> str:
    """Return the address of the list of matches of a puzzle, perhaps in one suite and of one
    player.
    """
    wanted = {"puzzle": puzzle, "suite": suite, "player": player}
    given = {name: value for name, value in wanted.items() if value}
    return f"#list?{urlencode(given, quote_via=quote, safe='', errors='backslashreplace')}"


def _row(
    place: tuple[str, str],
    found: Mapping[str, Mapping[str, Cell]],
    names: Mapping[str, str],
    pictures: Mapping[str, str],
) -> Markup:
    """Return a puzzle; `names` are those of players, with the names that are shown."""
    puzzle, suite = place
    picture = (
        element("img", src=pictures[puzzle], alt="", width="64", height="64")
        if puzzle in pictures
        else element("span", class_="blank")
    )
    of_suite = [element("small", f"in {suite}")] if suite else []
    words = element("span", *breakable(puzzle.replace("_", "_\u200b")), *of_suite)
    return element(
        "tr",
        element("th", element("a", picture, words, href=list_of(puzzle, suite)), scope="row"),
        *(
            shaded(
                found[name]["score"], _count(found[name]["n"]), shown, list_of(puzzle, suite, name)
            )
            if name in found
            else NONE
            for name, shown in names.items()
        ),
    )


def _count(cell: Cell) -> int:
    return cell if isinstance(cell, int) else 0
