"""A mean with its interval, and the types of arrays in this package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = ArrayLike  # equal entries name the same thing
Method: TypeAlias = Literal["Wilson", "t", "bootstrap", "Tango", "Fieller", "known", "none"]

CONFIDENCE = 0.95
# The normal quantile of that, which nearly every interval needs: importing scipy takes a quarter of
# a second, and some runs end with no interval for which it has to compute anything.
USUAL_NORMAL = 1.959963984540054


class Stratum(NamedTuple):
    """Cases that are drawn alike: starts of a level, or playings of one start of a short list."""

    weight: float  # in the mean
    cases: float  # whole, or as many as would vary as much
    mean: float
    variance: float  # of a case; 0 with one case


@dataclass(frozen=True)
class Estimate:
    """A mean over starts with its interval."""

    mean: float
    low: float
    high: float
    method: Method
    error: float  # standard error of the mean; nan if nothing is known about it
    freedom: float  # degrees of freedom of the standard error
    n: int  # observations
    clusters: int  # distinct starts
    strata: tuple[Stratum, ...]  # whose luck it depends on; none if it is known exactly
    confidence: float = CONFIDENCE

    @property
    def half(self) -> float:
        """Half of the length of the interval."""
        return (self.high - self.low) / 2


def normal(confidence: float) -> float:
    """Return the normal quantile of a two-sided interval."""
    if confidence == CONFIDENCE:
        return USUAL_NORMAL
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2))


def student(freedom: float, confidence: float) -> float:
    """Return the quantile of Student's t of a two-sided interval."""
    return float(students(freedom, confidence))


def students(freedom: ArrayLike, confidence: float) -> Floats:
    """Return the same for several degrees of freedom."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(freedom, 0.5 + confidence / 2))


def floats(values: ArrayLike) -> Floats:
    """Values as a flat array of numbers."""
    return np.asarray(values, dtype=np.float64).reshape(-1)


def numbered(labels: Labels | None, count: int) -> Ints:
    """Labels as numbers from 0; without labels, each of `count` entries has its own."""
    if labels is None:
        return np.arange(count, dtype=np.int64)
    found = np.unique(np.asarray(labels), return_inverse=True)[1].reshape(-1).astype(np.int64)
    if len(found) != count:
        raise ValueError(f"{len(found)} labels for {count} observations")
    return found
