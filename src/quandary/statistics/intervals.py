"""Intervals of means, by regime.

    rates (all scores are 0 or 1)         Wilson's
    graded scores on 30 to 1,000 starts   cluster bootstrap (BCa), which follows skewed scores
    graded scores on fewer or more        Wilson's, if they have bounds; otherwise Student's t
    all scores equal                      Wilson's: what was not seen may still happen

Wilson's interval is that for as many independent cases as would vary as much as the starts do.
It stays within the bounds; near them Student's is far too short, and a bootstrap of rates would
collapse to a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .bootstrap import DRAWS, bca
from .clusters import Moments, cluster_means, moments
from .estimates import (
    CONFIDENCE,
    Estimate,
    Floats,
    Ints,
    Labels,
    Method,
    floats,
    normal,
    numbered,
    student,
)

FEW, MANY = 30, 1_000  # starts between which the bootstrap is used; beyond, t is as good
UNIT = (0.0, 1.0)
NOTHING = 1e-12  # a variance that is rounding alone


def wilson(share: float, count: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval of a share of `count` cases, which need not be a whole number."""
    z = normal(confidence)
    centre = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    # Rounding must not leave the share outside.
    return min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))


def mean_estimate(
    scores: ArrayLike,
    starts: Labels | None = None,
    *,
    rng: Generator,
    listed: int | None = None,
    repeated: bool = False,
    bounds: tuple[float, float] | None = UNIT,
    confidence: float = CONFIDENCE,
    draws: int = DRAWS,
) -> Estimate:
    """The mean over starts of scores within `bounds` (None: any number), with its interval.

    `listed` is the number of starts there are, if that is a short list.  With `repeated`, every
    start was played more than once and always in the same way, so a mean over the whole list is
    known exactly.
    """
    values = floats(scores)
    labels = numbered(starts, len(values))
    _check(values, bounds)
    found = moments(values, labels, listed)
    if repeated and found.within and found.variance <= NOTHING:
        return _estimate(found, (found.mean, found.mean), "known", confidence)
    is_rate = bounds is not None and bool(np.isin(values, bounds).all())
    varies = found.freedom > 0 and found.variance > NOTHING
    if varies and not is_rate and not found.within and FEW <= found.clusters <= MANY:
        means, _ = cluster_means(values, labels)
        return _estimate(found, bca(means, rng, confidence, draws), "bootstrap", confidence)
    if bounds is None:
        return _estimate(found, _t(found, confidence), "t", confidence)
    if not is_rate and not found.freedom:  # a graded score on one start says nothing about others
        return _estimate(found, bounds, "Wilson", confidence)
    ends = _wilson(found, bounds, confidence, found.clusters)
    return _estimate(found, ends, "Wilson", confidence)


def pooled_estimate(
    scores: ArrayLike,
    starts: Labels | None = None,
    *,
    weights: ArrayLike | None = None,
    listed: int | None = None,
    bounds: tuple[float, float] | None = UNIT,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The mean over observations, however many were made on each start, as papers compute it.

    `weights` are of observations, such as the moves of a match.  The interval is Wilson's within
    `bounds` and Student's t without; its error is that of a ratio of two sums over starts.
    """
    values = floats(scores)
    labels = numbered(starts, len(values))
    _check(values, bounds)
    counts = np.bincount(labels)
    if weights is None and (counts == counts[0]).all():
        found = moments(values, labels, listed)
    else:
        found = _pooled(
            values, labels, np.ones(len(values)) if weights is None else floats(weights)
        )
    if bounds is None:
        return _estimate(found, _t(found, confidence), "t", confidence)
    if not found.freedom and not np.isin(values, bounds).all():
        return _estimate(found, bounds, "Wilson", confidence)
    return _estimate(
        found, _wilson(found, bounds, confidence, found.clusters), "Wilson", confidence
    )


def _pooled(values: Floats, starts: Ints, weights: Floats) -> Moments:
    """The moments of a weighted mean over observations that are clustered by start."""
    total, clusters = float(weights.sum()), int(starts.max()) + 1
    mean = float(values @ weights) / total
    off = np.bincount(starts, (values - mean) * weights) / total
    variance = float(off @ off) * clusters / (clusters - 1) if clusters > 1 else 0.0
    return Moments(mean, variance, clusters - 1, len(values), clusters, within=False)


def part_estimate(
    scores: ArrayLike, starts: Labels | None = None, *, listed: int | None = None
) -> Estimate:
    """The mean over starts with its error, but without an interval: a part of an `average`."""
    values = floats(scores)
    found = moments(values, numbered(starts, len(values)), listed)
    return _estimate(found, (nan, nan), "none", CONFIDENCE)


def average(
    parts: Sequence[Estimate],
    *,
    bounds: tuple[float, float] | None = UNIT,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The average of independent means, such as those of several puzzles, each with one weight.

    The puzzles are fixed: differences between them are not luck.  Only if a puzzle has a single
    start, so that its luck is unknown, does the spread between puzzles stand for it.
    """
    means, errors = floats([one.mean for one in parts]), floats([one.error for one in parts])
    count, n, clusters = len(parts), sum(one.n for one in parts), sum(one.clusters for one in parts)
    if np.isnan(errors).any():
        freedom = count - 1.0
        variance = float(means.var(ddof=1)) / count if count > 1 else nan
    else:
        shares = errors**2 / count**2
        variance = float(shares.sum())
        known = floats([one.freedom for one in parts])
        freedom = float(known.sum())
        if variance > NOTHING:  # Welch and Satterthwaite's
            freedom = variance**2 / float((shares**2 / known).sum())
    found = Moments(float(means.mean()), variance, freedom, n, clusters, within=False)
    if bounds is None:
        return _estimate(found, _t(found, confidence), "t", confidence)
    return _estimate(found, _wilson(found, bounds, confidence, 1.0), "Wilson", confidence)


def _wilson(
    found: Moments, bounds: tuple[float, float], confidence: float, fewest: float
) -> tuple[float, float]:
    """Wilson's interval for as many independent cases as would vary as much, at least `fewest`."""
    low, width = bounds[0], bounds[1] - bounds[0]
    share, variance = (found.mean - low) / width, found.variance / width**2
    cases = float(found.cases)
    if found.freedom and variance > NOTHING:
        # Fewer, where the variance itself is known from few starts.
        trust = (normal(confidence) / student(found.freedom, confidence)) ** 2
        cases = max(share * (1 - share) / variance * trust, fewest)
    ends = wilson(share, cases, confidence)
    return low + width * ends[0], low + width * ends[1]


def _t(found: Moments, confidence: float) -> tuple[float, float]:
    """Student's interval, of infinite length if nothing is known about the variance."""
    if not found.freedom:
        return -np.inf, np.inf
    half = student(found.freedom, confidence) * sqrt(found.variance)
    return found.mean - half, found.mean + half


def _estimate(
    found: Moments, ends: tuple[float, float], method: Method, confidence: float
) -> Estimate:
    error = sqrt(found.variance) if found.freedom else nan
    return Estimate(
        found.mean,
        *ends,
        method,
        error,
        found.freedom,
        found.n,
        found.clusters,
        confidence,
    )


def _check(values: Floats, bounds: tuple[float, float] | None) -> None:
    if np.isnan(values).any():
        raise ValueError("a score is missing")
    if (
        bounds is not None
        and len(values)
        and not bounds[0] <= values.min() <= values.max() <= bounds[1]
    ):
        raise ValueError(f"a score is outside {bounds[0]}..{bounds[1]}")
