"""`quandary demo`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from .leaderboard_output import is_available, level_scores
from .progress import Progress

if TYPE_CHECKING:
    from quandary.matches.record import Record

PLAYERS = ("random", "house", "oracle")
SUITE = """
[[puzzles]]
puzzle = "sudoku"
levels = ["easy"]
seeds = "1-10"

[[puzzles]]
puzzle = "tidy_tower"
levels = ["easy"]
seeds = "1-10"

[[puzzles]]
puzzle = "optimal_touring"
levels = ["easy"]
seeds = "1-10"

[[puzzles]]
puzzle = "card_nim"
levels = ["normal"]
seeds = "1-10"

[[puzzles]]
puzzle = "sudokill"
levels = ["easy"]
seeds = "1-10"
"""
DRAWN = "sudokill", ("random", "oracle")  # the match that is drawn: puzzle and players
NEXT = """\
What to try next:

  quandary play sudoku                  play yourself; /help says what to type
  quandary list                         all puzzles; --suites: the benchmarks
  quandary show sudokill/easy#1 --draw  the rules and position of one instance
  quandary models                       the language models that can play
  quandary run --suite quick --player oracle --player random --out runs/first
  quandary report runs/first --out reports/first
  quandary replay runs/first --match 1 --judge"""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="the folder for the records and the report (default: a temporary one)",
    )


def run(options: Namespace) -> int:
    return show(options.out or Path(mkdtemp(prefix="quandary-demo-")))


def show(folder: Path) -> int:
    from quandary.arena import suite
    from quandary.arena.run import run as run_suite
    from quandary.matches.record import replay
    from quandary.players.registry import PlayerRegistry
    from quandary.report.results import standings
    from quandary.results.run_columns import PlayedRun, RunColumns

    chosen, columns = suite.read("demo", SUITE), RunColumns()
    print(
        f"Three players meet {len(chosen.specs)} instances: random draws any legal move, house is\n"
        "the opponent of a newcomer, oracle is the strongest player of each puzzle.\n"
    )
    with Progress("matches played") as tell:
        records = run_suite(
            chosen, PLAYERS, folder, PlayerRegistry(), tell, collector=columns
        ).records
    print(standings(level_scores(PlayedRun(folder, columns, ())), PLAYERS))
    for record in records:
        replay(record)
    interval = "with its 95 % interval"
    if not is_available():
        interval = "without its interval: pip install 'quandary[report]'"
    print(
        f"\nScores from 0 to 1: the mean over the starts of n matches on seeds 1 to 10,\n"
        f"{interval}.\nIn two-player games, every pair plays from both seats.\n"
        f"All {len(records)} records replay to these scores.\n"
    )
    puzzle, players = DRAWN
    drawn = [r for r in records if r.name.startswith(puzzle) and r.players == players]
    draw(max(drawn, key=_given_away))
    print(f"\n{report_on(folder)}\n\n{NEXT}")
    return 0


def report_on(folder: Path) -> str:
    """Writes a report on the run; says where it is, or what to install."""
    from quandary.core.errors import UserError
    from quandary.report.write import write_report

    try:
        page = write_report([folder], folder / "report").page
    except UserError as reason:
        return f"The same as a page, with figures:\n{reason}\nThe records are in {folder}."
    return f"The same as a page, with figures and all matches; open it in a browser:\n{page}"


def _given_away(record: Record) -> float:
    """Return how much the moves of a match lost: the more, the more there is to see."""
    from quandary.matches.regret import regrets

    return sum(judged.regret for judged in regrets(record) if judged)


def draw(record: Record) -> None:
    """The moves of a match, and its last position drawn."""
    from quandary.matches.record import replay
    from quandary.players.human import drawing
    from quandary.render.screen import colourful
    from quandary.report.transcript import transcript

    print("One of them, with the worth of each position and what each move lost of it:\n")
    print(f"{transcript(record, judge=True)}\n\nThe last position:\n")
    print(drawing(replay(record)[-1], 0, "en", colourful()))
