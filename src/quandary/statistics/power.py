"""What a run could detect, how much it would need, and what halving its interval takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from numpy.typing import ArrayLike
from scipy.special import ndtri

from .clusters import cluster_means
from .estimates import CONFIDENCE, Labels, floats, numbered, student

POWER = 0.8  # how often a difference of that size would be detected
FEWEST = 6  # even if all differences have one sign, fewer starts are no evidence at 95 %


@dataclass(frozen=True)
class Components:
    """The variance of scores, in two parts."""

    between: float  # of what a start is worth to the player
    within: float  # of luck on one start; 0 if no start was repeated

    def of_mean(self, repeats: float) -> float:
        """The variance of the mean of one start that is played `repeats` times."""
        return self.between + self.within / repeats


def components(scores: ArrayLike, starts: Labels | None = None) -> Components:
    """The variance between starts and within them.

    Without repeats the two cannot be told apart, and all of it counts as between.
    """
    values = floats(scores)
    labels = numbered(starts, len(values))
    means, counts = cluster_means(values, labels)
    inner = len(values) - len(means)
    within = float(((values - means[labels]) ** 2).sum()) / inner if inner else 0.0
    total = float(means.var(ddof=1)) if len(means) > 1 else 0.0
    return Components(max(0.0, total - within * float((1 / counts).mean())), within)


def deviation_of_differences(first: float, second: float, correlation: float = 0.0) -> float:
    """The standard deviation of paired differences, from those of the two; unpaired for 0."""
    return sqrt(max(0.0, first**2 + second**2 - 2 * correlation * first * second))


def detectable(
    starts: int, deviation: float, *, power: float = POWER, confidence: float = CONFIDENCE
) -> float:
    """The smallest difference that this many starts detect; `deviation` is that of one start."""
    if starts < FEWEST:
        return float("inf")
    return (student(starts - 1, confidence) + float(ndtri(power))) * deviation / sqrt(starts)


def needed(
    difference: float, deviation: float, *, power: float = POWER, confidence: float = CONFIDENCE
) -> int:
    """The starts that would detect a difference."""
    if difference <= 0:
        raise ValueError("a difference to detect is above 0")
    low, high = FEWEST, FEWEST
    while detectable(high, deviation, power=power, confidence=confidence) > difference:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        if detectable(middle, deviation, power=power, confidence=confidence) > difference:
            low = middle + 1
        else:
            high = middle
    return high


@dataclass(frozen=True)
class Halving:
    """Ways to an interval half as long."""

    starts: int  # altogether, with as many repeats as now
    repeats: int | None  # altogether on each start, with the starts of now; None: never enough
    cost: float  # of what is to be added, by the cheaper of the two


def halving(starts: int, repeats: int, parts: Components, cost: float) -> Halving:
    """What halving the interval would take, if everything so far cost `cost`."""
    goal = parts.of_mean(repeats) / 4 - parts.between
    more = ceil(round(parts.within / goal, 9)) if goal > 0 else None
    factor = 4.0 if more is None else min(4.0, more / repeats)
    return Halving(4 * starts, more, cost * (factor - 1))
