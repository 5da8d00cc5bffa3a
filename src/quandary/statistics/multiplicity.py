"""Many comparisons at once: p values that are adjusted for their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .estimates import Floats, floats


def holm(p: ArrayLike) -> Floats:
    """Holm's adjusted p values: below 0.05, all claims together are wrong 1 time in 20 at most."""
    values = _checked(p)
    order = np.argsort(values, kind="stable")
    steps = np.arange(len(values), 0, -1) * values[order]
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Benjamini and Hochberg's: of the claims below 0.05, 1 in 20 is expected to be wrong."""
    from scipy.stats import false_discovery_control  # takes a second, and every run would wait

    values = _checked(p)
    return floats(false_discovery_control(values)) if len(values) else values


def _checked(p: ArrayLike) -> Floats:
    values = floats(p)
    if not ((values >= 0.0) & (values <= 1.0)).all():
        raise ValueError("p values are numbers from 0 to 1")
    return values
