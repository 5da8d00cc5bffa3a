"""How many seeds separate two players."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from scipy.stats import t

from quandary.statistics.power import FEWEST
from quandary.statistics.separation import separation


def _separated(differences: list[float]) -> bool:
    count = len(differences)
    return fmean(differences) > t.ppf(0.975, count - 1) * stdev(differences) / sqrt(count)


def test_that_many_seeds_separate_four_times_in_five() -> None:
    """By simulation, with the difference and the deviation known from many instances."""
    rng = Random(1)
    many = [rng.gauss(0.1, 0.4) for _ in range(20_000)]
    seeds = separation(many).seeds
    assert seeds is not None
    share = fmean(_separated(rng.choices(many, k=seeds)) for _ in range(2_000))

    assert share == pytest.approx(0.8, abs=0.04)


def test_what_is_left_open_is_called_open() -> None:
    """No difference, or too few instances to know; and then not fewer seeds than were played."""
    rng = Random(2)
    open_still = separation([rng.gauss(0.0, 0.3) for _ in range(200)])

    assert open_still.seeds is None and open_still.more_than >= 200
    assert (None, FEWEST - 1) == separation([1.0] * (FEWEST - 1))[2:]
    assert FEWEST == separation([1.0] * 30).seeds
