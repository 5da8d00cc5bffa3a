"""`quandary list`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from quandary.catalogue import external
from quandary.core.errors import UserError
from quandary.render.screen import terminal_width
from quandary.report.tables import counted, fitted

from .cache import kept
from .output import WIDTH, json_line

Row: TypeAlias = dict[str, Any]


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--suite", metavar="S", help="list only the puzzles of a suite")
    parser.add_argument(
        "--suites", action="store_true", help="list the suites instead of the puzzles"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


def run(options: Namespace) -> int:
    if options.suites:
        return show_suites(options)
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


def show_suites(options: Namespace) -> int:
    if options.suite:
        raise UserError("--suites lists all suites; leave out --suite.")
    from quandary.api.listing import list_suites

    suites = kept("suites", list_suites)
    if options.json:
        for suite in suites:
            json_line(suite)
        return 0
    columns = {
        "suite": [suite["name"] for suite in suites],
        "puzzles": [len(suite["puzzles"]) for suite in suites],
        "instances": [suite["instances"] for suite in suites],
        "what it is": [suite["title"] for suite in suites],
    }
    print(_fitted(columns, ("puzzles",)))
    print("\nPlay one: quandary run --suite quick --player oracle --out runs/first")
    return 0


def show(rows: list[Row]) -> None:
    columns = {
        "puzzle": [row["name"] for row in rows],
        "group": [row["group"] for row in rows],
        "seats": [row["seats"] for row in rows],
        "luck": [_luck(row) for row in rows],
        "levels": [" ".join(row["levels"]) for row in rows],
        "languages": [" ".join(row["languages"]) for row in rows],
        "what it is": [row["summary"] for row in rows],
    }
    dropped = ("group", "languages", "luck", "levels", "seats")
    print(_fitted(columns, dropped))
    print(f"\n{counted(len(rows), 'puzzle')}. An instance is named puzzle/level#seed", end="")
    if rows:
        print(f"; try: quandary show {rows[0]['name']}/{rows[0]['levels'][0]}#1", end="")
    print()


def _fitted(columns: Mapping[str, Sequence[object]], drop: Sequence[str]) -> str:
    """Return a table as wide as the terminal; in a file or a pipe its descriptions are whole."""
    width = terminal_width()
    return fitted(columns, width or WIDTH, drop=drop, cut=width is not None)


def everything() -> list[Row]:
    """Return every puzzle described, from the cache where no file has changed."""
    rows: list[Row] = kept("list", _built_in)
    found = external.find(external.surroundings())
    if found:  # kept apart, because folders come and go, and what is missing may be installed
        rows += kept("list_outside", _from_outside, external.fingerprint(found), _all_sound)
    return rows


def _built_in() -> list[Row]:
    from quandary.api.listing import built_in

    return built_in()


def _from_outside() -> list[Row]:
    from quandary.api.listing import from_outside

    return from_outside()


def _all_sound(rows: list[Row]) -> bool:
    return not any("error" in row for row in rows)


def _luck(row: Row) -> str:
    return (
        " ".join(
            word for word, is_so in (("chance", row["chance"]), ("hidden", row["hidden"])) if is_so
        )
        or "none"
    )
