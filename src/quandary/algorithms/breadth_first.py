"""Breadth-first search for the goal of a one-seat game, over the moves `branches` names.

A position that is reached in several orders of moves is looked at once.
"""

from __future__ import annotations

from collections import deque

from quandary.core.contract import Move, StateTasks, solved


def breadth_first(position: StateTasks, budget: int) -> Move:
    """Return the first move of a shortest path to the goal, or to the last position within the
    budget.
    """
    queue = deque((move, position.after(0, move)) for move in position.branches())
    first, seen = queue[0][0], {here for _, here in queue}
    while queue and budget > 0:
        first, here = queue.popleft()
        if solved(here):
            break
        for move in here.branches():
            after = here.after(0, move)
            if after not in seen:
                seen.add(after)
                queue.append((first, after))
        budget -= 1
    return first
