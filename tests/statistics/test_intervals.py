"""Means over starts: known values and edge cases."""

from __future__ import annotations

from math import isnan, sqrt
from statistics import fmean, variance

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtri

from quandary.statistics.bootstrap import bca
from quandary.statistics.clusters import moments
from quandary.statistics.estimates import CONFIDENCE, USUAL_NORMAL, normal
from quandary.statistics.intervals import average, mean_estimate, pooled_estimate, wilson


def _rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("wins", [0, 1, 7, 19, 20])
def test_wilson_is_scipys(wins: int) -> None:
    """scipy's own interval of a rate."""
    theirs = stats.binomtest(wins, 20).proportion_ci(0.95, "wilson")

    assert wilson(wins / 20, 20) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_a_rate_of_independent_starts_is_wilsons() -> None:
    """One observation per start: nothing is clustered, and no variance is estimated."""
    found = mean_estimate([1, 1, 0, 1, 1, 1, 0, 1, 1, 1], rng=_rng())

    assert (found.low, found.high) == pytest.approx(wilson(0.8, 10))
    assert (found.method, found.n, found.clusters) == ("Wilson", 10, 10)


def test_repeats_of_the_same_tell_nothing_more() -> None:
    """Ten starts, each played five times with one result, are ten cases."""
    once = mean_estimate([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], rng=_rng())
    scores = np.repeat([1, 1, 1, 0, 0, 0, 0, 0, 0, 0], 5)
    often = mean_estimate(scores, np.repeat(np.arange(10), 5), rng=_rng())

    assert (often.low, often.high) == pytest.approx((once.low, once.high))
    assert (often.n, often.clusters) == (50, 10)


def test_the_clustered_error_is_larger_by_the_design_effect() -> None:
    """The standard error is that of the means of starts."""
    means = np.array([0.2, 0.9, 0.4, 0.6])
    scores = np.repeat(means, 3) + np.tile([-0.1, 0.0, 0.1], 4)
    found = mean_estimate(scores, np.repeat(list("abcd"), 3), rng=_rng(), bounds=None)

    assert found.error == pytest.approx(means.std(ddof=1) / 2)
    half = stats.t.ppf(0.975, 3) * found.error
    assert (found.low, found.high) == pytest.approx((0.525 - half, 0.525 + half))
    assert (found.method, found.freedom) == ("t", 3)
    bounded = mean_estimate(scores, np.repeat(list("abcd"), 3), rng=_rng())
    assert (bounded.low, bounded.high) == pytest.approx((0.1687, 0.8576), abs=1e-4)


def _variance_of_the_mean(groups: list[list[float]], listed: int | None) -> float:
    """By plain Python: between starts, within starts, or both by the share that was played."""
    centres, count = [fmean(group) for group in groups], len(groups)
    between = variance(centres) / count
    if listed is None:
        return between
    off = [[(one - fmean(group)) ** 2 for one in group] for group in groups]
    pooled = sum(map(sum, off)) / sum(len(group) - 1 for group in groups)
    own = [sum(one) / (len(one) - 1) if len(one) > 1 else pooled for one in off]
    within = sum(each / len(one) for each, one in zip(own, off, strict=True)) / count**2
    share = count / listed
    return (1 - share) * between + share * within


@pytest.mark.parametrize("listed", [None, 4, 8])
def test_moments_by_hand(listed: int | None) -> None:
    """Samples, whole lists and parts of a list, with unequal repeats."""
    groups = [[0.1, 0.4, 0.3], [0.9], [0.5, 0.7], [0.2, 0.2, 0.9, 0.4]]
    starts = np.repeat(np.arange(4), [len(group) for group in groups])
    found = moments(np.concatenate(groups), starts, listed)

    assert found.mean == pytest.approx(fmean(map(fmean, groups)))
    assert found.variance == pytest.approx(_variance_of_the_mean(groups, listed))
    assert (found.freedom, found.within) == (6 if listed == 4 else 3, listed is not None)


@pytest.mark.parametrize("score", [0.0, 0.4, 1.0])
def test_equal_scores_are_not_taken_for_certainty(score: float) -> None:
    """Twelve equal scores: another one may come."""
    found = mean_estimate([score] * 12, rng=_rng())

    assert found.high - found.low > 0.1
    assert found.low <= score <= found.high


def test_a_whole_list_repeated_alike_is_known() -> None:
    """Only with `repeated`, and only if the whole list was played."""
    scores, starts = [1.0, 1.0, 0.0, 0.0], [1, 1, 2, 2]
    known = mean_estimate(scores, starts, rng=_rng(), listed=2, repeated=True)

    assert (known.low, known.high, known.method) == (0.5, 0.5, "known")
    open_ = mean_estimate(scores, starts, rng=_rng(), listed=2)
    assert open_.low < 0.5 < open_.high


def test_one_start_says_nothing_about_others() -> None:
    """A graded score on a single start has no standard error."""
    found = mean_estimate([0.3, 0.5], ["a", "a"], rng=_rng())

    assert isnan(found.error)
    assert found.low < 0.1 and found.high > 0.9


def test_bca_is_scipys() -> None:
    """Up to the raised level, which is small for two hundred values."""
    values = _rng().exponential(size=200)
    low, high = bca(values, _rng(), draws=20_000)
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", random_state=_rng()
    ).confidence_interval

    assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_the_bootstrap_is_reproducible() -> None:
    """Equal seeds give equal intervals; skewed scores a skewed one."""
    scores = _rng().beta(0.3, 2.7, 60)
    one, other = mean_estimate(scores, rng=_rng()), mean_estimate(scores, rng=_rng())

    assert one == other and one.method == "bootstrap"
    assert one.high - one.mean > one.mean - one.low


def test_an_average_over_puzzles_weighs_each_once() -> None:
    """With many starts, its error is that of a sum of independent means."""
    parts = [
        mean_estimate([1, 1, 1, 0] * 100, rng=_rng()),
        mean_estimate([0, 1] * 1_000, rng=_rng()),
    ]
    found = average(parts)

    assert found.mean == pytest.approx(0.625)
    error = sqrt(parts[0].error ** 2 + parts[1].error ** 2) / 2
    assert found.error == pytest.approx(error, rel=0.002)
    assert (found.n, found.clusters) == (2_400, 2_400)
    assert found.low < 0.625 < found.high


def test_an_average_with_single_starts_uses_the_spread_of_puzzles() -> None:
    """As nothing else is known."""
    parts = [mean_estimate([score], rng=_rng()) for score in (0.0, 1.0, 1.0, 1.0)]

    assert average(parts).error == pytest.approx(0.25)


@pytest.mark.parametrize("scores", [[], [0.5, np.nan], [0.5, 1.5]])
def test_impossible_scores_are_refused(scores: list[float]) -> None:
    """None, missing ones, and those out of bounds."""
    with pytest.raises(ValueError, match=r"observation|missing|outside"):
        mean_estimate(scores, rng=_rng())


def test_pooled_means_weigh_observations() -> None:
    """Three observations on one start and one on another: 0.25, not (1/3 + 0) / 2; with as many on
    each start it is the mean over starts with its interval.
    """
    uneven = pooled_estimate([1, 0, 0, 0], [1, 1, 1, 2])
    rates, starts = [1, 1, 0, 0, 1, 0, 1, 1], [1, 1, 2, 2, 3, 3, 4, 4]
    even = pooled_estimate(rates, starts)

    assert uneven.mean == 0.25 and uneven.low < 0.25 < uneven.high
    assert even == mean_estimate(rates, starts, rng=np.random.default_rng(1))
    assert pooled_estimate([0.25, 1.0], [1, 2], weights=[4, 1]).mean == pytest.approx(0.4)


def test_pooled_means_have_the_error_of_a_ratio() -> None:
    """The clustered error of a weighted mean, written down once more; it holds in simulation."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(300):
        sizes = rng.integers(1, 6, size=40)
        starts = np.repeat(np.arange(40), sizes)
        chance = np.repeat(rng.beta(2, 2, size=40), sizes)
        right = (rng.random(len(starts)) < chance).astype(float)
        found = pooled_estimate(right, starts)
        covered += found.low <= 0.5 <= found.high
    off = [float((right[starts == one] - right.mean()).sum()) for one in range(40)]
    error = (sum(one**2 for one in off) * 40 / 39) ** 0.5 / len(right)

    assert found.error == pytest.approx(error)
    assert 0.92 <= covered / 300 <= 0.98


@pytest.mark.parametrize(("seeds", "low"), [(3, 0.4385), (12, 0.7575)])
def test_more_matches_on_the_only_start_of_a_list_shorten_the_interval(
    seeds: int, low: float
) -> None:
    """Wilson's for as many matches as were won, because only luck within the start counts."""
    found = mean_estimate([1.0] * seeds, [0] * seeds, rng=_rng(), listed=1)

    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), 1.0)


def test_the_usual_normal_quantile_is_that_of_scipy() -> None:
    """It is stored, so that it needs no import."""
    assert USUAL_NORMAL == normal(CONFIDENCE) == float(ndtri(0.5 + CONFIDENCE / 2))
    assert normal(0.9) == float(ndtri(0.95))
