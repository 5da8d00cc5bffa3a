"""Intervals, comparisons and ratings, computed with numpy and scipy (`quandary[report]`).

Nothing here knows a puzzle: functions take arrays and return frozen dataclasses.  Observations made
on the same start share a cluster; labels of clusters may be texts or numbers.  Every function that
draws takes a seeded `numpy.random.Generator`, so equal input gives equal output.

    estimates.py     Estimate: a mean with its interval, and how it was made; Stratum
    clusters.py      Moments: means over starts and how well they are known; short lists of starts
    strata.py        Strata: means over levels with few starts each, and how well they are known
    intervals.py     mean_estimate (Wilson, t or bootstrap by regime), average over puzzles, wilson;
                     pooled_estimate: means over observations, as papers compute them
    ratios.py        ratio_estimate: one mean divided by another (Fieller)
    bootstrap.py     resampling: bca; intervals from draws that reweight clusters
    paired.py        paired: two players on the same starts; tango, mcnemar, sign_flip
    multiplicity.py  holm, benjamini_hochberg: many comparisons at once
    bounds.py        BoundedMean: missing results counted as the worst and as the best
    comparisons.py   Comparisons: who met whom and who won; by_score, is_finite, parts
    elo.py           elo in the order of play; elo_over_orders
    davidson.py      fit: strengths with ties and a seat effect; fit_counts; bootstrap_fits
    ratings.py       ratings: the fit anchored to players, with intervals, ranks and bands
    ranking.py       ranking: intervals of ranks, bands of players that cannot be told apart;
                     p_of_differences, p_of_draws: tests of all pairs
    power.py         what a run could detect, what halving an interval takes
    separation.py    separation: how many seeds tell two players apart
    difficulty.py    difficulty: a logistic curve over levels and where it crosses 50 %

`docs/statistics.md` states how often the intervals cover the true value;
`python -m benchmarks.coverage` writes it.
"""

from importlib.util import find_spec

from quandary.core.errors import UserError

if not all(map(find_spec, ("numpy", "scipy"))):
    raise UserError("statistics need numpy and scipy: pip install 'quandary[report]'.")
