"""Ratios of paired means: known values, and how often their intervals cover the true value."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from quandary.statistics.ratios import Spread, fieller, ratio_estimate

TRIALS = 600


def test_fiellers_ends_are_where_the_difference_is_just_significant() -> None:
    """At both ends r, above - r * below lies as many standard errors from 0 as was asked."""
    spread = Spread(0.04, 0.01, 0.02)
    ends = fieller(2.0, 1.0, spread, 2.5)

    assert ends is not None and ends[0] < 2.0 < ends[1]
    for r in ends:
        error = sqrt(spread.above - 2 * r * spread.both + r**2 * spread.below)
        assert abs(2.0 - r) == pytest.approx(2.5 * error)


def test_a_ratio_of_independent_starts() -> None:
    """The covariance is that of the two means, however it is computed."""
    above, below = np.array([0.2, 0.5, 0.3, 0.6]), np.array([0.9, 1.2, 0.8, 1.0])
    found = ratio_estimate(above, below)
    spread = np.cov(above, below) / 4
    by_hand = Spread(spread[0, 0], spread[0, 1], spread[1, 1])
    ends = fieller(above.mean(), below.mean(), by_hand, stats.t.ppf(0.975, 3))

    assert found is not None
    assert (found.low, found.high) == pytest.approx(ends)
    assert (found.mean, found.n, found.clusters) == (pytest.approx(1.6 / 3.9), 4, 4)


def test_repeats_of_the_same_tell_nothing_more() -> None:
    """Each start twice with the same numbers is as good as once."""
    above, below = np.array([0.2, 0.5, 0.3, 0.6]), np.array([0.9, 1.2, 0.8, 1.0])
    once = ratio_estimate(above, below)
    twice = ratio_estimate(np.tile(above, 2), np.tile(below, 2), np.tile(np.arange(4), 2))

    assert once is not None and twice is not None
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high))


def test_a_ratio_to_nothing_is_not_given() -> None:
    """Where the second mean may be 0, or where there is one start."""
    assert ratio_estimate([0.1, 0.0, 0.1], [0.2, -0.2, 0.1]) is None
    assert ratio_estimate([0.1], [0.2]) is None


@pytest.mark.parametrize("listed", [None, 8])
def test_ratios_of_paired_means_are_covered(listed: int | None) -> None:
    """Starts are a sample, or a list that was played whole, three times each."""
    rng, count = np.random.default_rng(7), 25 if listed is None else 8
    starts, held = np.repeat(np.arange(count), 3), 0
    places = np.arange(count) / 4 - 1
    truth = 0.6 if listed is None else (0.6 + 0.2 * places).mean() / (1.0 + 0.3 * places).mean()
    for _ in range(TRIALS):
        level = (rng.normal(size=count) if listed is None else places)[starts]
        shared = rng.normal(0, 0.2, len(starts))
        above = 0.6 + 0.2 * level + shared + rng.normal(0, 0.1, len(starts))
        found = ratio_estimate(above, 1.0 + 0.3 * level + shared, starts, listed=listed)
        assert found is not None
        held += found.low <= truth <= found.high

    assert 0.93 <= held / TRIALS <= 0.97
