"""What a run could detect, and what halving its interval takes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from scipy.special import ndtri

from .estimates import CONFIDENCE, student

POWER = 0.8  # how often a difference of that size would be detected
FEWEST = 6  # even if all differences have one sign, fewer starts are no evidence at 95 %


@dataclass(frozen=True)
class Components:
    """The variance of scores, in two parts."""

    between: float  # of what a start is worth to the player
    within: float  # of luck on one start; 0 if no start was repeated

    def of_mean(self, repeats: float) -> float:
        """Return the variance of the mean of one start that is played `repeats` times."""
        return self.between + self.within / repeats


def deviation_of_differences(first: float, second: float, correlation: float = 0.0) -> float:
    """Return the standard deviation of paired differences, from those of the two; unpaired
    for 0.
    """
    return sqrt(max(0.0, first**2 + second**2 - 2 * correlation * first * second))


def detectable(
    starts: int, deviation: float, *, power: float = POWER, confidence: float = CONFIDENCE
) -> float:
    """Return the smallest difference that this many starts detect; `deviation` is that of one
    start.
    """
    if starts < FEWEST:
        return float("inf")
    return (student(starts - 1, confidence) + float(ndtri(power))) * deviation / sqrt(starts)


@dataclass(frozen=True)
class Halving:
    """Ways to an interval half as long."""

    starts: int  # altogether, with as many repeats as now
    repeats: int | None  # altogether on each start, with the starts of now; None: never enough
    cost: float  # of what is to be added, by the cheaper of the two


def halving(starts: int, repeats: int, parts: Components, cost: float) -> Halving:
    """Return what halving the interval would take, if everything so far cost `cost`."""
    goal = parts.of_mean(repeats) / 4 - parts.between
    more = ceil(round(parts.within / goal, 9)) if goal > 0 else None
    factor = 4.0 if more is None else min(4.0, more / repeats)
    return Halving(4 * starts, more, cost * (factor - 1))
