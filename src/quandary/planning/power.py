"""What a planned run could show: the difference it would detect, and what halving its interval
would cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from quandary.results.starts import listed_starts
from quandary.scoring.rules_only import rules_only
from quandary.statistics.estimates import CONFIDENCE, student
from quandary.statistics.power import (
    Components,
    Halving,
    detectable,
    deviation_of_differences,
    halving,
)

from .plan import Games, Plan

DEVIATION = 0.5  # of right or wrong answers of which half are right, the largest there is
CORRELATION = 0.5  # of two players' scores on the same start


@dataclass(frozen=True)
class Power:
    """What the run could show about two players who play all of it."""

    starts: int
    # As many starts of one level would give the same interval: levels count alike in their puzzle,
    # puzzles alike overall.
    effective: int
    deviation: float  # of the difference of two players on one start
    is_measured: bool  # whether an earlier run tells the deviation
    detectable: float  # infinite if there are too few starts
    halving: Halving
    left_out: tuple[str, ...] = ()  # puzzles that say nothing about the languages of the run

    @property
    def half(self) -> float:
        """Half of the expected 95 % interval."""
        freedom = max(1, self.effective - 1)  # as in `detectable`
        return student(freedom, CONFIDENCE) * self.deviation / sqrt(self.effective)


def power_of(found: Plan, deviation: float | None = None) -> Power:
    """Return what a run could show; `deviation` is that of differences, if it is known.

    A run in several languages is to compare them, which only puzzles can whose words are
    translated.
    """
    is_measured = deviation is not None
    if deviation is None:
        deviation = deviation_of_differences(DEVIATION, DEVIATION, CORRELATION)
    puzzles = map(puzzle_of, found.levels)
    left_out = rules_only(puzzles) if len(found.languages) > 1 else []
    levels = [level for level in found.levels if puzzle_of(level) not in left_out]
    effective = max(1, round(1 / variance(levels))) if levels else 1
    return Power(
        sum(map(starts_of, levels)),
        effective,
        deviation,
        is_measured,
        detectable(effective, deviation),
        halving(effective, found.suite.repeats, Components(deviation**2, 0.0), found.dollars or 0),
        tuple(left_out),
    )


def puzzle_of(level: Games) -> str:
    """Return the puzzle of a level, with its task."""
    return level.entry.partition("/")[0]


def starts_of(level: Games) -> int:
    """Return the distinct starts of a level: fewer than instances, if there is only a short
    list.
    """
    return min(level.instances, listed_starts(level.spec) or level.instances)


def variance(levels: Sequence[Games]) -> float:
    """Return the variance of the overall mean, if that of one start is 1."""
    puzzles = defaultdict[str, list[float]](list)
    for level in levels:
        puzzles[puzzle_of(level)].append(1 / starts_of(level))
    parts = [fmean(own) / len(own) for own in puzzles.values()]
    return fmean(parts) / len(parts)
