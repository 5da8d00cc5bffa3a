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
    from quandary import list_puzzles

    return list_puzzles()


def _luck(row: dict[str, Any]) -> str:
    return (
        " ".join(
            word for word, is_so in (("chance", row["chance"]), ("hidden", row["hidden"])) if is_so
        )
        or "none"
    )
