"""What simulations of intervals and tests have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any
from zlib import crc32

import numpy as np

SEED = 2026
Trial = Callable[..., Iterable[bool]]  # takes a generator and the arguments of its case


@dataclass(frozen=True)
class Point:
    """One case of a grid: how often what is claimed was true."""

    case: str
    share: float
    trials: int  # 0: computed exactly
    width: float | None = None  # of the intervals, on average
    wide: float | None = None  # the 95th percentile of their widths


def simulate(case: str, trials: int, trial: Trial, *arguments: Any) -> Point:
    """Repeats a trial, each with luck of its own that depends on the case and its number alone."""
    held = list[bool]()
    for number in range(trials):
        rng = np.random.default_rng([SEED, crc32(case.encode()), number])
        held += trial(rng, *arguments)
    return Point(case, float(np.mean(held)), trials)


@dataclass(frozen=True)
class Regime:
    """A kind of interval or test over a grid of cases."""

    title: str
    grid: str  # what was varied, in words
    points: Callable[[int], Iterator[Point]]  # for a number of trials
    trials: int
    share: tuple[float, float]  # where the average over the grid must lie
    lowest: float = 0.0  # what the share of each case must reach
    width: float = inf  # what the mean width must not exceed, on average over the grid
    wide: float = inf  # and the 95th percentile of widths
