"""`quandary compare`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from quandary.core.errors import UserError
from quandary.renamed import typed_player

from .leaderboard_output import is_available
from .output import json_line

if TYPE_CHECKING:
    from quandary.scoring.score_table import ScoreTable


def arguments(parser: ArgumentParser) -> None:
    for label in "AB":
        parser.add_argument(
            f"run_{label.lower()}",
            type=Path,
            metavar=f"RUN_{label}",
            help="the folder of a run; both may be the same, for two of its players",
        )
    for label in "AB":
        parser.add_argument(
            f"--player-{label.lower()}",
            type=typed_player,
            metavar="P",
            help=f"which player of RUN_{label}, if it has several",
        )
    parser.add_argument(
        "--disagreements",
        type=int,
        default=20,
        metavar="N",
        help=(
            "list up to N instances where only A scores 1, and up to N where only B does (default: "
            "%(default)s)"
        ),
    )
    parser.add_argument(
        "--json", action="store_true", help=("print the verdict and tables as JSON lines")
    )


def run(options: Namespace) -> int:
    from quandary.report.formats import shown, text
    from quandary.results.level_scores import WEIGHTS
    from quandary.scoring.score_table import plain

    if not is_available():
        raise UserError(
            "comparisons need numpy, scipy and pyarrow: pip install 'quandary[report]'."
        )
    from quandary.comparing.comparison import compare

    if options.disagreements < 0:
        raise UserError("--disagreements must be 0 or more.")
    found = compare(
        options.run_a,
        options.run_b,
        player_a=options.player_a,
        player_b=options.player_b,
        disagreements=options.disagreements,
    )
    names = {
        "a": (found.a.player, options.run_a, found.scores[0]),
        "b": (found.b.player, options.run_b, found.scores[1]),
    }
    if options.json:
        sides = {
            label: {"player": player, "run": str(path), "score": plain(score)}
            for label, (player, path, score) in names.items()
        }
        json_line({"verdict": found.verdict, **sides, "notes": list(found.notes)})
        for table in found.tables:
            json_line(table.plain())
        return 0
    for label, (player, path, score) in names.items():
        print(f"{label.upper()}: {player} in {path}, score {shown(score)}")
    print(f"score: {WEIGHTS}, over all results; the other numbers are on shared results.")
    print(f"\n{found.verdict}")
    for note in found.notes:
        print(note)
    *tables, disagreements = found.tables
    for table in tables:
        print(f"\n{text(table)}")
    show_disagreements(disagreements)
    return 0


def show_disagreements(found: ScoreTable) -> None:
    """Print the disagreements, with commands that can be copied."""
    print(f"\n{found.title}: {' '.join(found.notes)}")
    for row in found.plain()["rows"]:
        met = f" against {row['opponents']} (seat {row['seat']})" if row["opponents"] else ""
        again = f", repeat {row['repeat']}" if row["repeat"] else ""
        print(f"\n{row['instance']}{met}{again}: A {row['A']:g}, B {row['B']:g}")
        print(f"  {row['replay A']}\n  {row['replay B']}")
