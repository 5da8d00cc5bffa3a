"""The conformance suite refuses broken puzzles and names what is broken."""

from __future__ import annotations

import pytest

from broken_puzzles import FAULTS, Sound, SoundQuestion
from quandary.core import registry
from quandary.core.conformance import check
from quandary.core.contract import Puzzle


@pytest.mark.parametrize("puzzle", [Sound, SoundQuestion])
def test_a_sound_puzzle_from_elsewhere_passes(puzzle: type[Puzzle]) -> None:
    """The puzzles the broken ones are made from have no fault of their own."""
    assert [str(fault) for fault in check(puzzle)] == []
    assert registry.GUESTS == {}


@pytest.mark.parametrize("puzzle", FAULTS, ids=lambda puzzle: puzzle.__name__)
def test_a_broken_puzzle_is_refused(puzzle: type[Puzzle]) -> None:
    """Each fault is found and named."""
    sentences = [fault.sentence for fault in check(puzzle)]

    assert any(FAULTS[puzzle] in sentence for sentence in sentences), sentences
