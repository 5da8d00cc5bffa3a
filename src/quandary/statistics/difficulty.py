"""How scores fall with difficulty: a logistic curve, and where it crosses one half."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from .estimates import CONFIDENCE, Floats, Labels, floats, numbered, student
from .ratios import Spread, fieller

STEPS, CLOSE = 100, 1e-9
PRIOR = 0.5  # observations of 0 and of 1 that are added at the easiest and at the hardest


@dataclass(frozen=True)
class Difficulty:
    """The curve expit(intercept + slope * x) for scores at difficulties x."""

    intercept: float
    slope: float
    half: float  # the difficulty at which the mean score is one half; nan for a flat curve
    low: float  # its interval; infinite ends where the scores leave it open
    high: float
    inside: bool  # whether it lies between the easiest and the hardest that was played
    n: int
    clusters: int
    confidence: float

    def at(self, difficulty: float) -> float:
        """Return the expected score at a difficulty."""
        return float(expit(self.intercept + self.slope * difficulty))


def difficulty(
    x: ArrayLike, scores: ArrayLike, starts: Labels | None = None, *, confidence: float = CONFIDENCE
) -> Difficulty:
    """Fits scores from 0 to 1 at difficulties x, with an interval over starts (Fieller's)."""
    places, values = floats(x), floats(scores)
    labels = numbered(starts, len(values))
    if len(places) != len(values) or not len(values):
        raise ValueError("each score has a difficulty, and there is at least one")
    if not np.ptp(places):
        raise ValueError("a curve needs at least two difficulties")
    ends = np.array([places.min(), places.max()])
    design = np.stack([np.ones(len(places)), places], axis=1)
    added = np.stack([np.ones(4), np.repeat(ends, 2)], axis=1)
    found, bread = _fit(design, values, added)
    off = (values - expit(design @ found))[:, None] * design
    sums = np.stack([np.bincount(labels, off[:, 0]), np.bincount(labels, off[:, 1])], axis=1)
    clusters = len(sums)
    if clusters < 3:
        raise ValueError("a curve needs at least three starts")
    spread = bread @ (sums.T @ sums) @ bread * clusters / (clusters - 2)
    quantile = student(clusters - 2, confidence)
    half = float(-found[0] / found[1]) if found[1] else nan
    low, high = _crossing(found, spread, quantile)
    inside = bool(ends[0] <= half <= ends[1])
    return Difficulty(
        float(found[0]), float(found[1]), half, low, high, inside, len(values), clusters, confidence
    )


def _fit(design: Floats, values: Floats, added: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients, and the inverse of their information; both with the added
    observations.
    """
    rows = np.concatenate([design, added])
    targets = np.concatenate([values, [0.0, 1.0, 0.0, 1.0]])
    weights = np.concatenate([np.ones(len(values)), np.full(4, PRIOR / 2)])
    middle, width = added[:, 1].mean(), np.ptp(added[:, 1])
    scaled = np.stack([rows[:, 0], (rows[:, 1] - middle) / width], axis=1)
    found = np.zeros(2)
    for _ in range(STEPS):
        curve = expit(scaled @ found)
        gradient = scaled.T @ (weights * (targets - curve))
        information = (scaled * (weights * curve * (1 - curve))[:, None]).T @ scaled
        step = np.linalg.solve(information, gradient)
        found = found + step * min(1.0, 2 / max(float(np.abs(step).max()), CLOSE))
        if np.abs(step).max() < CLOSE:
            break
    else:
        raise ArithmeticError("the fit of the curve did not converge")
    back = np.array([[1.0, -middle / width], [0.0, 1 / width]])  # to the scale of x
    return back @ found, back @ np.linalg.inv(information) @ back.T


def _crossing(found: Floats, spread: Floats, quantile: float) -> tuple[float, float]:
    """Return the difficulties at which intercept + slope * x is not significantly different
    from 0.
    """
    covered = Spread(spread[0, 0], -spread[0, 1], spread[1, 1])
    ends = fieller(-found[0], found[1], covered, quantile)
    if ends is None:  # the curve may be flat
        return -inf, inf
    return float(ends[0]), float(ends[1])
