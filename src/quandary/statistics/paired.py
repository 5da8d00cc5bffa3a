"""Two players compared on the same starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy.special import bdtr

from .clusters import cluster_means, moments
from .estimates import CONFIDENCE, Estimate, Floats, Ints, Labels, floats, numbered
from .intervals import mean_estimate, t_interval

FLIPS = 10_000  # drawn where there are too many to try all
ALL_FLIPS = 13  # starts up to which every choice of signs is tried
DIFFERENCES = (-1.0, 1.0)


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

    `bounds` are those of differences (None: any number).  Right or wrong on each start once is
    tested by McNemar's exact test; everything else by flipping the signs of whole starts.
    """
    one, other = floats(first), floats(second)
    if len(one) != len(other):
        raise ValueError(f"{len(one)} scores cannot be paired with {len(other)}")
    labels = numbered(starts, len(one))
    (ours, counts), (theirs, _) = cluster_means(one, labels), cluster_means(other, labels)
    off = ours - theirs
    ahead, behind = int((off > 0).sum()), int((off < 0).sum())
    right_or_wrong = bool(np.isin([one, other], (0.0, 1.0)).all())
    once = bool((counts == 1).all())
    return Paired(
        _difference(one - other, labels, right_or_wrong, rng, listed, bounds, confidence),
        mcnemar(ahead, behind) if once and right_or_wrong else sign_flip(off, rng),
        "McNemar" if once and right_or_wrong else "sign flips",
        _correlation(ours, theirs),
        ahead,
        behind,
        len(off) - ahead - behind,
    )


def _difference(
    off: Floats,
    starts: Ints,
    right_or_wrong: bool,
    rng: Generator,
    listed: int | None,
    bounds: tuple[float, float] | None,
    confidence: float,
) -> Estimate:
    """The mean difference with its interval.

    If few starts tell two players apart, Student's interval is too short.  For right or wrong,
    two starts are added, one won by each (Bonett and Price 2012); so too if no start tells them
    apart.
    """
    plain = mean_estimate(off, starts, rng=rng, listed=listed, bounds=bounds, confidence=confidence)
    if bounds is None or listed or not (right_or_wrong or np.ptp(off) == 0.0):
        return plain
    new = int(starts.max()) + 1
    more = moments(np.append(off, bounds), np.append(starts, [new, new + 1]))
    low, high = t_interval(more, bounds, confidence)
    return replace(plain, low=min(low, plain.mean), high=max(high, plain.mean), method="t")


def _correlation(one: Floats, other: Floats) -> float:
    if len(one) < 2 or not one.std() or not other.std():
        return nan
    return float(np.corrcoef(one, other)[0, 1])


def mcnemar(ahead: int, behind: int) -> float:
    """The exact two-sided p of McNemar's test: how many starts each of the two won alone."""
    return min(1.0, 2 * float(bdtr(min(ahead, behind), ahead + behind, 0.5)))


def sign_flip(differences: Floats, rng: Generator, flips: int = FLIPS) -> float:
    """The two-sided p of the permutation test that flips the sign of each start's difference.

    All choices of signs are tried if there are few; otherwise `flips` are drawn, and the observed
    one is counted among them, so that p is never too small.
    """
    moved = differences[differences != 0.0]
    seen = abs(float(moved.sum())) * (1 - 1e-9)  # rounding must not lose ties with what was seen
    if len(moved) <= ALL_FLIPS:
        choices = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        sums = np.abs((2 * choices - 1) @ moved)
        return float((sums >= seen).mean())
    found = 0
    for begun in range(0, flips, 1_000):
        part = min(1_000, flips - begun)
        signs = rng.integers(2, size=(part, len(moved)), dtype=np.int8)
        # Twice the positive part less the whole is the sum with signs.
        sums = np.abs(2 * (signs @ moved) - moved.sum())
        found += int((sums >= seen).sum())
    return (found + 1) / (flips + 1)
