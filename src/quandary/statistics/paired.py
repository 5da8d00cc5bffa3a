"""Two players compared on the same starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import bdtr, ndtr

from .clusters import cluster_means
from .estimates import CONFIDENCE, Estimate, Floats, Ints, Labels, floats, normal, numbered
from .intervals import DIFFERENCES, mean_estimate
from .strata import strata_of

FLIPS = 10_000  # drawn where there are too many to try all
ALL_FLIPS = 13  # starts up to which every choice of signs is tried
NORMAL_FLIPS = 2_000  # starts from which the flips need not be drawn


@dataclass(frozen=True)
class Paired:
    """The difference of two players' means on shared starts, first minus second."""

    difference: Estimate
    p: float  # of the hypothesis that the two are alike
    test: Literal["McNemar", "sign flips"]
    correlation: float  # of the two on the same start; nan if one of them does not vary
    ahead: int  # starts on which the first is better
    behind: int
    equal: int


def paired(
    first: ArrayLike,
    second: ArrayLike,
    starts: Labels | None = None,
    *,
    rng: Generator,
    listed: int | None = None,
    bounds: tuple[float, float] | None = DIFFERENCES,
    confidence: float = CONFIDENCE,
) -> Paired:
    """Compares scores that were made in pairs: entry i of both is on the same start.

    `bounds` are those of differences (None: any number).  Scores of 0 or 1, one per start, are
    tested by McNemar's exact test; all others by flipping the signs of whole starts.
    """
    one, other, labels = _in_pairs(first, second, starts)
    ours, theirs = cluster_means(one, labels)[0], cluster_means(other, labels)[0]
    off = ours - theirs
    ahead, behind = int((off > 0).sum()), int((off < 0).sum())
    once = _is_once(one, other, labels)
    return Paired(
        _difference(one - other, labels, once, rng, listed, bounds, confidence),
        mcnemar(ahead, behind) if once else sign_flip(off, rng),
        "McNemar" if once else "sign flips",
        _correlation(ours, theirs),
        ahead,
        behind,
        len(off) - ahead - behind,
    )


def paired_difference(
    first: ArrayLike, second: ArrayLike, starts: Labels | None = None, *, rng: Generator
) -> Estimate:
    """Return the difference of `paired` alone, without a test, which takes longer."""
    one, other, labels = _in_pairs(first, second, starts)
    once = _is_once(one, other, labels)
    return _difference(one - other, labels, once, rng, None, DIFFERENCES, CONFIDENCE)


def _in_pairs(
    first: ArrayLike, second: ArrayLike, starts: Labels | None
) -> tuple[Floats, Floats, Ints]:
    one, other = floats(first), floats(second)
    if len(one) != len(other):
        raise ValueError(f"{len(one)} scores cannot be paired with {len(other)}")
    return one, other, numbered(starts, len(one))


def _is_once(one: Floats, other: Floats, starts: Ints) -> bool:
    """Return whether each start has one pair, and each score is right or wrong."""
    return bool((np.bincount(starts) == 1).all() and np.isin([one, other], (0.0, 1.0)).all())


def _difference(
    off: Floats,
    starts: Ints,
    once: bool,
    rng: Generator,
    listed: int | None,
    bounds: tuple[float, float] | None,
    confidence: float,
) -> Estimate:
    """Return the mean difference with its interval: Tango's if each start was right or wrong
    `once`, if no start tells the two apart, or where the interval of a mean would be Wilson's.
    """
    plain = mean_estimate(off, starts, rng=rng, listed=listed, bounds=bounds, confidence=confidence)
    if bounds is None:
        return plain
    if once or not off.any():
        ahead, behind = int((off > 0).sum()), int((off < 0).sum())
        low, high = tango(ahead, behind, plain.clusters, confidence)
        return replace(plain, low=low, high=high, method="Tango")
    if plain.method != "Wilson":
        return plain
    return with_tangos_interval(plain, _signed(off, starts, plain))


def _signed(off: Floats, starts: Ints, mean: Estimate) -> Floats:
    """Differences by their weight in the mean: of starts, or of the playings of a whole list."""
    means, counts = cluster_means(off, starts)
    if sum(stratum.cases for stratum in mean.strata) < mean.n:
        return means / len(means)
    by_playing: Floats = off / counts[starts] / len(means)
    return by_playing


def with_tangos_interval(difference: Estimate, signed: Floats) -> Estimate:
    """Return a mean difference from -1 to 1 with Tango's interval, for as many starts as would vary
    as much.

    `signed` are the differences of which it is the sum: of starts, by their weight in the mean.
    Wilson's interval between -1 and 1 does not know whether one is often ahead and never behind, or
    often both, and reaches too far if starts are few.
    """
    if not difference.strata or not difference.freedom:  # known exactly, or not at all
        return difference
    ahead, behind = float(signed[signed > 0].sum()), float(-signed[signed < 0].sum())
    of_start = max(0.0, ahead + behind - difference.mean**2)  # the variance if starts were alike
    found = strata_of(difference.strata)
    starts = float(found.equivalent(of_start, difference.confidence))
    low, high = tango(ahead * starts, behind * starts, starts, difference.confidence)
    return replace(difference, low=low, high=high, method="Tango")


def tango(
    ahead: float, behind: float, starts: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Tango's interval of a difference of paired rates: what Wilson's is to a single rate.

    It holds the differences at which the score test does not reject how many starts each of the
    two won alone.  These need not be whole numbers.
    """
    z, seen = normal(confidence), (ahead - behind) / starts

    def distance(difference: float, sign: int) -> float:
        b = (2 * starts - ahead + behind) * difference - ahead - behind
        c = -behind * difference * (1 - difference)
        # The chance of the second alone, if the difference were the true one.
        chance = (sqrt(max(0.0, b * b - 8 * starts * c)) - b) / (4 * starts)
        variance = starts * (2 * chance + difference * (1 - difference))
        return starts * (seen - difference) - sign * z * sqrt(max(0.0, variance))

    near = 1e-9  # what was seen may solve the equation itself, but is no end
    low = -1.0 if seen <= -1 + near else brentq(distance, -1.0, seen - near, args=(1,))
    high = 1.0 if seen >= 1 - near else brentq(distance, seen + near, 1.0, args=(-1,))
    return float(low), float(high)


def _correlation(one: Floats, other: Floats) -> float:
    if len(one) < 2 or not one.std() or not other.std():
        return nan
    return float(np.corrcoef(one, other)[0, 1])


def mcnemar(ahead: int, behind: int) -> float:
    """Return the exact two-sided p of McNemar's test: how many starts each of the two won alone."""
    return min(1.0, 2 * float(bdtr(min(ahead, behind), ahead + behind, 0.5)))


def sign_flip(differences: Floats, rng: Generator, flips: int = FLIPS) -> float:
    """Return the two-sided p of the permutation test that flips the sign of each start's
    difference.

    All choices of signs are tried if there are few; otherwise `flips` are drawn, and the observed
    one is counted among them, so that p is never too small.  With many, sums of signed differences
    are as good as normal.
    """
    moved = differences[differences != 0.0]
    seen = abs(float(moved.sum())) * (1 - 1e-9)  # rounding must not lose ties with what was seen
    if len(moved) <= ALL_FLIPS:
        choices = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        sums = np.abs((2 * choices - 1) @ moved)
        return float((sums >= seen).mean())
    if len(moved) > NORMAL_FLIPS:
        return 2 * float(ndtr(-seen / np.linalg.norm(moved)))
    found = 0
    for begun in range(0, flips, 1_000):
        part = min(1_000, flips - begun)
        signs = rng.integers(2, size=(part, len(moved)), dtype=np.int8)
        # Twice the positive part less the whole is the sum with signs.
        sums = np.abs(2 * (signs @ moved) - moved.sum())
        found += int((sums >= seen).sum())
    return (found + 1) / (flips + 1)
