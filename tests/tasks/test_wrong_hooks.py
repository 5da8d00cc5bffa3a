"""Hooks of a puzzle from outside that return another type than a state task needs."""

from __future__ import annotations

from random import Random

import pytest

from broken_hooks import GapsInText, ListedAppearance
from quandary.core.contract import StateTasks
from quandary.core.errors import UserError
from quandary.tasks.state_check import StateCheck

SENTENCES: dict[type[StateTasks], str] = {
    GapsInText: "`gaps` of GapsInText must return a whole number or None, not 'many'.",
    ListedAppearance: "`appearance` of ListedAppearance must return something that can be hashed, "
    "such as a tuple, not a list.",
}


@pytest.mark.parametrize("puzzle", SENTENCES)
def test_the_hook_is_named(puzzle: type[StateTasks]) -> None:
    start = puzzle.new(Random(1))

    with pytest.raises(UserError) as refused:
        next(iter(StateCheck.drawn(Random(2), start, depth=(1, 3))))

    assert str(refused.value) == SENTENCES[puzzle]
