"""The average and the best of samples, against brute force and against the truth."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest

from quandary.statistics.intervals import average
from quandary.statistics.samples import Samples, best_of_k

SCORES = [0.5, 0.25, 0.25, 1.0, 0.0, 0.75, 0.5]


@pytest.mark.parametrize("k", range(1, len(SCORES) + 1))
def test_best_of_k_is_the_mean_over_all_subsets(k: int) -> None:
    expected = fmean(map(max, combinations(SCORES, k)))
    assert expected == pytest.approx(best_of_k(SCORES, k), abs=1e-12)
    level = np.array(SCORES)[:, None] + np.zeros(4)
    assert expected == pytest.approx(Samples((level,)).best_of(k).mean, abs=1e-12)


def test_the_best_of_one_is_the_average_and_that_of_all_the_maximum() -> None:
    assert fmean(SCORES) == pytest.approx(best_of_k(SCORES, 1))
    assert 1.0 == best_of_k(SCORES, len(SCORES))


@pytest.mark.parametrize("k", [0, 8])
def test_no_more_can_be_chosen_than_there_are(k: int) -> None:
    with pytest.raises(ValueError, match="cannot be taken of 7 samples"):
        best_of_k(SCORES, k)


def test_many_samples_give_no_overflow() -> None:
    scores = np.arange(2_000) / 2_000
    assert fmean(scores) < best_of_k(scores, 1_000) < 1.0


def test_levels_have_the_same_weight_however_many_starts_they_have() -> None:
    samples = Samples((np.array([[1.0], [0.0]]), np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0]])))
    assert [0.5, pytest.approx(1 / 3)] == samples.scores.tolist()
    assert 0.5 == samples.best()


def test_what_is_chosen_on_one_half_is_scored_on_the_other() -> None:
    """The first sample is best on the first half, the second on the other one."""
    level = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.5]])
    half = np.array([True, True, False, False])
    found = Samples((level,)).chosen_on_other_half([half])
    assert found is not None
    assert 0.0 == found.mean
    assert 0.5 < Samples((level,)).average().high


def test_of_several_best_samples_the_mean_counts() -> None:
    level = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    found = Samples((level,)).chosen_on_other_half([np.array([True, False])])
    assert found is not None
    # Chosen by the first start: 1 and 0 on the other one; by the second: 1 and 0 on the first.
    assert 0.5 == found.mean


def test_a_level_with_one_start_cannot_be_halved() -> None:
    one, two = np.ones((3, 1)), np.ones((3, 2))
    halves = [np.array([True]), np.array([True, False])]
    assert Samples((one, two)).chosen_on_other_half(halves) is None


def test_a_single_sample_tells_little_of_others() -> None:
    found = Samples((np.ones((1, 50)),)).average()
    assert (1.0, 1.0) == (found.mean, found.high)
    assert found.low < 0.3


def test_scores_of_zero_leave_room_for_better_samples() -> None:
    found = Samples((np.zeros((8, 20)),)).average()
    assert (0.0, 0.0) == (found.mean, found.low)
    assert 0.1 < found.high < 0.4


def test_intervals_hold_the_truth() -> None:
    """Of scores that depend on the sample, the start, and both, over two puzzles of two levels."""
    rng, held, draws = np.random.default_rng(7), 0, 300
    for _ in range(draws):
        parts = []
        for _ in range(2):
            sample = rng.uniform(-0.2, 0.2, (12, 1))
            levels = [
                0.5 + sample + rng.uniform(-0.15, 0.15, (1, 8)) + rng.uniform(-0.1, 0.1, (12, 8))
                for _ in range(2)
            ]
            parts.append(Samples(tuple(levels)).average())
        found = average(parts)
        held += found.low <= 0.5 <= found.high
    assert 0.93 <= held / draws <= 0.99


def test_starts_alone_would_be_too_sure() -> None:
    """More starts do not tell what other samples would be like."""
    rng = np.random.default_rng(1)
    sample = rng.uniform(0.2, 0.8, (6, 1))
    few, many = (Samples((sample + rng.uniform(-0.1, 0.1, (6, n)),)) for n in (10, 1_000))
    assert many.average().half > 0.8 * few.average().half > 0.1
