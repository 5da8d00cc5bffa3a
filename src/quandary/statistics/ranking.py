"""Ranks and bands from joint draws of several values.

A player's rank is not known better than its comparisons with all others: it lies between one more
than the number of players who are surely better, and the number of those who are not surely worse
(Mogstad, Romano, Shaikh and Wilhelm 2024).  Ranks of the draws themselves would be overconfident
where players are alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from .bootstrap import widening
from .estimates import CONFIDENCE, Floats, Ints
from .multiplicity import holm

FEWEST = 6  # even if one player is better on all of fewer starts, that is no evidence at 95 %


@dataclass(frozen=True)
class Ranking:
    """The order of some players, best first, as far as it is known."""

    order: Ints  # numbers of players, best first
    low: Ints  # best and worst rank of each player, from 1
    high: Ints
    p: Floats  # of each pair being alike, adjusted for the number of pairs (Holm)
    bands: tuple[tuple[int, ...], ...]  # largest sets that cannot be told apart, best first


def ranking(
    values: Floats, draws: Floats, clusters: int, confidence: float = CONFIDENCE
) -> Ranking:
    """The ranking of players by values of which `draws` are joint bootstrap draws, a row each.

    `clusters` is the number of starts that the draws reweight.
    """
    count = len(values)
    order: Ints = np.argsort(-values, kind="stable")
    off = values[:, None] - values[None, :]
    if clusters < FEWEST:
        everyone = (tuple(int(one) for one in order),)
        ones = np.ones((count, count))
        return Ranking(order, np.ones(count, np.int64), np.full(count, count), ones, everyone)
    spread = _spread(draws)
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.where(off == 0.0, 0.0, off / spread)
    reach = _reach(draws, spread, clusters, confidence)[:, None]
    worse, better = distance > reach, distance < -reach
    p = _adjusted(distance * np.sqrt((clusters - 1) / (clusters + 1)), clusters - 1)
    return Ranking(
        order,
        1 + better.sum(axis=1),
        count - worse.sum(axis=1),
        p,
        bands(p < 1 - confidence, order),
    )


def _spread(draws: Floats) -> Floats:
    """The standard deviation of each difference of two players over the draws."""
    covariance = np.atleast_2d(np.cov(draws, rowvar=False))
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))


def _reach(draws: Floats, spread: Floats, clusters: int, confidence: float) -> Floats:
    """For each player, how many spreads all its differences together stay within."""
    off = draws - draws.mean(axis=0)
    found = np.empty(draws.shape[1])
    for player in range(draws.shape[1]):
        others = np.flatnonzero(spread[player] > 0)
        if not len(others):
            found[player] = 0.0  # the differences are the same in all draws
            continue
        distance = np.abs(off[:, [player]] - off[:, others]) / spread[player, others]
        found[player] = np.quantile(distance.max(axis=1), confidence)
    return found * widening(clusters, confidence)


def _adjusted(distance: Floats, freedom: int) -> Floats:
    """Holm's p values of all pairs, as a symmetric matrix."""
    count = len(distance)
    above = np.triu_indices(count, 1)
    p = np.ones((count, count))
    p[above] = holm(2 * stdtr(freedom, -np.abs(distance[above])))
    return np.minimum(p, p.T)


def bands(different: NDArray[np.bool_], order: Ints) -> tuple[tuple[int, ...], ...]:
    """The largest sets of players of whom no two are different, by insertion and absorption."""
    found = [frozenset(int(one) for one in order)]
    for one, other in zip(*np.nonzero(np.triu(different, 1)), strict=True):
        split = set[frozenset[int]]()
        for band in found:
            split |= {band - {one}, band - {other}} if {one, other} <= band else {band}
        found = [band for band in split if not any(band < larger for larger in split)]
    place = {int(one): rank for rank, one in enumerate(order)}
    sets = sorted(sorted(place[one] for one in band) for band in found)
    return tuple(tuple(int(order[rank]) for rank in ranks) for ranks in sets)
