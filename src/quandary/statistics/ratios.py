"""Ratios of two means that were observed together, so that what they share cancels out."""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

from numpy.typing import ArrayLike

from .clusters import moments
from .estimates import CONFIDENCE, Estimate, Labels, floats, numbered, student


class Spread(NamedTuple):
    """How well two numbers are known: their variances and their covariance."""

    above: float
    both: float
    below: float


def fieller(
    above: float, below: float, spread: Spread, quantile: float
) -> tuple[float, float] | None:
    """Return the ratios r for which above - r * below is not significantly different from 0; None
    if they are unbounded, because `below` may be 0.
    """
    square = quantile**2
    a = below**2 - square * spread.below
    b = above * below - square * spread.both
    c = above**2 - square * spread.above
    if a <= 0:
        return None
    root = sqrt(max(0.0, b * b - a * c))
    return (b - root) / a, (b + root) / a


def ratio_estimate(
    above: ArrayLike,
    below: ArrayLike,
    starts: Labels | None = None,
    *,
    listed: int | None = None,
    confidence: float = CONFIDENCE,
) -> Estimate | None:
    """Return the mean over starts of some numbers divided by that of others, with Fieller's
    interval; None if the second mean may be 0.

    `listed` is the number of starts there are, if that is a short list.
    """
    one, other = floats(above), floats(below)
    labels = numbered(starts, len(one))
    first, second = moments(one, labels, listed), moments(other, labels, listed)
    if not first.freedom:
        return None
    shared = moments(one + other, labels, listed).variance - first.variance - second.variance
    spread = Spread(first.variance, shared / 2, second.variance)
    ends = fieller(first.mean, second.mean, spread, student(first.freedom, confidence))
    if ends is None:
        return None
    return Estimate(
        first.mean / second.mean,
        *ends,
        "Fieller",
        nan,
        first.freedom,
        first.n,
        first.clusters,
        first.strata,
        confidence,
    )
