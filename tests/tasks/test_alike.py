"""Tasks turned, mirrored or renamed: what they show stays together."""

from __future__ import annotations

from random import Random

import pytest
from proofs.resumable import state_levels

from quandary.catalogue import drawing
from quandary.tasks.next_state import NextState
from quandary.tasks.question_game import QuestionGame
from quandary.tasks.search_tree import children
from quandary.tasks.state_check import StateCheck

GAMES = [level for level in state_levels() if level.endswith("/easy")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(1, 4))
def test_positions_of_one_match_are_turned_together(game: str, seed: int) -> None:
    """What was tried is still one move away, and the label is still true."""
    task = drawing.instance(f"next:{game}#{seed}")
    assert isinstance(task, NextState)
    turned = task.equivalent(Random(seed))

    assert turned.position in children(turned.parent)
    assert turned.tried is None or turned.tried in children(turned.position)
    assert turned.status == turned.position.solvable()
    assert 1.0 == turned.check(turned.solution()).score
    assert task.canonical() == turned.canonical()
    assert task.start.canonical() == turned.start.canonical()


def test_turned_tasks_differ() -> None:
    """In most of some turns of a grid."""
    task = drawing.instance("check:sudoku/easy#1")
    assert isinstance(task, StateCheck)
    turned = [task.equivalent(Random(seed)) for seed in range(10)]

    assert len({one.position for one in turned}) > 5
    assert {task.solution()} == {one.solution() for one in turned}


def test_an_answer_stays_with_its_question() -> None:
    """A question is not renamed under an answer that was given to it."""
    asked = drawing.game("text_sudoku/easy#1", tries=2)
    assert isinstance(asked, QuestionGame)
    answered = asked.play(0, "no answer")

    assert asked != asked.equivalent(Random(1))
    assert asked.canonical() == asked.equivalent(Random(1)).canonical()
    assert answered == answered.equivalent(Random(1))
