"""`quandary report`."""

from __future__ import annotations

import webbrowser
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.core.errors import UserError

from .output import json_line
from .progress import Progress

SCORES = "tables of scores computed"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "runs",
        nargs="+",
        type=Path,
        metavar="RUN",
        help="the folders of one or more runs",
    )
    parser.add_argument(
        "--out",
        required=True,
        type=Path,
        metavar="DIR",
        help="the folder for the report; an earlier report in it is replaced",
    )
    parser.add_argument(
        "--transcripts",
        type=int,
        metavar="N",
        help="write N transcripts, evenly spaced in the order of the records, and those of the "
        "moments worth seeing (default: all, or as many as fit into 200 MB)",
    )
    parser.add_argument(
        "--labels",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="also show the labels that people filled in in this folder from `quandary sample`; "
        "may be repeated",
    )
    parser.add_argument(
        "--no-judge",
        action="store_true",
        help="leave out the quality of moves, which can take long to compute",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument("--json", action="store_true", help="print what was written, as JSON")


def run(options: Namespace) -> int:
    from quandary.report.tables import counted
    from quandary.report.write import check_packages, write_report
    from quandary.results.judging import judging
    from quandary.results.run_context import context_of

    if options.transcripts is not None and options.transcripts < 0:
        raise UserError("--transcripts must not be negative.")
    check_packages()
    for folder in options.runs:
        context_of(folder)  # refuses what is not a run, before anything is written
    try:
        with (
            Progress(SCORES) as progress,
            judging(is_on=not options.no_judge, tell=progress.step("seats of matches judged")),
        ):
            progress(0, 1)
            written = write_report(
                options.runs,
                options.out,
                options.transcripts,
                options.labels,
                tell=progress.step("transcripts written"),
            )
    except OSError as reason:
        raise UserError(
            f"the report cannot be written to {options.out}: {reason.strerror or reason}; choose "
            f"another --out."
        ) from None
    if options.json:
        json_line(written._asdict() | {"page": str(written.page)})
    else:
        print(
            f"{written.page}: {counted(written.matches, 'match', 'matches')}, "
            f"{counted(written.tables, 'table')}, {counted(written.figures, 'figure')}, "
            f"{counted(written.transcripts, 'transcript')}"
            f"{'.' if options.open else '; open it in a browser.'}"
        )
    if options.open and not webbrowser.open(written.page.resolve().as_uri()):
        raise UserError(f"no browser was found; open {written.page} by hand.")
    return 0
