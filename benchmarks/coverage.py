"""`python -m benchmarks.coverage`: how often intervals cover the true value and tests err, by
simulation; written to `docs/statistics.md`.  Words choose regimes, and nothing is written then.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
import scipy

from . import simulated_levels as levels
from . import simulated_means as means
from . import simulated_ratings as rated
from .simulated import SEED, Point, Regime

PAGE = Path(__file__).parent.parent / "docs" / "statistics.md"
MARK = "## How often they are right"  # what follows on the page is written here
TEXT = """
<!-- Written by `make coverage`, as is the rest of this page. -->

For each kind of interval, samples are drawn from players whose true values are known, over a grid
of cases. A 95 % interval should cover the true value in 95 % of samples; the average over the grid
must lie between 93 % and 97 %, and the command fails otherwise. Ranks may do better, and so may
averages and differences over levels with few seeds, where what differs between levels cannot be
told from luck. Tests, and bands of equal players, may err in 5 % of samples (5.5 %, for the luck of
the simulation). A share of 500 samples is itself known to about 2 points (95 %), so the lowest of
many cases is also the unluckiest. Ratings count every player of a tournament.
numpy {numpy}, scipy {scipy}, seed {seed}.

{table}

## Few seeds per level

Averages over levels, as leaderboards have them, where each level has few seeds. The first grid has
nine shapes of scores, with 10 and 40 levels and 1, 2, 3 and 5 seeds: the first {grid} lines. In
each case at least {lowest:.0%} of the intervals must cover the true value. On average over the
grid, the mean width must be at most {width} and the 95th percentile of the widths of a
case at most {wide}.
The lowest share and these two are {first}.

The other grids have other shapes, uneven numbers of seeds, and very few levels; there too, each
case must reach {lowest:.0%}. The constants of the method were chosen on these grids, with other
samples than those of the table. The random designs were drawn afterwards: 1 to 12 puzzles with 1 to
5 levels each, up to 5 or up to 30 seeds, the same for all levels or not, right or wrong or graded.
Of these {designs} designs, the lowest share is {random}.

Levels weigh alike unless said otherwise. Where a cell has several numbers, they are for 1, 2, 3 and
5 seeds.

| scores | levels | covers the true value | mean width | 95th percentile of widths |
|---|---|---|---|---|
{few_seeds}

## Where they are worst

The {worst} cases of each kind that miss the most. Rates near 0 and 1 with few starts are the
hardest: what was never seen says little about how rare it is.

{cases}
"""
COVERED, AT_LEAST, AT_MOST = (0.93, 0.97), (0.93, 1.0), (0.0, 0.055)
TRIALS, OF_SIX, OF_TWENTY = 500, 100, 20  # tournaments have many intervals each
OF_GRID, OF_LEVELS, OF_DESIGN = 40_000, 10_000, 2_000  # computed at once
OF_PAIRS = 200  # of many levels
LOWEST, WIDTH, WIDE = 0.91, 0.21, 0.26  # of averages over levels with few seeds
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
        "Averages, few seeds",
        "nine shapes of scores; 10 and 40 levels with 1, 2, 3 and 5 seeds",
        levels.averages, OF_GRID, COVERED, LOWEST, WIDTH, WIDE,
    ),
    Regime(
        "Averages, few seeds, other shapes",
        "nine other shapes; 10 and 40 levels with 1, 2, 3 and 5 seeds",
        levels.other_averages, OF_LEVELS, AT_LEAST, LOWEST,
    ),
    Regime(
        "Averages, uneven seeds",
        "seven shapes of scores and numbers of seeds; 10 and 40 levels",
        levels.uneven_averages, OF_LEVELS, AT_LEAST, LOWEST,
    ),
    Regime(
        "Averages, few levels",
        "six shapes of scores; 2, 3, 4 and 6 levels with 1, 2, 3 and 5 seeds",
        levels.averages_of_few, OF_LEVELS, AT_LEAST, LOWEST,
    ),
    Regime(
        "Averages, random designs",
        "150 random designs with at least 10 starts",
        levels.random_averages, OF_DESIGN, AT_LEAST,
    ),
    Regime(
        "Differences, few seeds",
        "five mixtures, right or wrong and graded; 3 levels with 2 seeds, 10 with 1, 2 and 5",
        levels.differences, OF_PAIRS, AT_LEAST,
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
        "Equal players told apart on leaderboards",
        "4 and 6 players; four shapes of scores; 1 to 12 levels with 1 to 12 seeds",
        levels.boards, OF_DESIGN, AT_MOST,
    ),
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


def is_kept(regime: Regime, points: Sequence[Point]) -> bool:
    """Whether shares and widths are as promised."""
    low, high = regime.share
    shares = [point.share for point in points]
    widths = [(point.width or 0.0, point.wide or 0.0) for point in points]
    width, wide = (fmean(column) for column in zip(*widths, strict=True))
    return (
        low <= fmean(shares) <= high
        and min(shares) >= regime.lowest
        and width <= regime.width
        and wide <= regime.wide
    )


def few_seeds(found: Mapping[str, Sequence[Point]]) -> dict[str, str]:
    """What the page says about averages over levels with few seeds."""
    first, random = found["Averages, few seeds"], found["Averages, random designs"]
    lines = [
        *levels.tabulated(first),
        *levels.tabulated(found["Averages, few seeds, other shapes"]),
        *levels.tabulated_uneven(found["Averages, uneven seeds"]),
        *levels.tabulated(found["Averages, few levels"]),
    ]
    width = fmean(point.width or 0.0 for point in first)
    wide = fmean(point.wide or 0.0 for point in first)
    return {
        "first": f"{min(point.share for point in first):.1%}, {width:.3f} and {wide:.3f}",
        "random": f"{min(point.share for point in random):.1%}",
        "few_seeds": "\n".join(lines),
        "grid": str(len(levels.tabulated(first))),
    }


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
    found = dict[str, list[Point]]()
    for regime in chosen:
        points = found[regime.title] = list(regime.points(regime.trials))
        table.append(row(regime, points))
        cases += worst(regime, points)
        print("\n".join([table[-1], *worst(regime, points)]), flush=True)
        if not is_kept(regime, points):
            missed.append(regime.title)
    if not sys.argv[1:]:
        write(table, cases, found)
    if missed:
        print(f"not as promised: {', '.join(missed)}", file=sys.stderr)
    return bool(missed)


def write(table: Sequence[str], cases: Sequence[str], found: Mapping[str, Sequence[Point]]) -> None:
    """Write the page, below its methods."""
    text = TEXT.format(
        table="\n".join(table),
        cases="\n".join(cases),
        numpy=np.__version__,
        scipy=scipy.__version__,
        seed=SEED,
        worst=WORST,
        lowest=LOWEST,
        width=WIDTH,
        wide=WIDE,
        designs=levels.DESIGNS,
        **few_seeds(found),
    )
    methods = PAGE.read_text("utf-8").split(MARK)[0]
    PAGE.write_text(f"{methods}{MARK}\n{text}", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
