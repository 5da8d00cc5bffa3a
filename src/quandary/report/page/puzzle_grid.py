"""Strengths and weaknesses: a row per puzzle, by group, and a coloured cell per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from urllib.parse import quote, urlencode

from quandary.report.html import Markup, element
from quandary.scoring.puzzle_groups import group_of
from quandary.scoring.score_table import Cell, ScoreTable

from .shading import shaded
from .text import breakable

MOST = 10  # players
TALL = 14  # rows from which the grid scrolls in its own box
FEW = 4  # players up to which the groups stand beside each other


def puzzle_grid(puzzles: ScoreTable, players: Sequence[str], pictures: Mapping[str, str]) -> Markup:
    """`players` in the order of the leaderboard; `pictures` are files, by puzzle."""
    order = list(dict.fromkeys([*players, *map(str, puzzles.column("player"))]))
    names, left = order[:MOST], len(order) - MOST
    several = len(set(puzzles.column("suite"))) > 1
    cells = dict[tuple[str, str], dict[str, dict[str, Cell]]]()
    for row in puzzles.rows:
        told = dict(zip(puzzles.head, row, strict=True))
        place = str(told["puzzle"]), str(told["suite"]) if several else ""
        cells.setdefault(place, {})[str(told["player"])] = told
    places = sorted(cells, key=lambda place: (group_of(place[0]), place))
    head = [element("th", "puzzle", scope="col")]
    head += [element("th", *breakable(name), scope="col") for name in names]
    bodies = {
        group: element(
            "tbody",
            element(
                "tr", element("th", group, scope="rowgroup", colspan=str(len(head)), class_="group")
            ),
            *(_row(place, cells[place], names, pictures) for place in of_group),
        )
        for group, of_group in groupby(places, key=lambda place: group_of(place[0]))
    }
    if len(names) <= FEW and len(bodies) > 1:
        parts = [_table(f"Strengths: {group}", head, [body]) for group, body in bodies.items()]
        tables = element("div", *parts, class_="halves")
    else:
        every = list(bodies.values())
        tables = _table("Strengths of all players", head, every, is_tall=len(places) > TALL)
    note = f"The first {MOST} of {len(order)} players; the tables have all."
    return element("div", tables, *([element("p", note, class_="note")] if left > 0 else []))


def _table(
    name: str, head: Sequence[Markup], bodies: Sequence[Markup], *, is_tall: bool = False
) -> Markup:
    return element(
        "div",
        element("table", element("thead", element("tr", *head)), *bodies, class_="matrix puzzles"),
        class_="scroll long" if is_tall else "scroll",
        tabindex="0",
        role="region",
        aria_label=name,
    )


def list_of(puzzle: str, suite: str, player: str = "") -> str:
    """The address of the list of matches of a puzzle, perhaps in one suite and of one player."""
    wanted = {"puzzle": puzzle, "suite": suite, "player": player}
    told = {name: value for name, value in wanted.items() if value}
    return f"#list?{urlencode(told, quote_via=quote, safe='', errors='backslashreplace')}"


def _row(
    place: tuple[str, str],
    found: Mapping[str, Mapping[str, Cell]],
    names: Sequence[str],
    pictures: Mapping[str, str],
) -> Markup:
    puzzle, suite = place
    picture = (
        element("img", src=pictures[puzzle], alt="", loading="lazy", width="64", height="64")
        if puzzle in pictures
        else element("span", class_="blank")
    )
    of_suite = [element("small", f"in {suite}")] if suite else []
    words = element("span", *breakable(puzzle.replace("_", "_\u200b")), *of_suite)
    return element(
        "tr",
        element("th", element("a", picture, words, href=list_of(puzzle, suite)), scope="row"),
        *(
            shaded(found[name]["score"], _count(found[name]["n"]), list_of(puzzle, suite, name))
            if name in found
            else element("td", "–", class_="none")
            for name in names
        ),
    )


def _count(cell: Cell) -> int:
    return cell if isinstance(cell, int) else 0
