"""PuzzlePlex's instances of larger target."""

from __future__ import annotations

from statistics import fmean

import pytest

from quandary.papers.puzzleplex.seeds.larger_target import instance


def test_easy_1() -> None:
    """Three bags, in the order their coins come out."""
    assert ((2, 5, 2, 8, 8, 8, 7, 4, 2, 8), (7,), (10, 1, 8, 5, 4, 10, 2)) == instance(
        "easy", 1
    ).bags


@pytest.mark.parametrize(
    ("level", "least", "mean", "most"), [("easy", 6, 21.6, 41), ("normal", 21, 38.4, 59)]
)
def test_numbers_of_coins(level: str, least: int, mean: float, most: int) -> None:
    """Over seeds 1 to 100."""
    coins = [sum(map(len, instance(level, seed).bags)) for seed in range(1, 101)]

    assert (least, mean, most) == (min(coins), round(fmean(coins), 1), max(coins))
