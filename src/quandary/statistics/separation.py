"""How many seeds separate two players whose scores were compared on the same instances."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from scipy.special import ndtri

from .estimates import CONFIDENCE, student
from .power import FEWEST, POWER


class Separation(NamedTuple):
    """What some differences of scores say about two players."""

    difference: float
    deviation: float  # of the difference on one instance
    seeds: int | None  # that separate them; None if the differences leave open which is better
    more_than: int  # if they leave it open: as many seeds would not be enough


def separation(differences: Sequence[float]) -> Separation:
    """Return the seeds after which a 95 % interval of the difference excludes 0, four times in
    five.
    """
    count, mean = len(differences), fmean(differences)
    deviation = stdev(differences) if count > 1 else 0.0
    if count < FEWEST:
        return Separation(mean, deviation, None, count)
    half = student(count - 1, CONFIDENCE) * deviation / sqrt(count)
    if abs(mean) > half:
        return Separation(mean, deviation, _needed(abs(mean), deviation), 0)
    return Separation(mean, deviation, None, max(count, _needed(abs(mean) + half, deviation)))


def _needed(difference: float, deviation: float) -> int:
    """Return the seeds for which an expected difference is as large as its interval and its
    luck.
    """
    seeds, enough = FEWEST, float(ndtri(POWER))
    while difference and (
        seeds < ((student(seeds - 1, CONFIDENCE) + enough) * deviation / difference) ** 2
    ):
        seeds = max(seeds + 1, ceil(seeds * 1.01))
    return seeds
