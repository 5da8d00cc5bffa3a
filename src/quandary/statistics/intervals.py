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
from dataclasses import replace
from math import nan, sqrt

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .bootstrap import DRAWS, bca
from .clusters import Moments, cluster_means, moments, weighted_moments
from .estimates import (
    CONFIDENCE,
    Estimate,
    Floats,
    Labels,
    Method,
    floats,
    normal,
    numbered,
    student,
    students,
)
from .strata import NOTHING, Strata, strata_of

FEW, MANY = 30, 1_000  # starts between which the bootstrap is used; beyond, t is as good
UNIT = (0.0, 1.0)
DIFFERENCES = (-1.0, 1.0)  # of two scores


def wilson(share: float, count: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval of a share of `count` cases, which need not be a whole number."""
    low, high = _wilson_ends(np.asarray(share), np.asarray(count), confidence)
    return float(low), float(high)


def _wilson_ends(share: Floats, count: Floats, confidence: float) -> tuple[Floats, Floats]:
    z = normal(confidence)
    centre = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    # Rounding must not leave the share outside.
    return np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0)


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
    """Return the mean over starts of scores within `bounds` (None: any number), with its interval.

    `listed` is the number of starts there are, if that is a short list.  With `repeated`, every
    start was played more than once and always in the same way, so a mean over the whole list is
    known exactly.
    """
    values = floats(scores)
    labels = numbered(starts, len(values))
    _check(values, bounds)
    found = moments(values, labels, listed)
    if repeated and found.within and found.variance <= NOTHING:
        return _known(found, confidence)
    is_rate = bounds is not None and bool(np.isin(values, bounds).all())
    varies = found.freedom > 0 and found.variance > NOTHING
    if varies and not is_rate and not found.within and FEW <= found.clusters <= MANY:
        means, _ = cluster_means(values, labels)
        return _estimate(found, bca(means, rng, confidence, draws), "bootstrap", confidence)
    if bounds is None:
        return _estimate(found, _t(found, confidence), "t", confidence)
    if not is_rate and not found.freedom:  # a graded score on one start says nothing about others
        return _estimate(found, bounds, "Wilson", confidence)
    return _estimate(found, _wilson(found, bounds, confidence), "Wilson", confidence)


def pooled_estimate(
    scores: ArrayLike,
    starts: Labels | None = None,
    *,
    weights: ArrayLike | None = None,
    listed: int | None = None,
    bounds: tuple[float, float] | None = UNIT,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Return the mean over observations, however many were made on each start, as papers compute
    it.

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
        found = weighted_moments(
            values, labels, np.ones(len(values)) if weights is None else floats(weights)
        )
    if bounds is None:
        return _estimate(found, _t(found, confidence), "t", confidence)
    if not found.freedom and not np.isin(values, bounds).all():
        return _estimate(found, bounds, "Wilson", confidence)
    return _estimate(found, _wilson(found, bounds, confidence), "Wilson", confidence)


def part_estimate(
    scores: ArrayLike,
    starts: Labels | None = None,
    *,
    listed: int | None = None,
    repeated: bool = False,
) -> Estimate:
    """Return the mean over starts without an interval, as a part of an `average`."""
    values = floats(scores)
    found = moments(values, numbered(starts, len(values)), listed)
    if repeated and found.within and found.variance <= NOTHING:
        return _known(found, CONFIDENCE)
    return _estimate(found, (nan, nan), "none", CONFIDENCE)


def average(
    parts: Sequence[Estimate],
    *,
    bounds: tuple[float, float] | None = UNIT,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Return the average of independent means, such as those of several puzzles, each with one
    weight.

    The parts are fixed: differences between them are not luck, as far as their own starts show what
    is.  Parts may be averages themselves.
    """
    mean = float(np.mean([part.mean for part in parts]))
    n, clusters = sum(part.n for part in parts), sum(part.clusters for part in parts)
    strata = tuple(
        one._replace(weight=one.weight / len(parts)) for part in parts for one in part.strata
    )
    if not strata:
        freedom = sum(part.freedom for part in parts)
        return Estimate(mean, mean, mean, "known", 0.0, freedom, n, clusters, (), confidence)
    found = strata_of(strata)
    luck = sum(one.weight for one in strata)  # the other parts are known exactly
    known = mean - luck * float(found.mean)
    low, high = (known + luck * float(end) for end in strata_ends(found, bounds, confidence))
    if bounds is not None:  # rounding must not carry an end beyond the bounds, or the mean
        low, high = max(bounds[0], min(low, mean)), min(bounds[1], max(high, mean))
    error, freedom = luck * sqrt(float(found.variance)), float(found.freedom)
    method: Method = "t" if bounds is None else "Wilson"
    return Estimate(mean, low, high, method, error, freedom, n, clusters, strata, confidence)


def strata_ends(
    found: Strata, bounds: tuple[float, float] | None = UNIT, confidence: float = CONFIDENCE
) -> tuple[Floats, Floats]:
    """Return the ends of the interval of a mean over strata, or of several: Wilson's for as many
    cases as would vary as much, or Student's t without bounds.
    """
    if bounds is None:
        half = students(found.freedom, confidence) * np.sqrt(found.variance)
        return found.mean - half, found.mean + half
    low, width = bounds[0], bounds[1] - bounds[0]
    share = np.clip((found.mean - low) / width, 0.0, 1.0)
    cases = found.equivalent(width**2 * share * (1 - share), confidence)
    ends = _wilson_ends(share, cases, confidence)
    return low + width * ends[0], low + width * ends[1]


def _wilson(found: Moments, bounds: tuple[float, float], confidence: float) -> tuple[float, float]:
    """Wilson's interval for as many cases as would vary as much, at least as many as starts."""
    low, width = bounds[0], bounds[1] - bounds[0]
    share, variance = (found.mean - low) / width, found.variance / width**2
    cases = float(found.cases)
    if found.freedom and variance > NOTHING:
        # Fewer, where the variance itself is known from few starts.
        trust = (normal(confidence) / student(found.freedom, confidence)) ** 2
        cases = max(share * (1 - share) / variance * trust, found.clusters)
    ends = wilson(share, cases, confidence)
    return low + width * ends[0], low + width * ends[1]


def _t(found: Moments, confidence: float) -> tuple[float, float]:
    """Student's interval, of infinite length if nothing is known about the variance."""
    if not found.freedom:
        return -np.inf, np.inf
    half = student(found.freedom, confidence) * sqrt(found.variance)
    return found.mean - half, found.mean + half


def _known(found: Moments, confidence: float) -> Estimate:
    ends = found.mean, found.mean
    return replace(_estimate(found, ends, "known", confidence), strata=())


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
        found.strata,
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
