"""Ranks and bands from joint draws of several values.

Both follow from the same claims: which player is surely better than which, with all pairs tested
together (Holm).  A player's rank lies between one more than the number of players who are surely
better, and the number of those who are not surely worse (Mogstad, Romano, Shaikh and Wilhelm 2024);
players neither of whom is surely better share a band.  Ranks of the draws themselves would be
overconfident where players are alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from .estimates import CONFIDENCE, Flags, Floats, Ints
from .multiplicity import holm

FEWEST = 6  # even if one player is better on all of fewer starts, that is no evidence at 95 %


@dataclass(frozen=True)
class Ranking:
    """The order of some players, best first, as far as it is known."""

    order: Ints  # numbers of players, best first
    low: Ints  # best and worst rank of each player, from 1; they overlap within a band
    high: Ints
    bands: tuple[tuple[int, ...], ...]  # largest sets that cannot be told apart, best first


def ranking(
    values: Floats, draws: Floats, clusters: int, confidence: float = CONFIDENCE
) -> Ranking:
    """The ranking of players by values of which `draws` are joint bootstrap draws, a row each.

    `clusters` is the number of starts that the draws reweight.
    """
    count = len(values)
    order: Ints = np.argsort(-values, kind="stable")
    better = np.zeros((count, count), bool)
    if clusters >= FEWEST and count > 1:
        better = with_implied(_surely_better(values, draws, clusters, confidence))
    return Ranking(
        order,
        1 + better.sum(axis=0),
        count - better.sum(axis=1),
        bands(better | better.T, order),
    )


def _surely_better(values: Floats, draws: Floats, clusters: int, confidence: float) -> Flags:
    """Which row is better than which column; any claim is wrong 1 time in 20 at most."""
    off = values[:, None] - values[None, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.where(off == 0.0, 0.0, off / _spread(draws))
    # Exponential weights vary as n + 1 values do, not as n - 1.
    p = _adjusted(distance * np.sqrt((clusters - 1) / (clusters + 1)), clusters - 1)
    found: Flags = (p < 1 - confidence) & (off > 0)
    return found


def with_implied(better: Flags) -> Flags:
    """Claims with all that follow from them: better than who is better than a third.

    An implied claim is wrong only if one of those it follows from is.  Without it, two players in
    one band might have ranks that do not overlap.
    """
    found = better.copy()
    for middle in range(len(found)):
        found |= found[:, [middle]] & found[[middle], :]
    return found


def _spread(draws: Floats) -> Floats:
    """The standard deviation of each difference of two players over the draws."""
    covariance = np.atleast_2d(np.cov(draws, rowvar=False))
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))


def _adjusted(distance: Floats, freedom: int) -> Floats:
    """Holm's p values of all pairs, as a symmetric matrix."""
    count = len(distance)
    above = np.triu_indices(count, 1)
    p = np.ones((count, count))
    p[above] = holm(2 * stdtr(freedom, -np.abs(distance[above])))
    return np.minimum(p, p.T)


def bands(different: Flags, order: Ints) -> tuple[tuple[int, ...], ...]:
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
