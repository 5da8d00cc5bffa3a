"""`quandary merge`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.core.errors import UserError

from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="the folder of a run")
    parser.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="a new folder for the merged run, with all players, instances and records",
    )
    parser.add_argument("--json", action="store_true", help="print the counts as a JSON line")


def run(options: Namespace) -> int:
    from quandary.arena.merge import merge
    from quandary.report.tables import counted

    if len(options.runs) < 2:
        raise UserError("name two or more runs to merge.")
    merged = merge(
        options.runs, options.out, lambda message: print(f"quandary: {message}", file=sys.stderr)
    )
    if options.json:
        json_line(merged._asdict())
        return 0
    print(
        f"{counted(merged.matches, 'match', 'matches')} of {len(options.runs)} runs in "
        f"{options.out}."
    )
    if merged.repeated:
        repeated = counted(merged.repeated, "match was", "matches were")
        print(f"{repeated} in more than one run; the record of the first run named is kept.")
    if merged.left:
        left = counted(merged.left, "match is", "matches are")
        print(f"{left} left to play with these players and instances; use `quandary run`.")
    return 0
