"""Whether a process begins with its start, beyond what the broken puzzles show to be found."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import pytest

from broken_worked import SoundWorked
from quandary.conformance.case import Case
from quandary.conformance.worked import processes_leave_out_the_start
from quandary.core.worked import Work, Worked, grown


@dataclass(frozen=True)
class OneSum(SoundWorked):
    """Add one number; the process has one entry, the sum."""

    sizes = {"a": grown(count=(1, 1, 1, 1))}
    without_process = {}


@dataclass(frozen=True)
class SameAsGiven(OneSum):
    """Find out a number that is always the one that is given, like a card after a draw."""

    def work(self, without: Hashable = None) -> Work:
        return Work.of_steps([str(self.start)])


@dataclass(frozen=True)
class OneSumLeftOut(OneSum):
    """Lists the number to which another is added, and not their sum."""

    def work(self, without: Hashable = None) -> Work:
        return Work(super().work(without).answer, [str(self.start)])


@dataclass(frozen=True)
class StartBeforeOneSum(OneSum):
    """Lists that number before the sum."""

    def work(self, without: Hashable = None) -> Work:
        answer, process = super().work(without)
        return Work(answer, [str(self.start), *process])


def faults(puzzle: type[Worked]) -> Sequence[str]:
    return [
        sentence
        for level in puzzle.levels
        for sentence in processes_leave_out_the_start(Case.of(puzzle, level))
    ]


@pytest.mark.parametrize("puzzle", [OneSum, SameAsGiven])
def test_an_only_entry_is_the_answer(puzzle: type[Worked]) -> None:
    """Whatever is given; what is left out of a process must leave something."""
    assert [] == faults(puzzle)


@pytest.mark.parametrize("puzzle", [OneSumLeftOut, StartBeforeOneSum])
def test_a_start_is_found_where_there_is_one_step(puzzle: type[Worked]) -> None:
    assert 4 == len(faults(puzzle))
    assert all("begins with the start" in sentence for sentence in faults(puzzle))
