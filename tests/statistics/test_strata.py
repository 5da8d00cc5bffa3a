"""Averages over levels with few seeds: worked cases, a second working, and limits."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

from quandary.statistics.estimates import Estimate
from quandary.statistics.intervals import average, mean_estimate, part_estimate, wilson
from quandary.statistics.strata import strata_of


def _level(*scores: float) -> Estimate:
    return part_estimate(scores)


def test_one_level_that_disagrees_does_not_stand_for_all() -> None:
    """Ten levels with two seeds each, 19 of 20 right: the interval is that of 19 of 20."""
    found = average([*[_level(1, 1)] * 9, _level(1, 0)])

    assert (found.low, found.high) == pytest.approx(wilson(0.95, 20))
    assert (round(found.low, 3), round(found.high, 3)) == (0.764, 0.991)


def test_runs_with_one_seed_per_level_have_intervals_of_similar_length() -> None:
    """40 levels of which two to four are right: widths grow with the number, by less than half."""
    widths = []
    for right in (2, 3, 4):
        found = average([_level(float(at < right)) for at in range(40)])
        widths.append(found.high - found.low)

    assert widths == sorted(widths) and widths[-1] < 1.5 * widths[0]


@pytest.mark.parametrize(("puzzles", "levels", "seeds"), [(7, 1, 1), (7, 3, 2), (11, 3, 1)])
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_rounding_carries_no_end_beyond_the_mean_or_the_bounds(
    puzzles: int, levels: int, seeds: int, score: float
) -> None:
    own = average([average([_level(*[score] * seeds)] * levels)] * puzzles)

    assert 0.0 <= own.low <= own.mean <= own.high <= 1.0


def _by_hand(levels: list[tuple[float, list[float]]]) -> tuple[float, float, float]:
    """The variance of the mean, its degrees of freedom and Wilson's cases, in plain Python, step by
    step as the page has them.
    """
    weights = [weight for weight, _ in levels]
    n = [len(scores) for _, scores in levels]
    m = [sum(scores) / len(scores) for _, scores in levels]
    own = [
        sum((score - mean) ** 2 for score in scores) / max(len(scores) - 1, 1)
        for (_, scores), mean in zip(levels, m, strict=True)
    ]
    every = range(len(levels))
    mean = sum(weights[i] * m[i] for i in every)
    alike = 1 / sum(weights[i] ** 2 / n[i] for i in every)
    spread = sum(
        weight / len(scores) * (score - mean) ** 2 for weight, scores in levels for score in scores
    )
    spread *= alike / (alike - 1)
    seen = [own[i] if n[i] > 1 else (m[i] - mean) ** 2 * alike / (alike - 1) for i in every]
    counts = [weights[i] ** 2 / n[i] ** 2 for i in every]
    parts = [counts[i] * seen[i] for i in every]
    squares = sum(parts[i] ** 2 / max(n[i] - 1, 1) for i in every)
    freedom = sum(parts) ** 2 / squares if squares else 0.0
    pooled = (freedom * sum(parts) / sum(counts) + 2 * spread) / (freedom + 2)
    added = [weights[i] ** 2 / n[i] ** 2 * ((n[i] - 1) * own[i] + pooled) for i in every]
    known = 1 / alike**2 / sum((weights[i] ** 2 / n[i]) ** 2 / max(n[i] - 1, 1) for i in every)
    least = sum(weights[i] * seen[i] for i in every) / alike * 100 / (100 + known)
    variance = max(sum(added), least)
    freedom = known
    if sum(added) > 1e-12:
        freedom = sum(added) ** 2 / sum(added[i] ** 2 / n[i] for i in every)
    cases = alike
    if variance > 1e-12:
        trust = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, freedom)) ** 2
        cases = mean * (1 - mean) / variance * trust
    fewest = sqrt(alike * min(n[i] / weights[i] for i in every))
    return variance, freedom, max(min(cases, alike * max(1, known / 4)), fewest)


def test_an_average_is_that_of_a_second_working() -> None:
    """Random levels in random puzzles, right or wrong and graded, with one to six starts."""
    rng = np.random.default_rng(8)
    for trial in range(60):
        puzzles, levels = list[Estimate](), list[tuple[float, list[float]]]()
        sizes = rng.integers(1, 4, int(rng.integers(2, 6)))
        for size in sizes:
            starts = rng.integers(1, 7, size)
            chance = rng.beta(0.5, 0.5, size)
            scores = [
                (rng.random(n) < p if trial % 2 else rng.beta(2 * p + 0.1, 2.1 - 2 * p, n)) * 1.0
                for n, p in zip(starts, chance, strict=True)
            ]
            levels += [(1 / len(sizes) / size, each.tolist()) for each in scores]
            parts = [part_estimate(each) for each in scores]
            puzzles.append(average(parts) if size > 1 else parts[0])
        found = average(puzzles)
        variance, freedom, cases = _by_hand(levels)

        assert found.error**2 == pytest.approx(variance, abs=1e-15)
        assert found.freedom == pytest.approx(freedom)
        assert (found.low, found.high) == pytest.approx(wilson(found.mean, cases), abs=1e-9)


def test_an_average_of_averages_is_the_average_by_weight() -> None:
    """Two levels of one puzzle and one of another: weights 1/4, 1/4 and 1/2."""
    one, two, three = _level(1, 0, 1), _level(0, 0), _level(1, 1, 0, 1)
    found = average([average([one, two]), three])

    assert [stratum.weight for stratum in found.strata] == [0.25, 0.25, 0.5]
    assert found.mean == pytest.approx((1 / 3 + 0.75) / 2)
    assert found.clusters == 9


def test_starts_of_a_short_list_are_strata_of_their_playings() -> None:
    """A list of two starts that was played whole, twice each, is like two levels with two seeds."""
    scores, starts = [1.0, 1.0, 0.0, 1.0], [0, 0, 1, 1]
    listed = part_estimate(scores, starts, listed=2)
    other = _level(1, 0, 1, 1)

    ours = average([listed, other])
    theirs = average([average([_level(1, 1), _level(0, 1)]), other])
    assert (ours.low, ours.high, ours.error) == pytest.approx(
        (theirs.low, theirs.high, theirs.error)
    )
    sampled = average([part_estimate(scores, starts), other])
    assert sampled.high - sampled.low > ours.high - ours.low


def test_a_level_that_is_known_has_no_luck() -> None:
    """Its list was played whole, always alike: only the rest varies, with half of the weight."""
    known = part_estimate([1.0, 1.0, 0.0, 0.0], [0, 0, 1, 1], listed=2, repeated=True)
    other = [_level(1, 0, 1), _level(1, 1, 1)]
    found, rest = average([known, average(other)]), average(other)

    assert known.strata == ()
    assert (found.low, found.high) == pytest.approx((0.25 + rest.low / 2, 0.25 + rest.high / 2))
    assert found.error == pytest.approx(rest.error / 2)
    both = average([known, known])
    assert (both.low, both.high, both.method, both.error) == (0.5, 0.5, "known", 0.0)


@pytest.mark.parametrize("score", [0.0, 0.3, 1.0])
def test_scores_that_are_all_equal_count_as_they_are(score: float) -> None:
    """Four levels with three seeds: Wilson's interval for twelve."""
    found = average([_level(score, score, score)] * 4)

    assert (found.low, found.high) == pytest.approx(wilson(score, 12))
    assert found.error == pytest.approx(0.0, abs=1e-9)


def test_many_graded_scores_are_as_well_known_as_their_error_says() -> None:
    """Two levels of 2,000 close scores each: nothing is added for what was not seen."""
    rng = np.random.default_rng(4)
    parts = [part_estimate(rng.normal(centre, 0.02, 2_000).clip(0, 1)) for centre in (0.3, 0.6)]
    found = average(parts)

    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.02 / sqrt(4_000), rel=0.05)


def test_a_rare_failure_does_not_make_other_levels_safe() -> None:
    """A level with 6 starts and one with 60, of which one failed: not a shorter interval than if
    none had.
    """
    none = average([_level(*[1] * 6), _level(*[1] * 60)])
    one = average([_level(*[1] * 6), _level(*[1] * 59, 0)])

    assert one.high - one.low > none.high - none.low


def test_without_bounds_the_interval_is_students() -> None:
    """Raw values: as wide as their variance and its degrees of freedom say."""
    parts = [part_estimate(values) for values in ([10.0, 14.0, 11.0], [30.0, 36.0])]
    found = average(parts, bounds=None)

    half = stats.t.ppf(0.975, found.freedom) * found.error
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half))
    assert found.method == "t"


def test_formulas_work_on_many_means_at_once() -> None:
    """Arrays of means and variances give what each row gives alone."""
    rng = np.random.default_rng(6)
    rows = [[part_estimate(rng.random(n)) for n in (1, 2, 5)] for _ in range(4)]
    alone = [strata_of(average(parts).strata) for parts in rows]
    stacked: dict[str, Any] = {
        name: np.stack([getattr(one, name) for one in alone])
        for name in ("cases", "means", "variances")
    }
    together = type(alone[0])(alone[0].weights, **stacked)

    for name in ("mean", "variance", "freedom", "equivalent_cases", "fewest"):
        assert getattr(together, name) == pytest.approx(
            [float(getattr(one, name)) for one in alone]
        )
    equivalent = together.equivalent(0.25, 0.95)
    assert equivalent == pytest.approx([float(one.equivalent(0.25, 0.95)) for one in alone])
    assert (equivalent < inf).all()


def test_a_single_level_is_not_pooled() -> None:
    """An average of one part has the interval of its starts; `mean_estimate` is close to it."""
    rng = np.random.default_rng(1)
    scores = [1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0]
    one, same = average([_level(*scores)]), mean_estimate(scores, rng=rng)

    assert (one.low, one.high) == pytest.approx((same.low, same.high))
