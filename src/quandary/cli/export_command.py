"""`quandary export`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from quandary.core.errors import UserError
from quandary.renamed import typed_player

from .output import json_line
from .progress import Progress


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="+",
        type=Path,
        metavar="RUN",
        help="the folders of one or more runs",
    )
    parser.add_argument(
        "--to",
        required=True,
        choices=["parquet", "csv", "inspect", "submission"],
        help="tables as Parquet (needs quandary[report]) or CSV, logs of Inspect AI (needs "
        "quandary[inspect]), or the replies to published problems in the format of their "
        "benchmark",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="the folder for the files"
    )
    parser.add_argument(
        "--player",
        type=typed_player,
        metavar="PLAYER",
        help="whose replies are submitted, if the run has several players",
    )
    parser.add_argument(
        "--prices",
        type=Path,
        metavar="FILE",
        help="a price table; the costs of these runs are computed with it from now on",
    )
    parser.add_argument(
        "--no-judge",
        action="store_true",
        help="leave out the quality of moves, which can take long to compute",
    )
    parser.add_argument("--json", action="store_true", help="print the written files as JSON lines")


def run(options: Namespace) -> int:
    if options.to == "submission":
        return export_submission(options)
    if options.player:
        raise UserError("--player is for --to submission; other exports have all players.")
    from quandary.models import prices
    from quandary.results import exports, inspect_logs
    from quandary.results.calls import run_prices
    from quandary.results.judging import judging
    from quandary.results.run_context import context_of
    from quandary.results.run_folders import run_names

    write = {
        "parquet": exports.write_parquet,
        "csv": exports.write_csv,
        "inspect": inspect_logs.write_logs,
    }[options.to]
    runs = run_names(options.runs)
    for folder in runs.values():
        context_of(folder)  # refuses what is not a run
    by = prices.load(options.prices) if options.prices else None
    try:
        for folder in runs.values() if by else ():
            run_prices(folder, by)
        with (
            Progress("seats of matches judged") as tell,
            judging(is_on=not options.no_judge, tell=tell),
        ):
            written = exports.export(options.out, partial(write, runs))
    except OSError as reason:
        raise not_written(options.out, reason) from None
    show_written(written, "samples" if options.to == "inspect" else "rows", options.json)
    return 0


def export_submission(options: Namespace) -> int:
    """Write the replies of one player to published problems; what is missing is named."""
    from quandary.papers.submissions import submission
    from quandary.results.exports import export
    from quandary.results.run_folders import run_folders

    folders = run_folders(options.runs)
    if len(folders) != 1:
        raise UserError("a submission has the replies of one run; name one.")
    found = submission(folders[0], options.player)
    try:
        written = export(options.out, found.write)
    except OSError as reason:
        raise not_written(options.out, reason) from None
    show_written(written, "replies", options.json)
    if not found.is_to_published_prompts:
        print(
            "quandary: these are replies to our prompts, not the published ones.", file=sys.stderr
        )
    if missing := found.missing():
        print(f"quandary: {missing}", file=sys.stderr)
    return 1 if missing else 0


def not_written(out: Path, reason: OSError) -> UserError:
    return UserError(
        f"the export cannot be written to {out}: {reason.strerror or reason}; choose another --out."
    )


def show_written(written: Mapping[Path, int], what: str, as_json: bool) -> None:
    for path, count in written.items():
        if as_json:
            json_line({"file": str(path), what: count})
        else:
            print(f"{path}: {count:,} {what}")
