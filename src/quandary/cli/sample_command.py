"""`quandary sample`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quandary.core.errors import UserError
from quandary.renamed import typed_player

from .leaderboard_output import is_available
from .output import json_line


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="the folder of a run")
    parser.add_argument(
        "--n",
        type=int,
        default=100,
        metavar="N",
        help="how many transcripts to write (default: %(default)s)",
    )
    parser.add_argument(
        "--out", required=True, type=Path, metavar="DIR", help="a new folder for the transcripts"
    )
    parser.add_argument(
        "--labels",
        action="append",
        metavar="SET",
        help="puzzleplex (default), puzzleplex_success, finereason_checking, "
        "finereason_transition, logicgame, or a TOML file with your own; may be repeated",
    )
    parser.add_argument(
        "--of",
        choices=["all", "failed", "solved"],
        default="all",
        help="failed: only scores below 1; solved: only scores of 1 (default: all)",
    )
    parser.add_argument(
        "--player",
        type=typed_player,
        action="append",
        default=[],
        metavar="P",
        help="only this player; may be repeated (default: all models)",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="the seed of the random choice (default: %(default)s)",
    )
    parser.add_argument("--blind", action="store_true", help="hide who played")
    parser.add_argument("--json", action="store_true", help="print what was chosen, as JSON lines")


def run(options: Namespace) -> int:
    from quandary.labelling.label_sets import label_sets

    if options.n < 1 or options.seed < 0:
        raise UserError("--n must be 1 or more, and --seed 0 or more.")
    if not is_available():
        raise UserError("samples need numpy, scipy and pyarrow: pip install 'quandary[report]'.")
    from quandary.labelling.labels import LABELS
    from quandary.labelling.sampling import choose
    from quandary.report.labelling import GUIDE, write_sample
    from quandary.report.tables import counted

    sets = label_sets(options.labels or ["puzzleplex"])
    chosen = choose(options.runs, options.n, options.seed, options.of, options.player)
    write_sample(options.runs, chosen, sets, options.out, seed=options.seed, blind=options.blind)
    if options.json:
        json_line({"out": str(options.out), "transcripts": len(chosen), "sets": list(sets)})
        return 0
    fewer = "" if len(chosen) == options.n else " (all that the run has)"
    print(f"{counted(len(chosen), 'transcript')} in {options.out}{fewer}.")
    print(
        f"Read {options.out / GUIDE}, fill in {options.out / LABELS}, then: quandary labels "
        f"{options.out}"
    )
    return 0
