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
AT_ONCE = 20_000_000  # places of comparisons in orders that are held in memory


@dataclass(frozen=True)
class EloOrders:
    """Elo in the order of play, and over random orders of the same comparisons."""

    players: tuple[str, ...]
    in_order: Floats
    mean: Floats
    deviation: Floats  # standard deviation over orders
    orders: int


def elo(played: Comparisons, *, k: float = K, start: float = START) -> Floats:
    """The ratings after all comparisons; both sides change by their ratings before."""
    order = np.arange(len(played), dtype=np.int64)[None]
    rated: Floats = _rated(played, order, k, start)[0]
    return rated


def elo_over_orders(
    played: Comparisons, rng: Generator, orders: int = 1_000, *, k: float = K, start: float = START
) -> EloOrders:
    """Elo in order, with its mean and spread over random orders."""
    batch = max(1, AT_ONCE // max(len(played), 1))
    found = []
    for begun in range(0, orders, batch):
        same = np.tile(np.arange(len(played), dtype=np.int64), (min(batch, orders - begun), 1))
        found.append(_rated(played, rng.permuted(same, axis=1), k, start))
    rated = np.concatenate(found)
    spread = rated.std(axis=0, ddof=1)
    return EloOrders(
        played.players, elo(played, k=k, start=start), rated.mean(axis=0), spread, orders
    )


def _rated(played: Comparisons, orders: Ints, k: float, start: float) -> Floats:
    """The final ratings for each order of the comparisons, all orders at once."""
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
