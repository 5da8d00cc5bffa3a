"""`quandary demo`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from quandary.cli.output import Progress

PLAYERS = ("random", "oracle")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the records here (else they are thrown away)")


def run(options: Namespace) -> int:
    if options.out:
        return show(options.out)
    with TemporaryDirectory() as folder:
        return show(Path(folder))


def show(folder: Path) -> int:
    from quandary.arena import suite
    from quandary.arena.run import run as run_suite
    from quandary.cli.run_command import show as show_results
    from quandary.core.record import replay
    from quandary.players.table import find
    from quandary.report.story import tell
    from quandary.scoring.summary import summarise

    chosen = suite.load("quick")
    puzzles = dict.fromkeys(spec.name for spec in chosen.specs)
    print(f"Playing {len(chosen.specs)} instances of {len(puzzles)} puzzles: {' and '.join(PLAYERS)} players, from both seats.\n")
    records = run_suite(chosen, PLAYERS, folder, find, Progress("matches played"))
    show_results(summarise(records), as_json=False)
    print(f"\n{len(records)} matches; score: mean over instances, with its 95 % interval.")
    for record in records:
        replay(record)
    print(f"All {len(records)} records replay to the same scores.")
    duel = next(record for record in records if record.name.startswith("sudokill"))
    print("\nOne of them, move by move:\n")
    print(tell(duel, positions=True))
    return 0
