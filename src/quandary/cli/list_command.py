"""`quandary list`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import Any, TypeAlias

from quandary.catalogue import outside
from quandary.core.errors import UserError
from quandary.report.tables import counted, table

from .cache import kept
from .output import json_line

Row: TypeAlias = dict[str, Any]


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--suite", metavar="S", help="only the puzzles of a suite")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def run(options: Namespace) -> int:
    rows = everything()
    if options.suite:
        from quandary.arena import suite

        wanted = {spec.name for spec in suite.load(options.suite).specs}
        rows = [row for row in rows if row["name"] in wanted]
    if options.json:
        for row in rows:
            json_line(row)
        return 0
    broken, rows = [r for r in rows if "error" in r], [r for r in rows if "error" not in r]
    show(rows)
    sys.stdout.flush()
    for row in broken:
        print(f"quandary: {row['name']} cannot be used: {row['error']}", file=sys.stderr)
    return 0


def show(rows: list[Row]) -> None:
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
    print(f"\n{counted(len(rows), 'puzzle')}. An instance is named puzzle/level#seed", end="")
    if rows:
        print(f"; try: quandary show {rows[0]['name']}/{rows[0]['levels'][0]}#1", end="")
    print()


def everything() -> list[Row]:
    """Every puzzle described, in the order of the groups; a broken one has a name and an error."""
    rows: list[Row] = kept("list", built_in)
    found = outside.find(outside.surroundings())
    if found:  # kept apart, because folders come and go, and what is missing may be installed
        rows += kept("list_outside", from_outside, outside.fingerprint(found), _all_sound)
    return rows


def built_in() -> list[Row]:
    from quandary.catalogue import registry

    with outside.ignored():
        return described(registry.names())


def from_outside() -> list[Row]:
    from quandary.catalogue import registry

    with outside.ignored():
        known = registry.names()
    rows = described([name for name in registry.names() if name not in known])
    return rows + [{"name": name, "error": why} for name, why in registry.refused().items()]


def _all_sound(rows: list[Row]) -> bool:
    return not any("error" in row for row in rows)


def described(names: list[str]) -> list[Row]:
    """The puzzles of these names; one that is broken hides no other."""
    from quandary.arena import suite

    suites = {name: suite.members(name) for name in suite.names()}
    rows = list[Row]()
    for name in names:
        try:
            rows.append(describe(name, suites))
        except UserError as reason:
            rows.append({"name": name, "error": str(reason)})
        except Exception as reason:  # an author's file may hold anything
            error = f"it cannot be described ({type(reason).__name__}: {reason})."
            rows.append({"name": name, "error": error})
    return rows


def describe(name: str, suites: dict[str, set[str]]) -> Row:
    """What one can know of a puzzle before playing it."""
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


def _luck(row: Row) -> str:
    return (
        " ".join(
            word for word, is_so in (("chance", row["chance"]), ("hidden", row["hidden"])) if is_so
        )
        or "none"
    )
