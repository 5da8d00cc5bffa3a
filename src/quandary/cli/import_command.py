"""`quandary import`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.report.tables import counted

from .progress import Progress


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=["textgames"],
        metavar="WHAT",
        help="textgames: the published problems and replies",
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="DIR",
        help="where the published files are, for example a checkout of their repository",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        default=Path("runs/textgames"),
        help="where they go (%(default)s)",
    )


def run(options: Namespace) -> int:
    from quandary.published.textgames.imported import bring

    with Progress("sessions imported") as tell:
        problems, replies, skipped = bring(options.folder, options.out, tell)
    for path, reason in skipped:
        name = path.relative_to(options.folder)
        print(f"quandary: {name} was not read: {reason}.", file=sys.stderr)
    brought = f"{counted(problems, 'problem')} and {counted(replies, 'reply', 'replies')}"
    print(f"{brought} are in {options.out}; grade them with: quandary regrade {options.out}")
    return 0
