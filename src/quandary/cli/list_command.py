"""`quandary list`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from quandary.report.tables import counted, table

from .cache import kept
from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--suite", metavar="S", help="only the puzzles of a suite")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(options: Namespace) -> int:
    rows = kept("list", everything)
    if options.suite:
        from quandary.arena import suite

        wanted = {spec.name for spec in suite.load(options.suite).specs}
        rows = [row for row in rows if row["name"] in wanted]
    if options.json:
        for row in rows:
            json_line(row)
        return 0
    shown = [
        (
            r["name"],
            r["group"],
            r["seats"],
            _luck(r),
            " ".join(r["levels"]),
            " ".join(r["languages"]),
            r["summary"],
        )
        for r in rows
    ]
    print(table(("puzzle", "group", "seats", "luck", "levels", "languages", "what it is"), shown))
    example = f"{rows[0]['name']}/{rows[0]['levels'][0]}#1"
    print(
        f"\n{counted(len(rows), 'puzzle')}. An instance is named puzzle/level#seed; try: quandary "
        f"show {example}"
    )
    return 0


def everything() -> list[dict[str, Any]]:
    """Every puzzle described, in the order of the groups."""
    from quandary.arena import suite
    from quandary.catalogue import registry

    suites = {name: suite.members(name) for name in suite.names()}
    return [describe(name, suites) for name in registry.names()]


def describe(name: str, suites: dict[str, set[str]]) -> dict[str, Any]:
    """What one can know of a puzzle before playing it."""
    import sys

    from quandary.catalogue import registry
    from quandary.core.contract import Game, veils_of

    puzzle = registry.load(name)
    game = registry.game(f"{name}/{next(iter(puzzle.levels))}#1")
    doc = (sys.modules[puzzle.__module__].__doc__ or "").strip()
    return {
        "name": name,
        "group": registry.group(name),
        "seats": puzzle.seats if issubclass(puzzle, Game) else 1,
        "chance": issubclass(puzzle, Game) and puzzle.luck,
        "hidden": any(mark != "nested" for _, mark in veils_of(puzzle)),
        "levels": list(puzzle.levels),
        "families": dict(puzzle.families),
        "languages": list(game.languages),
        "suites": [suite for suite, members in suites.items() if name in members],
        "version": puzzle.version,
        "players": ["random", *game.strategies],
        "better": game.better,
        "summary": doc.partition("\n")[0],
    }


def _luck(row: dict[str, Any]) -> str:
    return (
        " ".join(
            word for word, is_so in (("chance", row["chance"]), ("hidden", row["hidden"])) if is_so
        )
        or "none"
    )
