"""Elo ratings in the order of play, as the second PuzzlePlex paper computes them.

They depend on the order and serve only to compare with the paper; draw conclusions from those of
`ratings.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from .comparisons import Comparisons
from .estimates import Floats, Ints

K, START, SCALE = 32.0, 1_000.0, 400.0
AT_ONCE = 5_000_000  # places of comparisons in orders that are held in memory
MOST = 20_000  # comparisons of one random order; Elo forgets earlier ones


@dataclass(frozen=True)
class EloOrders:
    """Elo in the order of play, and over random orders of the same comparisons."""

    players: tuple[str, ...]
    in_order: Floats
    mean: Floats
    deviation: Floats  # standard deviation over orders
    orders: int
    compared: int  # comparisons in each order
    n: int  # comparisons


def elo(played: Comparisons, *, k: float = K, start: float = START) -> Floats:
    """Return the ratings after all comparisons; both sides change by their ratings before."""
    rated = [start] * len(played.players)
    for one, other, result in zip(
        played.first.tolist(), played.second.tolist(), played.result.tolist(), strict=True
    ):
        expected = 1 / (1 + 10 ** ((rated[other] - rated[one]) / SCALE))
        change = k * (result - expected)
        rated[one] += change
        rated[other] -= change
    return np.array(rated)


def elo_over_orders(
    played: Comparisons,
    rng: Generator,
    orders: int = 1_000,
    *,
    k: float = K,
    start: float = START,
    most: int = MOST,
) -> EloOrders:
    """Elo in order, with its mean and spread over random orders.

    Of more than `most` comparisons, each order has so many, drawn by chance: a rating hardly
    remembers what was more than some hundred comparisons of its player ago.
    """
    # Not in the order of play, so that the same draws give the same, however they were played.
    listed = np.lexsort((played.result, played.second, played.first))
    count = min(len(played), most)
    batch = max(1, AT_ONCE // max(count, 1))
    found = []
    for begun in range(0, orders, batch):
        part = min(batch, orders - begun)
        drawn = np.stack([rng.choice(len(played), count, replace=False) for _ in range(part)])
        found.append(_rated(played, listed[drawn], k, start))
    rated = np.concatenate(found)
    return EloOrders(
        played.players,
        elo(played, k=k, start=start),
        rated.mean(axis=0),
        rated.std(axis=0, ddof=1),
        orders,
        count,
        len(played),
    )


def _rated(played: Comparisons, orders: Ints, k: float, start: float) -> Floats:
    """Return the final ratings for each order of the comparisons, all orders at once."""
    rated = np.full((len(orders), len(played.players)), start)
    rows = np.arange(len(orders))
    for step in orders.T:
        one, other = played.first[step], played.second[step]
        ours, theirs = rated[rows, one], rated[rows, other]
        expected = 1 / (1 + 10 ** ((theirs - ours) / SCALE))
        change = k * (played.result[step] - expected)
        rated[rows, one] = ours + change
        rated[rows, other] = theirs - change
    return rated
