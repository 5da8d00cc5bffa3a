"""Can a tower be made tidy in the moves that are left?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from typing import Any


def is_solvable(position: Any) -> bool:
    """By breadth-first search over what counts: how many cubes are 1, 2, 3 turns ahead of the one
    below; a turn changes one of these numbers, or two by opposite amounts.
    """
    if position.variant != "standard":
        raise ValueError("only towers of which any cube can be held are known here")
    ranks = ["RYBG".index(front) for front in position.cubes]
    ahead = [(upper - lower) % 4 for lower, upper in pairwise(ranks)]
    return _turns(len(ahead))[ahead.count(1), ahead.count(2), ahead.count(3)] <= position.left


@cache
def _turns(edges: int) -> dict[tuple[int, ...], int]:
    """The fewest turns for each number of edges with a difference of 1, 2 and 3."""
    start = (edges, 0, 0, 0)  # how many edges have each difference
    known, waiting = {start: 0}, [start]
    for counts in waiting:
        for after in _turned(counts):
            if after not in known:
                known[after] = known[counts] + 1
                waiting.append(after)
    return {counts[1:]: turns for counts, turns in known.items()}


def _turned(counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for quarters, here in product((1, 2, 3), range(4)):
        if not counts[here]:
            continue
        changed = list(counts)
        changed[here] -= 1
        changed[(here + quarters) % 4] += 1
        yield tuple(changed)  # no cube is held, or the lowest one is turned
        changed[(here + quarters) % 4] -= 1
        for there in range(4):
            if changed[there]:
                both = changed.copy()
                both[there] -= 1
                both[(there - quarters) % 4] += 1
                both[(here + quarters) % 4] += 1
                yield tuple(both)
