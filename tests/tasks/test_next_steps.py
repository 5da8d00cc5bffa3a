"""What `next:` accepts is exactly the strict set; each other step is called what it is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from proofs.resumable import state_levels

from next_steps import check_steps, far_ahead, some_moves
from quandary.catalogue import drawing
from quandary.core.contract import StateTasks
from quandary.puzzles.solo.k_queens import KQueens
from quandary.puzzles.solo.tidy_tower import TidyTower
from quandary.tasks.next_state import NextState

LEVELS = list(state_levels())


@pytest.mark.parametrize("level", LEVELS)
def test_every_step_is_called_what_it_is(level: str) -> None:
    """Of five questions; `test_many_states.py` has three hundred."""
    for seed in range(5):
        asked = drawing.instance(f"next:{level}#{seed}")
        assert isinstance(asked, NextState)
        check_steps(asked, 12, seed)


@pytest.mark.parametrize("level", LEVELS)
def test_shortcuts_say_what_trying_moves_says(level: str) -> None:
    """What a puzzle knows about its moves without making them."""
    for seed in range(2):
        asked = drawing.instance(f"next:{level}#{seed}")
        assert isinstance(asked, NextState)
        here = asked.position
        for move in some_moves(here, 4, seed):
            child = here.after(0, move)
            assert child.solvable() == here.solvable_after(move), move
            assert (found := here.move_to(child)) and here.after(0, found).state() == child.state()
        for other in (here, asked.parent, *far_ahead(here)):
            assert None is here.move_to(other) is StateTasks.move_to(here, other), other.state()


def test_the_order_of_expressions_is_no_difference() -> None:
    for seed in range(20):
        asked = drawing.instance(f"next:game_of_24/easy#{seed}")
        assert isinstance(asked, NextState)
        right = drawing.instance(f"next:game_of_24/easy#{seed}").solution()  # type: ignore[attr-defined]
        texts = asked.position.restate(right).expressions  # type: ignore[attr-defined]

        assert 1.0 == asked.check(f"[{', '.join(reversed(texts))}]").score


@pytest.mark.parametrize("variant", ["standard", "published"])
def test_the_turn_between_two_towers_is_found_without_making_all(variant: Any) -> None:
    """From random towers to all that are one turn away, and to random ones."""
    rng = Random(variant)
    for _ in range(60):
        height = rng.randint(2, 6)
        here, *others = (
            TidyTower("".join(rng.choices("RYBG", k=height)), rng.randint(0, 3), variant)
            for _ in range(20)
        )
        others += [here, *(here.after(0, turn) for turn in here.options().get(0) or ())]
        for other in others:
            assert StateTasks.move_to(here, other) == here.move_to(other), (here, other)


@pytest.mark.heavy
@pytest.mark.parametrize("variant", ["standard", "published"])
def test_towers_lead_where_turns_lead(variant: Any) -> None:
    """By making all turns, up to three, of towers of three cubes."""
    towers = [first + second + third for first in "RY" for second in "RYBG" for third in "RYBG"]
    for start in (TidyTower(cubes, 3, variant) for cubes in towers):
        reached = {start}
        for left in (2, 1, 0) if start.options() else ():
            reached = {one.after(0, turn) for one in reached for turn in one.options().get(0) or ()}
            for cubes in towers:
                other = TidyTower(cubes, left, variant)
                assert start.leads_to(other) == (other in reached), (start, other)


@pytest.mark.heavy
def test_queens_lead_where_moves_lead() -> None:
    """By making all moves, up to two, of boards of side four."""
    rng = Random(1)
    squares = [(row, column) for row in range(4) for column in range(4)]
    boards = [tuple(sorted(rng.sample(squares, 4))) for _ in range(300)]
    for queens in boards[:20]:
        start = KQueens(queens, 2)
        reached = {start}
        for left in (1, 0):
            reached = {one.after(0, move) for one in reached for move in one.options().get(0) or ()}
            for other in (*(KQueens(one, left) for one in boards), *list(reached)[:100]):
                assert start.leads_to(other) == (other in reached), (start, other)
