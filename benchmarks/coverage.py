"""`python -m benchmarks.coverage`: how often intervals hold the truth and tests err, by simulation;
written to `docs/statistics.md`.  Words choose regimes, and nothing is written then.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
import scipy

from . import simulated_means as means
from . import simulated_ratings as rated
from .simulated import SEED, Point, Regime

PAGE = Path(__file__).parent.parent / "docs" / "statistics.md"
MARK = "## How often they are right"  # what follows on the page is written here
TEXT = """
<!-- Written by `make coverage`, as is the rest of this page. -->

For each kind of interval, samples are drawn from players whose true values are known, over a grid
of cases. A 95 % interval should hold the truth in 95 % of samples; the average over the grid must
lie between 93 % and 97 %, and the command fails otherwise. Ranks may do better. Tests, and bands
of equal players, may err in 5 % of samples (5.5 %, for the luck of the simulation). A share of
500 samples is itself known to about 2 points (95 %), so the lowest of many cases is also the
unluckiest. Ratings count every player of a tournament.
numpy {numpy}, scipy {scipy}, seed {seed}.

{table}

## Where they are worst

The {worst} cases of each kind that miss the most. Rates near 0 and 1 with few starts are the
hardest: what was never seen says little about how rare it is.

{cases}
"""
COVERED, AT_LEAST, AT_MOST = (0.93, 0.97), (0.93, 1.0), (0.0, 0.055)
TRIALS, OF_SIX, OF_TWENTY = 500, 100, 20  # tournaments have many intervals each
WORST = 3  # cases that are listed for each regime

REGIMES = (
    Regime("Rates", "10 to 300 starts; rates 0.01 to 0.99; exact", means.rates, 0, COVERED),
    Regime(
        "Rates, starts repeated",
        "10 to 100 starts, 2 or 5 times each; correlation 0 to 0.8; rates 0.02 to 0.98",
        means.clustered_rates, TRIALS, COVERED,
    ),
    Regime(
        "Graded scores",
        "six shapes of scores from 0 to 1; 10 to 300 starts, 1 or 3 times each",
        means.graded, TRIALS, COVERED,
    ),
    Regime(
        "Short lists of starts",
        "all or half of 12 or 40 starts, 2 or 5 times each; right or wrong, and graded",
        means.listed, TRIALS, COVERED,
    ),
    Regime(
        "Averages over puzzles",
        "4 or 12 puzzles with 5 or 20 starts; rates in three ranges",
        means.averages, TRIALS, COVERED,
    ),
    Regime(
        "Paired differences",
        "10 to 300 starts right or wrong, in five mixtures; 10 to 100 starts 3 times each, "
        "right or wrong and graded",
        means.differences, TRIALS, COVERED,
    ),
    Regime(
        "Difficulty at one half",
        "6 levels with 10 or 40 starts; two slopes; one half in the middle and near the end",
        means.curves, TRIALS, COVERED,
    ),
    Regime(
        "Ratings of 6 players",
        "5, 10 or 40 starts from both seats; strengths equal, within 1, within 2; "
        "correlation within starts 0 or 0.5",
        rated.strengths_of_six, OF_SIX, COVERED,
    ),
    Regime(
        "Ratings of 20 players",
        "5 or 20 starts from both seats; strengths and correlation as with 6",
        rated.strengths_of_twenty, OF_TWENTY, COVERED,
    ),
    Regime(
        "Seat effect and ties", "as ratings of 6 players", rated.seats_and_ties, OF_SIX, COVERED
    ),
    Regime("Ranks", "as ratings of 6 players", rated.ranks, OF_SIX, AT_LEAST),
    Regime("Equal players told apart", "as ratings of 6 players", rated.bands, OF_SIX, AT_MOST),
    Regime(
        "Paired tests at 5 %",
        "McNemar and sign flips; 8 to 100 starts; equal players",
        means.sizes, TRIALS, AT_MOST,
    ),
)  # fmt: skip


def row(regime: Regime, points: Sequence[Point]) -> str:
    """The average over the grid, and its lowest and highest case."""
    shares = [point.share for point in points]
    trials = f"{regime.trials:,}" if regime.trials else "exact"
    return (
        f"| {regime.title} | {regime.grid} | {len(points)} | {trials} | {fmean(shares):.1%} | "
        f"{min(shares):.1%} | {max(shares):.1%} |"
    )


def worst(regime: Regime, points: Sequence[Point]) -> list[str]:
    """The cases that miss the most."""
    errs = regime.share == AT_MOST
    ordered = sorted(points, key=lambda point: -point.share if errs else point.share)
    return [f"| {regime.title} | {one.case} | {one.share:.1%} |" for one in ordered[:WORST]]


def main() -> int:
    chosen = [
        regime
        for regime in REGIMES
        if not sys.argv[1:] or any(word in regime.title.lower() for word in sys.argv[1:])
    ]
    table = [
        "| what | grid | cases | trials each | average | lowest | highest |",
        "|---|---|---|---|---|---|---|",
    ]
    cases, missed = ["| what | case | share |", "|---|---|---|"], list[str]()
    for regime in chosen:
        points = list(regime.points(regime.trials))
        table.append(row(regime, points))
        cases += worst(regime, points)
        print("\n".join([table[-1], *worst(regime, points)]), flush=True)
        low, high = regime.share
        if not low <= fmean(point.share for point in points) <= high:
            missed.append(regime.title)
    if not sys.argv[1:]:
        text = TEXT.format(
            table="\n".join(table),
            cases="\n".join(cases),
            numpy=np.__version__,
            scipy=scipy.__version__,
            seed=SEED,
            worst=WORST,
        )
        methods = PAGE.read_text("utf-8").split(MARK)[0]
        PAGE.write_text(f"{methods}{MARK}\n{text}", "utf-8")
    if missed:
        print(f"not as promised: {', '.join(missed)}", file=sys.stderr)
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
