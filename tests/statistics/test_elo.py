"""Elo, by hand and over orders."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from quandary.statistics.comparisons import Comparisons, comparisons
from quandary.statistics.elo import elo, elo_over_orders


def _three() -> Comparisons:
    """ann beats bob, bob and cat tie, cat beats ann."""
    return comparisons(["ann", "bob", "cat"], ["bob", "cat", "ann"], [1, 0.5, 1])


def test_a_sequence_by_hand() -> None:
    """K 32, start 1000.

    1. ann - bob 1: expected 0.5, so 1016 and 984.
    2. bob - cat 0.5: expected 1 / (1 + 10 ** (16 / 400)) = 0.476990, so bob 984.7363.
    3. cat - ann 1: cat has 999.2637 and ann 1016; expected 1 / (1 + 10 ** (16.7363 / 400)) =
       0.475932, so cat gains 16.7702.
    """
    assert elo(_three()) == pytest.approx([999.2298, 984.7363, 1016.0339], abs=1e-4)


def test_both_sides_change_by_the_ratings_before() -> None:
    """What one gains the other loses, in every game."""
    rng = np.random.default_rng(3)
    one = rng.integers(4, size=300)
    other = (one + rng.integers(1, 4, size=300)) % 4
    found = elo(
        comparisons([f"p{i}" for i in one], [f"p{i}" for i in other], rng.integers(3, size=300) / 2)
    )

    assert found.sum() == pytest.approx(4_000)


def test_other_parameters() -> None:
    """K and start are arguments."""
    assert elo(comparisons(["a"], ["b"], [1]), k=10, start=1_500) == pytest.approx([1_505, 1_495])


def test_orders_are_averaged() -> None:
    """Over many random orders the mean is that over all six orders."""
    played, every = _three(), []
    for order in permutations(range(3)):
        pick = np.array(order)
        again = Comparisons(
            played.players, played.first[pick], played.second[pick], played.result[pick], pick
        )
        every.append(elo(again))
    found = elo_over_orders(played, np.random.default_rng(1), orders=6_000)

    assert found.in_order == pytest.approx(elo(played))
    assert found.mean == pytest.approx(np.mean(every, axis=0), abs=0.05)
    assert found.deviation == pytest.approx(np.std(every, axis=0), abs=0.03)
    again = elo_over_orders(played, np.random.default_rng(1), orders=6_000)
    assert np.array_equal(found.mean, again.mean)


def test_random_orders_of_a_part_say_the_same() -> None:
    """Elo forgets: of 2,000 comparisons, 300 in each order give the mean and spread of all."""
    rng = np.random.default_rng(4)
    one = rng.integers(3, size=2_000)
    other = (one + rng.integers(1, 3, size=2_000)) % 3
    won = rng.random(2_000) < 1 / (1 + np.exp(other - one))
    played = comparisons([f"p{i}" for i in one], [f"p{i}" for i in other], won)
    whole = elo_over_orders(played, np.random.default_rng(1), orders=400)
    part = elo_over_orders(played, np.random.default_rng(2), orders=400, most=300)

    assert (2_000, 300, 2_000) == (whole.compared, part.compared, part.n)
    assert part.mean == pytest.approx(whole.mean, abs=15)  # of errors of about 3
    assert part.deviation == pytest.approx(whole.deviation, rel=0.25)
    assert np.array_equal(whole.in_order, part.in_order)
