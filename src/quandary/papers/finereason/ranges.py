"""Whole numbers in ranges, so that there are enough of each to average over."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from quandary.scoring.groups import Texts
from quandary.statistics.estimates import Floats, Ints

MOST_RANGES = 6
STEPS = (1, 2, 5)  # widths, and their multiples by powers of ten


def equal_ranges(values: Floats) -> Texts:
    """Ranges of equal width, at most six: 0-9, 10-19, ..."""
    low, high, tens = int(values.min()), int(values.max()), 1
    while True:
        for width in (step * tens for step in STEPS):
            if high // width - low // width < MOST_RANGES:
                return _named((values // width).astype(np.int64), width)
        tens *= 10


def _named(places: Ints, width: int) -> Texts:
    known, codes = np.unique(places, return_inverse=True)
    begins = [place * width for place in known.tolist()]
    names = [f"{low}-{low + width - 1}" if width > 1 else f"{low}" for low in begins]
    return Texts(codes.astype(np.int64), names)


def decades(values: Floats, cap: int) -> Texts:
    """0, 1-9, 10-99, ... up to `cap`, from which on nothing was counted."""
    ends = [0, 1]
    while ends[-1] < cap:
        ends.append(min(10 * ends[-1], cap))
    codes = np.searchsorted(ends, values, side="right") - 1
    names = ["0", *(f"{low}-{high - 1}" for low, high in pairwise(ends[1:]))]
    return Texts(codes.astype(np.int64), [*names, f"{cap:,} or more"])
