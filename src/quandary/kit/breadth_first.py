"""Breadth-first search for the goal of a one-seat game, over the moves `branches` names."""

from __future__ import annotations

from collections import deque

from quandary.core.contract import Game, Move, solved


def breadth_first(position: Game, budget: int) -> Move:
    """The first move of a shortest path to the goal, or to the last position within the budget."""
    queue = deque((move, position.after(0, move)) for move in position.branches())
    first = queue[0][0]
    while queue and budget > 0:
        first, here = queue.popleft()
        if solved(here):
            break
        queue.extend((first, here.after(0, move)) for move in here.branches())
        budget -= 1
    return first
