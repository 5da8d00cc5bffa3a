"""The conformance suite refuses broken puzzles and names what is broken."""

from __future__ import annotations

import pytest

from broken_puzzles import FAULTS, Sound, SoundQuestion, SoundSolo
from quandary.core import registry, scene
from quandary.core.conformance import check
from quandary.core.contract import Puzzle
from quandary.render import svg


@pytest.mark.parametrize("puzzle", [Sound, SoundQuestion, SoundSolo])
def test_a_sound_puzzle_from_elsewhere_passes(puzzle: type[Puzzle]) -> None:
    """The puzzles the broken ones are made from have no fault of their own."""
    assert [str(fault) for fault in check(puzzle)] == []
    assert registry.GUESTS == {}


@pytest.mark.parametrize("puzzle", FAULTS, ids=lambda puzzle: puzzle.__name__)
def test_a_broken_puzzle_is_refused(puzzle: type[Puzzle]) -> None:
    """Each fault is found and named."""
    sentences = [fault.sentence for fault in check(puzzle)]

    assert any(FAULTS[puzzle] in sentence for sentence in sentences), sentences


def test_scenes_and_pictures_share_their_colours() -> None:
    """What conformance calls a colour is what can be drawn, and nothing else."""
    assert scene.COLOURS == tuple(svg.COLOURS)
