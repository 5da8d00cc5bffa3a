"""Planning and difficulty curves."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
from scipy.special import expit

from quandary.statistics.difficulty import difficulty
from quandary.statistics.power import (
    Components,
    detectable,
    deviation_of_differences,
    halving,
)


def test_starts_needed_for_three_points() -> None:
    """Rates of one half, 80 % of the time: about 4,360, and half of that at a correlation of 1/2.

    The figures are those of the normal approximation; Student's t needs a few starts more.
    """
    unpaired = deviation_of_differences(0.5, 0.5)
    halved = deviation_of_differences(0.5, 0.5, 0.5)

    assert detectable(4_361 + 5, unpaired) <= 0.03 < detectable(4_361 - 5, unpaired)
    assert detectable(2_180 + 5, halved) <= 0.03 < detectable(2_180 - 5, halved)


def test_the_power_is_what_it_says() -> None:
    """Differences as large as stated are significant 4 times in 5."""
    rng, count = np.random.default_rng(1), 25
    off = rng.normal(detectable(count, 0.4), 0.4, (4_000, count))
    t = off.mean(axis=1) / off.std(axis=1, ddof=1) * sqrt(count)

    assert 0.77 <= (t > 2.064).mean() <= 0.83


def test_too_few_starts_detect_nothing() -> None:
    """Five starts are no evidence, however large the difference; six are."""
    assert detectable(5, 0.1) == inf
    assert detectable(6, 0.1) < 10.0


def test_what_halving_takes() -> None:
    """Four times the starts always; repeats only where luck is most of it."""
    assert halving(50, 1, Components(0.2, 0.05), 2.0).starts == 200
    assert halving(50, 1, Components(0.2, 0.05), 2.0).repeats is None
    assert halving(50, 1, Components(0.2, 0.05), 2.0).cost == 6.0
    luck = halving(50, 2, Components(0.0, 0.2), 2.0)
    assert (luck.repeats, luck.cost) == (8, 6.0)
    mixed = halving(50, 1, Components(0.01, 0.2), 2.0)
    assert mixed.repeats == 5 and Components(0.01, 0.2).of_mean(5) <= 0.21 / 4


def test_the_curve_is_found() -> None:
    """Scores drawn from a known curve: one half at 6."""
    rng = np.random.default_rng(1)
    x = np.repeat(np.arange(3, 10), 200)
    found = difficulty(x, rng.random(len(x)) < expit(0.9 * (6 - x)))

    assert found.half == pytest.approx(6, abs=0.25)
    assert found.low < 6 < found.high < found.low + 0.6
    assert found.slope == pytest.approx(-0.9, abs=0.12)
    assert found.inside and found.at(found.half) == pytest.approx(0.5)


def test_perfect_and_flat_scores() -> None:
    """The fit exists where levels are all won or lost; a flat curve crosses anywhere."""
    x = np.repeat([1, 2, 3, 4], 10)
    split = difficulty(x, x < 3)
    assert 2 < split.half < 3 and np.isfinite(split.slope)
    flat = difficulty(x, np.tile([0.4, 0.8], 20))
    assert (flat.low, flat.high) == (-inf, inf)
    solved = difficulty(x, np.ones(40))
    assert not solved.inside and solved.at(4) > 0.9


@pytest.mark.parametrize(("x", "scores"), [([1, 1], [0, 1]), ([1], [0, 1]), ([1, 2], [0, 1])])
def test_too_little_for_a_curve(x: list[float], scores: list[float]) -> None:
    """One difficulty, missing ones, two starts."""
    with pytest.raises(ValueError, match=r"difficult|three"):
        difficulty(x, scores)
