"""Blind rules: how many labels of state checks a threshold on one visible thing gets right.

What is visible is defined here, for conformance, proofs and the tables of runs alike.
A fair sampler leaves each share at one half, but for luck: see `highest_fair_share`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from .state_check import StateCheck
from .state_task import StateTask

ALLOWED, QUESTIONS = 0.57, 1_000  # the highest allowed share, and of how many questions


class Visible(NamedTuple):
    """The features of a state task that can be seen without knowing the rules."""

    moves: int  # legal moves
    length: int  # characters of the state
    depth: int | None  # moves from the start; None if it is not known
    is_child_shown: bool
    is_child_first: bool  # whether the child shown as tried is that of the first legal move


def visible(task: StateTask) -> Visible:
    position, tried = task.position, task.tried
    moves = position.options().get(0) or ()
    first = next((position.after(0, move) for move in moves), None)
    is_first = tried is not None and first is not None and tried.state() == first.state()
    return Visible(len(moves), len(position.state()), task.depth, tried is not None, is_first)


def best_shares(questions: Sequence[StateCheck]) -> Mapping[str, float]:
    """Return the share of labels that the best threshold on each visible thing gets right."""
    labels = [question.solution() == "solvable" for question in questions]
    columns = zip(*map(visible, questions), strict=True)
    return {
        name: best_share(column, labels)
        for name, column in zip(Visible._fields, columns, strict=True)
    }


def highest_fair_share(count: int) -> float:
    """Return the highest share that is put down to luck over so many questions.

    It lies 4.4 standard errors above one half, as ALLOWED does for QUESTIONS.  The best of
    five thresholds on things that tell nothing passes it about once in 2,000 samples, by
    simulation.
    """
    return 0.5 + (ALLOWED - 0.5) * sqrt(QUESTIONS / count)


def best_share(values: Sequence[float | None], labels: Sequence[bool]) -> float:
    """Return the share of labels that the best threshold gets right, in either direction.

    A value that is not known counts as less than all others.
    """
    known = (-1 if value is None else value for value in values)
    ranked = sorted(zip(known, labels, strict=True))
    right = sum(is_solvable for _, is_solvable in ranked)  # if all are called solvable
    best = max(right, len(ranked) - right)
    for place, (value, is_solvable) in enumerate(ranked, start=1):
        right += -1 if is_solvable else 1
        if place == len(ranked) or ranked[place][0] != value:
            best = max(best, right, len(ranked) - right)
    return best / len(ranked)
