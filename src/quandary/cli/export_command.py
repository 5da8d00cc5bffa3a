"""`quandary export`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from quandary.core.errors import UserError

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
        choices=["parquet", "csv", "inspect"],
        help="tables as Parquet (needs quandary[report]) or CSV, or logs of Inspect AI (needs "
        "quandary[inspect])",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="the folder for the files"
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
        help="leave out how good moves were, which can take long to compute",
    )
    parser.add_argument("--json", action="store_true", help="the written files as JSON lines")


def run(options: Namespace) -> int:
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
        raise UserError(
            f"the export cannot be written to {options.out}: {reason.strerror or reason}; choose "
            f"another --out."
        ) from None
    what = "samples" if options.to == "inspect" else "rows"
    for path, count in written.items():
        if options.json:
            json_line({"file": str(path), what: count})
        else:
            print(f"{path}: {count:,} {what}")
    return 0
