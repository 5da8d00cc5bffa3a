"""`quandary import`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.catalogue.paper import Import
from quandary.catalogue.papers import papers

from . import signals
from .progress import Progress


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=list(imports()),
        metavar="WHAT",
        help="; ".join(f"{name}: {each.summary}" for name, each in imports().items()),
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="DIR",
        help="where the published files are, for example a checkout of their repository",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the folder to write to (default: runs/WHAT)"
    )


def imports() -> dict[str, Import]:
    """Return what can be imported, by the name of the paper."""
    found = {paper.name: paper.imports for paper in papers() if paper.imports}
    return dict(sorted(found.items(), key=lambda each: each[1].place))


def run(options: Namespace) -> int:
    from quandary.papers.imports import loaded, paper_of

    out, command = options.out or Path("runs", options.what), loaded(imports()[options.what])
    try:
        with Progress("sessions imported") as tell:
            notes, summary = command.bring(options.folder, out, tell)
        for note in notes:
            print(f"quandary: {note}", file=sys.stderr)
        print(summary)
    except signals.Interrupted as stop:
        is_kept = paper_of(out)  # an import is either complete or absent
        left = f"the import in {out} is complete" if is_kept else "nothing was written"
        stop.sentence = f"stopped; {left}."
        raise
    return 0
