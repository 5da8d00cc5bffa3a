"""Ranks and bands of players, from tests of all pairs.

Both follow from the same claims: which player is surely better than which, with all pairs tested
together (Holm).  A player's rank lies between one more than the number of players who are surely
better, and the number of those who are not surely worse (Mogstad, Romano, Shaikh and Wilhelm 2024);
players neither of whom is surely better share a band.

A pair may be known better than others, so that one player is surely better than a third, and
another with a higher value is not.  Such claims are dropped: `consistent`.  Ranks then follow the
order of values, and bands are runs of neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .estimates import CONFIDENCE, Flags, Floats, Ints, students
from .intervals import DIFFERENCES, strata_ends
from .multiplicity import holm
from .strata import NOTHING, Strata

FEWEST = 6  # even if one player is better on all of fewer starts, that is no evidence at 95 %
DIGITS = 12  # of values; further ones are rounding


@dataclass(frozen=True)
class Ranking:
    """The order of some players, best first, as far as it is known."""

    order: Ints  # numbers of players, best first
    low: Ints  # best and worst rank of each player, from 1; they overlap within a band
    high: Ints
    bands: tuple[tuple[int, ...], ...]  # largest sets that cannot be told apart, best first


def ranking(values: Floats, p: Floats, confidence: float = CONFIDENCE) -> Ranking:
    """Return the ranking of players by their values.

    `p` has a row and a column for each player: of the hypothesis that the two are alike.
    """
    rounded = np.round(values, DIGITS)
    order: Ints = np.argsort(-rounded, kind="stable")
    better = consistent(claims(rounded, p, confidence), rounded)
    return Ranking(
        order, 1 + better.sum(axis=0), len(values) - better.sum(axis=1), bands(better, order)
    )


def claims(values: Floats, p: Floats, confidence: float = CONFIDENCE) -> Flags:
    """Return which row is better than which column; any claim is wrong 1 time in 20 at most."""
    above = np.triu_indices(len(values), 1)
    adjusted = np.ones_like(p)
    adjusted[above] = holm(p[above])
    found: Flags = (np.minimum(adjusted, adjusted.T) < 1 - confidence) & (
        values[:, None] > values[None, :]
    )
    return found


def consistent(better: Flags, values: Floats) -> Flags:
    """Return the claims that hold for all in between: everyone with at least the value of the
    better player is claimed to be better than everyone with at most that of the worse one.

    Claims are only dropped, so that the rest are wrong no more often.
    """
    at_least = values[None, :] >= values[:, None]
    missing = at_least.astype(np.int64) @ ~better @ at_least
    found: Flags = missing == 0
    return found


class Doubt(NamedTuple):
    """What else differences depend on, beside the luck of their strata: who the people were."""

    variance: Floats | float = 0.0
    freedom: Floats | float = np.inf


NO_DOUBT = Doubt()


def p_of_differences(found: Strata, doubt: Doubt = NO_DOUBT) -> Floats:
    """Return the p of each of many mean differences, by Student's t."""
    is_open = _too_few(found) | (np.abs(found.mean) <= NOTHING)
    if is_open.all():
        return np.ones(is_open.shape)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = _error(found, doubt)
        p = _two_sided(_freedom(found, doubt), -np.abs(found.mean) / error)
    return np.where(is_open, 1.0, p)


def ends_of_differences(
    found: Strata, confidence: float = CONFIDENCE, doubt: Doubt = NO_DOUBT
) -> tuple[Floats, Floats]:
    """Return the ends of the interval of each of many mean differences of scores: Student's t, as
    for their p; Wilson's where all starts agree, since a few of them leave some doubt.

    -1 and 1 where there are too few starts.
    """
    is_open = _too_few(found)
    low, high = np.full(is_open.shape, -1.0), np.full(is_open.shape, 1.0)
    if is_open.all():
        return low, high
    half = students(_freedom(found, doubt), confidence) * _error(found, doubt)
    varies = found.variance + doubt.variance > NOTHING
    agreeing = strata_ends(found, DIFFERENCES, confidence)
    ends = (
        np.where(varies, found.mean + sign * half, end)
        for sign, end in zip((-1, 1), agreeing, strict=True)
    )
    low, high = (
        np.where(is_open, bound, np.clip(end, *DIFFERENCES))
        for bound, end in zip(DIFFERENCES, ends, strict=True)
    )
    return low, high


def _too_few(found: Strata) -> Flags:
    return np.asarray(found.equivalent_cases < FEWEST - NOTHING)


def _freedom(found: Strata, doubt: Doubt) -> Floats:
    return np.minimum(np.minimum(found.freedom, found.equivalent_cases - 1), doubt.freedom)


def _error(found: Strata, doubt: Doubt) -> Floats:
    return np.sqrt(np.where(found.variance > NOTHING, found.variance, 0.0) + doubt.variance)


def p_of_draws(values: Floats, draws: Floats, clusters: int) -> Floats:
    """Return the p of each pair of values of which `draws` are joint bootstrap draws, a row each.

    `clusters` is the number of starts that the draws reweight.
    """
    if clusters < FEWEST:
        return np.ones((len(values), len(values)))
    off = np.abs(values[:, None] - values[None, :])
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = np.where(off == 0.0, 0.0, off / _spread(draws))
    # Exponential weights vary as n + 1 values do, not as n - 1.
    return _two_sided(clusters - 1, -distance * np.sqrt((clusters - 1) / (clusters + 1)))


def _two_sided(freedom: Floats | int, lower: Floats) -> Floats:
    """Return the share of Student's t that is below a number or above its opposite."""
    from scipy.special import stdtr

    return np.asarray(2 * stdtr(freedom, lower))


def _spread(draws: Floats) -> Floats:
    """Return the standard deviation of each difference of two players over the draws."""
    covariance = np.atleast_2d(np.cov(draws, rowvar=False))
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))


def bands(better: Flags, order: Ints) -> tuple[tuple[int, ...], ...]:
    """Return the longest runs of neighbours of whom no one is better than another; claims must be
    consistent.
    """
    found, reached = list[tuple[int, ...]](), 0
    for place, one in enumerate(order):
        end = len(order) - int(better[one].sum())  # from there on, all are worse
        if end > reached:
            found.append(tuple(order[place:end].tolist()))
            reached = end
    return tuple(found)
