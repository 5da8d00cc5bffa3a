"""Means over starts, and how well they are known.

Every start has the same weight, however often it was played.  If starts are drawn from very many,
they are a sample: the variation between starts counts.  If they are a short list, and all of it was
played, only luck within a start counts.  If a part of the list was played, both count, weighted as
in two-stage sampling from a finite population.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .estimates import Floats, Ints, Stratum


@dataclass(frozen=True)
class Moments:
    """The mean over starts, and the variance of that mean."""

    mean: float
    variance: float
    freedom: float  # degrees of freedom of the variance; 0 if nothing is known about it
    n: int  # observations
    clusters: int  # starts
    strata: tuple[Stratum, ...]  # what is drawn independently, with its variance
    within: bool  # whether the variance holds luck within starts, not only what differs between
    whole: bool = False  # whether every start of a short list was played

    @property
    def cases(self) -> int:
        """What is drawn independently: starts; of a whole list, the observations on them."""
        return self.n if self.within and self.whole else self.clusters


def cluster_means(scores: Floats, starts: Ints) -> tuple[Floats, Ints]:
    """Return the mean of each start, and its number of observations."""
    counts = np.bincount(starts)
    means: Floats = np.bincount(starts, scores) / counts
    return means, counts


def moments(scores: Floats, starts: Ints, listed: int | None = None) -> Moments:
    """Return the moments of observations on numbered starts.

    `listed` is the number of starts there are, if that is a short list.
    """
    if not len(scores):
        raise ValueError("a mean needs at least one observation")
    means, counts = cluster_means(scores, starts)
    clusters, inner = len(means), len(scores) - len(means)
    mean, freedom = float(means.mean()), clusters - 1
    between = float(means.var(ddof=1)) / clusters if freedom else 0.0
    share = min(1.0, clusters / listed) if listed else 0.0
    if not share or not inner or (share < 1.0 and not freedom):
        single = (Stratum(1.0, clusters, mean, between * clusters),)
        return Moments(mean, between, freedom, len(scores), clusters, single, within=False)
    squares: Floats = np.bincount(starts, (scores - means[starts]) ** 2).astype(np.float64)
    luck = _luck(squares, counts, inner)
    if share == 1.0:
        each = _by_start(means, squares, counts)
        return Moments(mean, luck, inner, len(scores), clusters, each, within=True, whole=True)
    mixed = (1 - share) * between + share * luck
    single = (Stratum(1.0, clusters, mean, mixed * clusters),)
    return Moments(mean, mixed, freedom, len(scores), clusters, single, within=True)


def weighted_moments(values: Floats, starts: Ints, weights: Floats) -> Moments:
    """Return the moments of a weighted mean over observations that are clustered by start."""
    total, clusters = float(weights.sum()), int(starts.max()) + 1
    mean = float(values @ weights) / total
    off = np.bincount(starts, (values - mean) * weights) / total
    variance = float(off @ off) * clusters / (clusters - 1) if clusters > 1 else 0.0
    single = (Stratum(1.0, clusters, mean, variance * clusters),)
    return Moments(mean, variance, clusters - 1, len(values), clusters, single, within=False)


def _luck(squares: Floats, counts: Ints, inner: int) -> float:
    """Return the variance of the mean that comes from luck within starts alone.

    A start with one observation is taken to vary as the others do on average.
    """
    own = np.where(counts > 1, squares / np.maximum(counts - 1, 1), squares.sum() / inner)
    return float((own / counts).sum()) / len(counts) ** 2


def _by_start(means: Floats, squares: Floats, counts: Ints) -> tuple[Stratum, ...]:
    """Return the strata of a short list that was played whole: its starts, with playings as
    cases.
    """
    columns = counts.tolist(), means.tolist(), (squares / np.maximum(counts - 1, 1)).tolist()
    return tuple(Stratum(1 / len(counts), *row) for row in zip(*columns, strict=True))
