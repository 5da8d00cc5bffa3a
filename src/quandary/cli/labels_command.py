"""`quandary labels`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.core.errors import UserError

from .leaderboard_output import is_available
from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="a folder that `quandary sample` wrote, with labels filled in",
    )
    parser.add_argument("--json", action="store_true", help="print each table as a JSON line")


def run(options: Namespace) -> int:
    if not is_available():
        raise UserError("labels need numpy, scipy and pyarrow: pip install 'quandary[report]'.")
    from quandary.labelling.labels import label_tables
    from quandary.report.formats import text

    for place, table in enumerate(label_tables(options.folders)):
        if options.json:
            json_line(table.plain())
        else:
            print(f"{chr(10) if place else ''}{text(table)}")
    return 0
