"""Means over starts, with 95 % intervals.

Observations are grouped by the start they were made on.  If a level draws its starts from very
many, they are a sample: the variation between starts counts.  If its starts are a short list, and
all of it was played, they are no sample: only luck within a start counts.  If a part of the list
was played, both count, weighted as in two-stage sampling from a finite population.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple, TypeAlias

T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
)  # fmt: skip
Z95 = 1.959964

Vector: TypeAlias = tuple[float, ...]
Matrix: TypeAlias = list[list[float]]


class Moments(NamedTuple):
    """Means of several quantities that were observed together, and how well they are known."""

    means: list[float]
    covariance: Matrix  # of the means
    freedom: int  # degrees of freedom of the covariance; 0 if nothing is known about it
    within: bool  # whether it holds the variation within starts, not only that between them


def moments(groups: Sequence[Sequence[Vector]], listed: int | None = None) -> Moments:
    """The means over starts of the means over their observations, one group per start.

    `listed` is the number of starts there are, if that is a short list.
    """
    centres = [[fmean(column) for column in zip(*group, strict=True)] for group in groups]
    means = [fmean(column) for column in zip(*centres, strict=True)]
    size, starts = range(len(means)), len(groups)
    between, freedom = _zero(len(means)), starts - 1
    for centre in centres if freedom else ():
        for i in size:
            for j in size:
                off = (centre[i] - means[i]) * (centre[j] - means[j])
                between[i][j] += off / (freedom * starts)
    inner = sum(len(group) - 1 for group in groups)
    share = min(1.0, starts / listed) if listed else 0.0
    if not share or not inner or (share < 1.0 and not freedom):
        return Moments(means, between, freedom, within=False)
    luck = _within(groups, centres, inner)
    mixed = [[(1 - share) * between[i][j] + share * luck[i][j] for j in size] for i in size]
    return Moments(means, mixed, inner if share == 1.0 else freedom, within=True)


def _within(
    groups: Sequence[Sequence[Vector]], centres: Sequence[Sequence[float]], inner: int
) -> Matrix:
    """The covariance of the means that comes from luck within starts alone.

    A start with one observation is taken to vary as the others do on average.
    """
    size = range(len(centres[0]))
    spreads = [_spread(group, centre) for group, centre in zip(groups, centres, strict=True)]
    pooled = [[sum(spread[i][j] for spread in spreads) / inner for j in size] for i in size]
    found = _zero(len(size))
    for group, spread in zip(groups, spreads, strict=True):
        count = len(group)
        for i in size:
            for j in size:
                own = spread[i][j] / (count - 1) if count > 1 else pooled[i][j]
                found[i][j] += own / (count * len(groups) ** 2)
    return found


def _spread(group: Sequence[Vector], centre: Sequence[float]) -> Matrix:
    """Sums of products of the distances from the centre of a group."""
    size = range(len(centre))
    return [
        [sum((one[i] - centre[i]) * (one[j] - centre[j]) for one in group) for j in size]
        for i in size
    ]


def _zero(size: int) -> Matrix:
    return [[0.0] * size for _ in range(size)]


def interval_over_starts(
    groups: Sequence[Sequence[float]], listed: int | None = None, *, repeated: bool = False
) -> tuple[float, float]:
    """The 95 % interval of a mean score, from the scores on each start.

    With `repeated`, every start was played more than once and always in the same way: if all
    starts of a short list were played, the mean is known exactly.
    """
    found = moments([[(score,) for score in group] for group in groups], listed)
    if not found.within:
        return interval([fmean(group) for group in groups])
    [mean], [[variance]] = found.means, found.covariance
    if repeated and variance == 0.0:
        return mean, mean
    is_share = all(score in (0.0, 1.0) for group in groups for score in group)
    if variance <= 1e-12:  # all starts are alike in score, not in moves: chance may still matter
        return wilson(mean, sum(map(len, groups)))
    quantile = student(found.freedom)
    if is_share:
        # Wilson's, for as many independent cases as would vary as much; fewer where the variance
        # itself is known from few observations.
        return wilson(mean, mean * (1 - mean) / variance * (Z95 / quantile) ** 2)
    half = quantile * sqrt(variance)
    return max(0.0, mean - half), min(1.0, mean + half)


def interval(means: list[float]) -> tuple[float, float]:
    """The 95 % interval of a mean over starts that are a sample.

    It is Wilson's if all means are 0 or 1, or all equal; otherwise Student's t.
    """
    count, mean = len(means), fmean(means)
    if count == 1 or all(score in (0.0, 1.0) for score in means):
        return wilson(mean, count)
    half = student(count - 1) * stdev(means) / sqrt(count)
    return (max(0.0, mean - half), min(1.0, mean + half)) if half else wilson(mean, count)


def ratio_interval(found: Moments) -> tuple[float, float] | None:
    """Fieller's 95 % interval of the ratio of two means; None if the second may be 0.

    The two are observed together, so that what they share cancels out.
    """
    if not found.freedom:
        return None
    (above, below), t2 = found.means, student(found.freedom) ** 2
    [[va, vab], [_, vb]] = found.covariance
    if below**2 <= t2 * vb:
        return None
    # The ratios r for which above - r * below is not significantly different from 0.
    a, b, c = below**2 - t2 * vb, above * below - t2 * vab, above**2 - t2 * va
    root = sqrt(max(0.0, b * b - a * c))
    return (b - root) / a, (b + root) / a


def student(freedom: int) -> float:
    """The quantile of Student's t for a 95 % interval.

    Beyond the table it is computed by an expansion around the normal quantile.
    """
    if freedom <= len(T95):
        return T95[freedom - 1]
    return (
        Z95
        + (Z95**3 + Z95) / (4 * freedom)
        + (5 * Z95**5 + 16 * Z95**3 + 3 * Z95) / (96 * freedom**2)
    )


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of `count` cases."""
    centre = (share + Z95**2 / (2 * count)) / (1 + Z95**2 / count)
    half = Z95 / (1 + Z95**2 / count) * sqrt(share * (1 - share) / count + Z95**2 / (4 * count**2))
    # Rounding must not leave the share outside.
    return min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))
