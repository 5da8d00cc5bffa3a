"""Breadth-first search."""

from __future__ import annotations

import pytest

from quandary.algorithms.breadth_first import breadth_first
from quandary.catalogue import drawing
from quandary.core.contract import StateTasks, solved


@pytest.mark.parametrize("seed", range(5))
def test_the_way_it_finds_is_a_shortest_one(seed: int) -> None:
    """Following it move by move solves a board in the fewest moves there are."""
    position = drawing.game(f"k_queens/easy,spare=0#{seed}")
    assert isinstance(position, StateTasks)
    fewest = position.left  # type: ignore[attr-defined]
    moves = 0
    while position.options():
        position, moves = position.play(0, breadth_first(position, 10_000)), moves + 1

    assert solved(position)
    assert fewest == moves


def test_a_small_budget_still_moves() -> None:
    """Some move that can be made, found or not."""
    position = drawing.game("k_queens/hard#1")
    assert isinstance(position, StateTasks)

    assert breadth_first(position, 1) in (position.options()[0] or ())
