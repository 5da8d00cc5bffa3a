"""`quandary demo`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from .output import Progress

PLAYERS = ("random", "house", "oracle")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="keep the records here (else they are thrown away)"
    )


def run(options: Namespace) -> int:
    if options.out:
        return show(options.out)
    with TemporaryDirectory() as folder:
        return show(Path(folder))


def show(folder: Path) -> int:
    from quandary.arena import suite
    from quandary.arena.run import run as run_suite
    from quandary.matches.record import replay
    from quandary.players.registry import PlayerRegistry
    from quandary.report.results import standings
    from quandary.report.transcript import transcript
    from quandary.scoring.summary import summarise

    chosen = suite.load("puzzleplex").only(small=True)
    puzzles = dict.fromkeys(spec.name for spec in chosen.specs)
    print(
        f"Playing {len(chosen.specs)} instances of {len(puzzles)} puzzles: the players "
        f"{', '.join(PLAYERS)}, "
        "in duels every pair of them from both seats.\n"
    )
    records = run_suite(
        chosen, PLAYERS, folder, PlayerRegistry(), Progress("matches played")
    ).records
    print(standings(summarise(records), PLAYERS))
    print(
        f"\n{len(records)} matches on seeds {chosen.small[0]} to {chosen.small[-1]}. A score is "
        "the mean over starts, "
        "its 95 % interval in brackets; house is the opponent a level offers a newcomer."
    )
    for record in records:
        replay(record)
    print(f"All {len(records)} records replay to the same scores.")
    duel = next(
        record
        for record in records
        if record.name.startswith("sudokill") and record.players == ("random", "oracle")
    )
    print("\nOne of them, move by move:\n")
    print(transcript(duel, positions=True, judge=True))
    return 0
