"""Ranks and bands: claims that agree with the order of values, and how often they are wrong."""

from __future__ import annotations

import numpy as np
import pytest

from quandary.statistics.estimates import Flags, Floats
from quandary.statistics.multiplicity import holm
from quandary.statistics.ranking import (
    Ranking,
    bands,
    claims,
    consistent,
    p_of_differences,
    p_of_draws,
    ranking,
)
from quandary.statistics.strata import Strata


def _of_draws(values: Floats, draws: Floats, clusters: int) -> Ranking:
    return ranking(values, p_of_draws(values, draws, clusters))


def test_bands_may_overlap() -> None:
    """Only the first and the last of four can be told apart."""
    better = np.zeros((4, 4), dtype=bool)
    better[0, 3] = True

    assert bands(better, np.array([0, 1, 2, 3])) == ((0, 1, 2), (1, 2, 3))
    apart = np.array([[False, True, False], [False, False, False], [True, True, False]])
    assert bands(apart, np.array([2, 0, 1])) == ((2,), (0,), (1,))


def test_players_who_share_a_band_have_ranks_that_overlap() -> None:
    """In many rankings of players whose differences are known more or less well."""
    rng, apart = np.random.default_rng(5), 0
    for _ in range(300):
        values = rng.normal(0, 1, 6)
        draws = values + rng.normal(0, rng.uniform(0.1, 0.4, 6), (60, 6))
        found = _of_draws(values, draws, clusters=8)
        apart += len(found.bands) > 1
        for band in found.bands:
            assert max(found.low[list(band)]) <= min(found.high[list(band)])

    assert apart > 200


def _kept_by_hand(better: Flags, values: Floats) -> Flags:
    """The definition, pair by pair."""
    every = range(len(values))
    return np.array(
        [
            [
                all(
                    better[above, below]
                    for above in every
                    if values[above] >= values[one]
                    for below in every
                    if values[below] <= values[other]
                )
                for other in every
            ]
            for one in every
        ]
    )


def test_ranks_follow_the_order_of_values() -> None:
    """On random boards, with ties: nobody has a better best or worst rank than who has a higher
    value, bands are runs of neighbours, and no claim is made that the tests alone would not make.
    """
    rng, dropped = np.random.default_rng(2), 0
    for _ in range(400):
        count = int(rng.integers(2, 9))
        values = rng.integers(0, 12, count) / 10
        p = np.triu(rng.random((count, count)) ** 6, 1)
        p = p + p.T + np.eye(count)
        found, claimed = ranking(values, p), claims(values, p)
        kept = consistent(claimed, values)
        dropped += int(claimed.sum() - kept.sum())
        assert (kept == _kept_by_hand(claimed, values)).all()
        assert not (kept & ~claimed).any()
        for ends in (found.low, found.high):
            assert (np.diff(ends[found.order]) >= 0).all()
            assert all(len(set(ends[values == value])) == 1 for value in values)
        place = {int(one): at for at, one in enumerate(found.order)}
        for band in found.bands:
            places = [place[one] for one in band]
            assert places == list(range(places[0], places[-1] + 1))
            assert not kept[np.ix_(band, band)].any()
        assert set().union(*found.bands) == set(range(count))

    assert dropped > 500


def test_claims_are_holms() -> None:
    """All pairs together, and only for the higher value."""
    values = np.array([0.9, 0.5, 0.2])
    p = np.array([[1.0, 0.03, 0.001], [0.03, 1.0, 0.02], [0.001, 0.02, 1.0]])

    assert holm([0.03, 0.001, 0.02]).tolist() == pytest.approx([0.04, 0.003, 0.04])
    assert claims(values, p).tolist() == [[False, True, True], [False, False, True], [False] * 3]
    assert not claims(values, p, confidence=0.97)[0, 1]


def test_few_starts_tell_nobody_apart() -> None:
    """However clear five starts look."""
    draws = np.random.default_rng(1).normal([5, 0], 0.01, (100, 2))
    values = np.array([5.0, 0.0])

    assert _of_draws(values, draws, clusters=5).bands == ((0, 1),)
    assert _of_draws(values, draws, clusters=6).bands == ((0,), (1,))
    for cases, p in ((5.0, 1.0), (6.0, 0.0)):
        one = np.ones(1)
        assert p_of_differences(Strata(one, one * cases, one, one * 0.0)) == p


def test_differences_on_one_level_are_tested_by_students_t() -> None:
    """scipy's, of twelve starts."""
    from scipy.stats import ttest_1samp

    off = np.random.default_rng(3).normal(0.2, 0.3, 12)
    one = np.ones(1)
    found = Strata(one, 12 * one, off.mean() * one, off.var(ddof=1) * one)

    assert float(p_of_differences(found)) == pytest.approx(float(ttest_1samp(off, 0).pvalue))
