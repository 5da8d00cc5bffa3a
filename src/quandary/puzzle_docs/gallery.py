"""The generated gallery: a picture of every puzzle, by group."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from quandary.arena import suite
from quandary.catalogue import registry
from quandary.catalogue.papers import papers

ACROSS = 3  # pictures in a row
WIDTH = 240  # of a picture, in pixels

GROUPS = {
    "duels": "Two-player games",
    "solo": "Puzzles for one player, move by move",
    "questions/words": "Questions about words and text",
    "questions/planning": "Questions to plan and deduce",
    "questions/execution": "Questions to work out step by step",
    "questions": "Other questions",
}

HEAD = """# The puzzles

<!-- Generated: change the puzzles, then run `make docs`. -->

Each picture is instance 1 of the first level; it leads to the page of the puzzle, with rules,
levels, players and a sample match.
`quandary play NAME` lets you play one, and `quandary show NAME/LEVEL#SEED --draw` shows it.
"""


def document() -> str:
    """Return all puzzles as Markdown; the pictures are those of the puzzles' pages."""
    groups: dict[str, list[str]] = {}
    for name in registry.names():
        groups.setdefault(registry.group(name), []).append(name)
    order = sorted(groups, key=lambda group: (group not in GROUPS, [*GROUPS, group].index(group)))
    parts = [f"## {GROUPS.get(group, group)}\n\n{_table(groups[group])}" for group in order]
    return "\n".join([HEAD, "\n\n".join(parts)]) + "\n"


def _table(names: list[str]) -> str:
    rows = [names[at : at + ACROSS] for at in range(0, len(names), ACROSS)]
    return "\n".join(["<table>", *map(_row, rows), "</table>"])


def _row(names: Iterable[str]) -> str:
    return "\n".join(["<tr>", *map(_cell, names), "</tr>"])


def _cell(name: str) -> str:
    start = f"{name}/{next(iter(registry.load(name).levels))}#1"
    picture = f'<img src="puzzles/pictures/{name}.svg" width="{WIDTH}" alt="{start}">'
    sources = " and ".join(_papers(name))
    source = f"<br>From {sources}." if sources else ""
    return (
        f'<td valign="top"><a href="puzzles/{name}.md">{picture}</a><br>'
        f'<a href="puzzles/{name}.md">{name}</a><br>{_summary(name)}{source}</td>'
    )


def _summary(name: str) -> str:
    """Return the first line of what its file says."""
    words = (sys.modules[registry.load(name).__module__].__doc__ or "").strip()
    return words.partition("\n")[0]


def _papers(name: str) -> list[str]:
    """Return the papers whose suites have the puzzle."""
    return [
        paper.title
        for paper in papers()
        if any(name in suite.members(each) for each in paper.suites)
    ]
