"""Comparisons on shared starts."""

from __future__ import annotations

from itertools import product
from math import isnan

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

from quandary.statistics.intervals import average
from quandary.statistics.multiplicity import benjamini_hochberg, holm
from quandary.statistics.paired import (
    mcnemar,
    paired,
    paired_difference,
    sign_flip,
    tango,
    with_tangos_interval,
)


def _rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize(("ahead", "behind"), [(0, 0), (5, 0), (6, 0), (3, 9), (40, 22)])
def test_mcnemar_is_the_exact_binomial_test(ahead: int, behind: int) -> None:
    """scipy's binomial test of the starts that only one of the two won."""
    theirs = stats.binomtest(ahead, ahead + behind).pvalue if ahead + behind else 1.0

    assert mcnemar(ahead, behind) == pytest.approx(theirs)


def test_sign_flips_of_few_starts_are_all_tried() -> None:
    """By hand: of the 16 choices, those at least as far from 0."""
    differences = np.array([0.5, 0.25, -0.25, 0.75])
    sums = [abs(np.dot(signs, differences)) for signs in product((-1, 1), repeat=4)]

    assert sign_flip(differences, _rng()) == np.mean(np.array(sums) >= 1.25)
    assert sign_flip(np.append(differences, [0.0] * 50), _rng()) == sign_flip(differences, _rng())
    assert sign_flip(np.zeros(9), _rng()) == 1.0


def test_drawn_sign_flips_agree_with_the_t_test() -> None:
    """Two hundred normal differences."""
    differences = np.random.default_rng(5).normal(0.13, 1, 200)
    theirs = stats.ttest_1samp(differences, 0).pvalue

    assert sign_flip(differences, _rng()) == pytest.approx(theirs, abs=0.01)
    assert sign_flip(differences + 1, _rng()) == pytest.approx(1 / 10_001)


def test_right_or_wrong_once_is_mcnemar() -> None:
    """12 starts for the one, 2 for the other, 36 alike; Tango's interval."""
    one = [1] * 12 + [0] * 2 + [1] * 20 + [0] * 16
    other = [0] * 12 + [1] * 2 + [1] * 20 + [0] * 16
    found = paired(one, other, rng=_rng())

    assert (found.ahead, found.behind, found.equal, found.test) == (12, 2, 36, "McNemar")
    assert found.p == mcnemar(12, 2)
    assert found.difference.mean == pytest.approx(0.2)
    assert (found.difference.low, found.difference.high) == tango(12, 2, 50)
    assert found.difference.method == "Tango"


def _score(ahead: int, behind: int, n: int, difference: float) -> float:
    """The squared score statistic of a difference, with the likelihood maximised by search."""

    def loss(chance: float) -> float:
        cells = np.array([chance + difference, chance, 1 - difference - 2 * chance])
        counts = np.array([ahead, behind, n - ahead - behind])
        return -float((counts * np.log(np.maximum(cells, 1e-300))).sum())

    ends = (max(0.0, -difference) + 1e-12, (1 - difference) / 2 - 1e-12)
    chance = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    return (ahead - behind - n * difference) ** 2 / (n * (2 * chance + difference - difference**2))


@pytest.mark.parametrize(
    ("ahead", "behind", "n"), [(12, 2, 50), (3, 1, 10), (1, 8, 9), (5, 5, 200)]
)
def test_tangos_interval_ends_where_the_score_test_rejects(ahead: int, behind: int, n: int) -> None:
    """By definition; the constrained likelihood is maximised by a search."""
    for end in tango(ahead, behind, n):
        assert _score(ahead, behind, n, end) == pytest.approx(1.959964**2, rel=1e-3)


def test_tangos_interval_at_the_bounds() -> None:
    """Nothing told apart: z^2 / (n + z^2) to both sides; one won all: up to the bound."""
    assert tango(0, 0, 20) == pytest.approx((-0.16113, 0.16113), abs=1e-5)
    assert tango(20, 0, 20)[1] == 1.0 and tango(0, 20, 20)[0] == -1.0
    assert tango(20, 0, 20)[0] == pytest.approx(-tango(0, 20, 20)[1])


def test_players_alike_on_all_starts_may_still_differ() -> None:
    """Twenty equal pairs leave differences of some size open, the same to both sides."""
    found = paired([1] * 15 + [0] * 5, [1] * 15 + [0] * 5, rng=_rng())

    assert found.p == 1.0 and found.correlation == pytest.approx(1.0)
    assert found.difference.low == pytest.approx(-found.difference.high)
    assert 0.05 < found.difference.high < 0.3


def test_repeats_count_by_start() -> None:
    """Graded scores, three on each start: signs are flipped by start."""
    rng = _rng()
    hard = np.repeat(rng.random(40) / 2, 3)
    one, other = hard + 0.3 * rng.random(120) + 0.05, hard + 0.3 * rng.random(120)
    found = paired(one, other, np.repeat(np.arange(40), 3), rng=rng)

    assert found.test == "sign flips"
    assert (found.difference.clusters, found.difference.n) == (40, 120)
    assert found.correlation > 0.5
    assert found.difference.low < 0.05 < found.difference.high
    apart = np.concatenate([one, -other])
    assert found.difference.error < apart.std() / np.sqrt(40)


def test_no_correlation_without_variation() -> None:
    """A player who wins everything is correlated with nothing."""
    assert isnan(paired([1, 1, 1, 1], [0, 1, 0, 1], rng=_rng()).correlation)


def test_pairs_must_be_pairs() -> None:
    """Scores on different starts cannot be paired."""
    with pytest.raises(ValueError, match="paired"):
        paired([1, 0], [1, 0, 1], rng=_rng())


def test_holm_by_hand() -> None:
    """4 x 0.01, 3 x 0.02, then no smaller than before, at most 1."""
    assert holm([0.02, 0.01, 0.9, 0.03]) == pytest.approx([0.06, 0.04, 0.9, 0.06])
    assert holm([0.6, 0.7]) == pytest.approx([1.0, 1.0])
    assert len(holm([])) == len(benjamini_hochberg([])) == 0


def test_benjamini_hochberg_by_hand() -> None:
    """p n / rank, and no larger than that of a larger p."""
    found = benjamini_hochberg([0.01, 0.04, 0.03, 0.2])

    assert found == pytest.approx([0.04, 0.04 * 4 / 3, 0.04 * 4 / 3, 0.2])


@pytest.mark.parametrize("p", [[0.1, 1.2], [-0.1], [np.nan]])
def test_what_is_no_p_value_is_refused(p: list[float]) -> None:
    """Beyond 0..1."""
    with pytest.raises(ValueError, match="from 0 to 1"):
        holm(p)


def test_many_flips_are_normal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond 2,000 starts p is that of the normal distribution, which drawn flips agree with."""
    rng = np.random.default_rng(2)
    differences = rng.normal(0.02, 0.5, size=2_500)
    normal = sign_flip(differences, rng)
    monkeypatch.setattr("quandary.statistics.paired.NORMAL_FLIPS", 10_000)

    assert normal == pytest.approx(sign_flip(differences, rng, flips=2_000), abs=0.04)


def test_repeats_of_the_same_leave_tangos_interval() -> None:
    """Five starts, each played twice with one result, are five starts."""
    one, other = [1, 1, 1, 1, 0], [0, 0, 0, 0, 0]
    once = paired(one, other, rng=_rng()).difference
    twice = paired(np.repeat(one, 2), np.repeat(other, 2), np.repeat(np.arange(5), 2), rng=_rng())

    assert twice.difference.method == "Tango"
    assert (twice.difference.low, twice.difference.high) == pytest.approx((once.low, once.high))


def test_averages_of_differences_know_that_one_is_never_behind() -> None:
    """Ten levels with two starts: ahead on 10 of 20 and behind on none, or ahead on 15 and behind
    on 5.  The mean is the same, and the second is less certain.
    """
    found = []
    for levels in ([[1, 0]] * 10, [[1, 1]] * 5 + [[1, -1]] * 5):
        pairs = [(np.maximum(level, 0), np.maximum(np.negative(level), 0)) for level in levels]
        parts = [paired(one, other, rng=_rng()).difference for one, other in pairs]
        signed = np.concatenate(levels) / 20
        found.append(with_tangos_interval(average(parts, bounds=None), signed))

    assert [one.mean for one in found] == pytest.approx([0.5, 0.5])
    assert (found[0].low, found[0].high) == pytest.approx(tango(10, 0, 20))
    assert found[1].low < found[0].low - 0.02 and found[1].high > found[0].high
    assert {one.method for one in found} == {"Tango"}


def test_a_graded_difference_on_one_start_leaves_everything_open() -> None:
    """It says nothing about other starts."""
    found = paired([0.7, 0.5], [0.2, 0.1], [1, 1], rng=_rng()).difference

    assert (found.low, found.high) == (-1.0, 1.0)


@pytest.mark.parametrize("scores", [(0.0, 1.0), (0.0, 0.25, 1.0)])
def test_the_difference_alone_is_that_of_the_comparison(scores: tuple[float, ...]) -> None:
    draw = np.random.default_rng(3)
    one, other = draw.choice(scores, (2, 60))
    for starts in (None, np.arange(60) // 2, np.arange(60) // 10):
        whole = paired(one, other, starts, rng=np.random.default_rng(1))
        assert whole.difference == paired_difference(
            one, other, starts, rng=np.random.default_rng(1)
        )
    with pytest.raises(ValueError, match="cannot be paired"):
        paired_difference(one, other[1:], rng=draw)
