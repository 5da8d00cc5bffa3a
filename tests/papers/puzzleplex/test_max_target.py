"""PuzzlePlex's instances of max target."""

from __future__ import annotations

from itertools import product
from statistics import fmean

import pytest

from quandary.papers.puzzleplex.seeds.max_target import instance


def test_easy_1() -> None:
    """Four bags with 24 coins, of which 15 may be drawn; the best 15 are found by trying all."""
    start = instance("easy", 1)
    splits = (
        split for split in product(*(range(len(bag) + 1) for bag in start.bags)) if sum(split) == 15
    )
    totals = [
        sum(sum(bag[:count]) for bag, count in zip(start.bags, split, strict=True))
        for split in splits
    ]

    assert (
        (2, 5, 2, 8, 8, 8, 7, 4, 2, 8),
        (7,),
        (10, 1, 8, 5, 4, 10, 2),
        (1, 1, 1, 9, 1, 7),
    ) == start.bags
    assert 24 == sum(map(len, start.bags))
    assert 15 == start.draws
    assert max(totals) == start.reference()


@pytest.mark.parametrize(
    ("level", "least", "mean", "most"), [("easy", 7, 27.7, 47), ("normal", 27, 55.4, 82)]
)
def test_numbers_of_coins(level: str, least: int, mean: float, most: int) -> None:
    """Over seeds 1 to 100, and half to seven tenths of them may be drawn."""
    starts = [instance(level, seed) for seed in range(1, 101)]
    coins = [sum(map(len, start.bags)) for start in starts]

    assert (least, mean, most) == (min(coins), round(fmean(coins), 1), max(coins))
    assert all(
        count // 2 <= start.draws <= 0.7 * count for start, count in zip(starts, coins, strict=True)
    )
