"""Missing results, bounded from both sides."""

from __future__ import annotations

from dataclasses import dataclass

from .estimates import Estimate


@dataclass(frozen=True)
class BoundedMean:
    """A mean with some of its results missing."""

    present: Estimate | None  # of the results that are there, as if the others were like them
    worst: Estimate  # the missing ones counted as the lowest score
    best: Estimate  # and as the highest
    missing: int
    n: int  # results that should be there

    @property
    def low(self) -> float:
        """The lower end, whatever the missing results are."""
        return self.worst.low

    @property
    def high(self) -> float:
        """The upper end, whatever the missing results are."""
        return self.best.high
