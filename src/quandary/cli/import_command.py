"""`quandary import`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.report.tables import counted

from . import signals
from .progress import Progress


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=["textgames", "finereason", "logicgame"],
        metavar="WHAT",
        help="textgames: the published problems and replies; finereason: the published puzzles "
        "and states; logicgame: the published prompts, in English and Chinese",
    )
    parser.add_argument(
        "folder",
        type=Path,
        metavar="DIR",
        help="where the published files are, for example a checkout of their repository",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where they go (default: runs/WHAT)"
    )


def run(options: Namespace) -> int:
    from quandary.papers.imports import paper_of

    out = options.out or Path("runs", options.what)
    bring = {"textgames": textgames, "finereason": finereason, "logicgame": logicgame}[options.what]
    try:
        return bring(options.folder, out)
    except signals.Interrupted as stop:
        is_kept = paper_of(out)  # an import is either complete or absent
        left = f"the import in {out} is complete" if is_kept else "nothing was written"
        stop.sentence = f"stopped; {left}."
        raise


def textgames(folder: Path, out: Path) -> int:
    from quandary.papers.textgames.imported import bring

    with Progress("sessions imported") as tell:
        problems, replies, skipped = bring(folder, out, tell)
    for path, reason in skipped:
        name = path.relative_to(folder)
        print(f"quandary: {name} was not read: {reason}.", file=sys.stderr)
    brought = f"{counted(problems, 'problem')} and {counted(replies, 'reply', 'replies')}"
    print(f"{brought} are in {out}; grade them with: quandary regrade {out}")
    return 0


def finereason(folder: Path, out: Path) -> int:
    from quandary.papers.finereason.imported import bring

    problems, other_counts = bring(folder, out)
    for file, rows, published in other_counts:
        note = f"{file} has {counted(rows, 'row')}; the published file has {published}."
        print(f"quandary: {note}", file=sys.stderr)
    print(
        f"{counted(problems, 'problem')} are in {out}; play them with: quandary run "
        f"--problems {out} --player PLAYER --out DIR"
    )
    return 0


def logicgame(folder: Path, out: Path) -> int:
    from quandary.papers.logicgame.imported import bring

    from .logicgame_output import summary

    found = bring(folder, out)
    for file, items, published in found.other_counts:
        note = f"{file} has {counted(items, 'item')}; the published file has {published}."
        print(f"quandary: {note}", file=sys.stderr)
    print(summary(found))
    problems = list(found.problems)
    keyed = sum(problem.is_scored for problem in problems)
    print(
        f"\n{counted(len(problems), 'problem')} are in {out}, {keyed} of them with a key; play "
        f"them with: quandary run --problems {out} --wording published --player PLAYER --out DIR"
    )
    return 0
