"""Missing results, bounded from both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from .estimates import CONFIDENCE, Estimate, Labels, floats, numbered
from .intervals import UNIT, mean_estimate


@dataclass(frozen=True)
class BoundedMean:
    """A mean of which some results are missing."""

    present: Estimate | None  # of the results that are there, as if the others were like them
    worst: Estimate  # the missing ones counted as the lowest score
    best: Estimate  # and as the highest
    missing: int
    n: int  # results that should be there

    @property
    def share(self) -> float:
        """The share of results that are missing."""
        return self.missing / self.n

    @property
    def low(self) -> float:
        """The lower end, whatever the missing results are."""
        return self.worst.low

    @property
    def high(self) -> float:
        """The upper end, whatever the missing results are."""
        return self.best.high


def bounded_mean(
    scores: ArrayLike,
    starts: Labels | None = None,
    *,
    rng: Generator,
    listed: int | None = None,
    bounds: tuple[float, float] = UNIT,
    confidence: float = CONFIDENCE,
) -> BoundedMean:
    """The mean of scores, nan where a result is missing, for whatever the missing ones are."""
    values = floats(scores)
    labels = numbered(starts, len(values))
    gone = np.isnan(values)

    def estimate(fill: float) -> Estimate:
        filled = np.where(gone, fill, values)
        return mean_estimate(
            filled, labels, rng=rng, listed=listed, bounds=bounds, confidence=confidence
        )

    there = ~gone
    present = None
    if there.any():
        present = mean_estimate(
            values[there],
            labels[there],
            rng=rng,
            listed=listed,
            bounds=bounds,
            confidence=confidence,
        )
    return BoundedMean(
        present, estimate(bounds[0]), estimate(bounds[1]), int(gone.sum()), len(values)
    )
