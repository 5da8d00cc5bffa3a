"""`quandary demo`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from quandary.scoring.summary import SummaryRow

from .output import Progress, table

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
    from quandary.report.story import tell
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
    print(standings(summarise(records)))
    print(
        f"\n{len(records)} matches on seeds {chosen.small[0]} to {chosen.small[-1]}. A score is "
        "the mean over instances, "
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
    print(tell(duel, positions=True, judge=True))
    return 0


def standings(results: list[SummaryRow]) -> str:
    """A row for each puzzle and level, a column for each player."""
    scores = {(row.puzzle, row.level, row.player): row for row in results}
    rows = [
        (puzzle, level, *(_told(scores[puzzle, level, player]) for player in PLAYERS))
        for puzzle, level in _cells(results)
    ]
    return table(("puzzle", "level", *PLAYERS), rows)


def _cells(results: list[SummaryRow]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((row.puzzle, row.level) for row in results))


def _told(row: SummaryRow) -> str:
    return (
        "-"
        if row.score is None
        else f"{row.score:.2f} ({row.low:.2f}-{row.high:.2f}, n={row.matches})"
    )
