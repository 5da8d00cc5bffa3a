"""What a second solver says of the tasks of one seed, for short and for long tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from proofs import states
from proofs.second_solvers import puzzles


def faults_of(tasks: states.Drawn, most: int) -> Iterator[str]:
    """So many next states are drawn; `make prove` tries them all."""
    puzzle = type(tasks.step.start).__name__
    if puzzle not in puzzles():
        pytest.skip(f"proofs/second_solvers has no second solver for {puzzle}")
    yield from states.disagreements(tasks, most)
    yield from states.unproven(tasks.level, tasks.seed)
