"""Resampling: starts for the interval of a mean, and intervals from draws of clusters."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.random import Generator

from .estimates import CONFIDENCE, Floats, normal, student

DRAWS = 2_000
AT_ONCE = 4_000_000  # numbers that are drawn at once, so that memory stays small


def bca(
    means: Floats, rng: Generator, confidence: float = CONFIDENCE, draws: int = DRAWS
) -> tuple[float, float]:
    """Return the bias-corrected and accelerated interval of the mean of independent values.

    It is made a little wider, because the bootstrap's spread is that of n, not of n - 1 values, and
    normal, not Student's.
    """
    from scipy.special import ndtr, ndtri

    count, mean = len(means), float(means.mean())
    found = np.concatenate(
        [
            means[rng.integers(count, size=(part, count))].mean(axis=1)
            for part in _parts(draws, count)
        ]
    )
    off = means - mean
    below = ((found < mean).sum() + (found == mean).sum() / 2) / draws
    bias = float(ndtri(np.clip(below, 1 / draws, 1 - 1 / draws)))
    lean = float((off**3).sum() / (6 * (off**2).sum() ** 1.5))
    wide = sqrt(count / (count - 1)) * student(count - 1, confidence)
    ends = bias + np.array([-wide, wide])
    low, high = np.quantile(found, ndtr(bias + ends / (1 - lean * ends)))
    return float(low), float(high)


def _parts(draws: int, width: int) -> list[int]:
    """Return how many draws to make at a time."""
    most = max(1, AT_ONCE // max(width, 1))
    return [min(most, draws - begun) for begun in range(0, draws, most)]


def stretched(
    centre: Floats, draws: Floats, clusters: int, confidence: float = CONFIDENCE
) -> tuple[Floats, Floats]:
    """Return the ends of the interval of each column of draws that reweight clusters, around a
    centre.

    They are the quantiles of the draws, moved away from the centre where clusters are few.
    """
    if clusters < 2:
        return np.full_like(centre, -np.inf), np.full_like(centre, np.inf)
    out, wide = (1 - confidence) / 2, widening(clusters, confidence)
    low, high = np.quantile(draws, [out, 1 - out], axis=0)
    return (
        np.minimum(centre, centre - wide * (centre - low)),
        np.maximum(centre, centre + wide * (high - centre)),
    )


def widening(clusters: int, confidence: float = CONFIDENCE) -> float:
    """Return the factor by which draws that reweight clusters spread too little.

    Exponential weights vary as n + 1 values do, not as n - 1, and what they weigh as the normal
    distribution, not as Student's.
    """
    wide = sqrt((clusters + 1) / (clusters - 1))
    return wide * student(clusters - 1, confidence) / normal(confidence)
