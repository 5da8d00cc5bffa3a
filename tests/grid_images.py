"""All images of a small grid under exchanges of lines and names of values, by brute force."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import permutations, product

Line = frozenset[int]


@cache
def moves(side: int, lines: tuple[frozenset[Line], ...]) -> list[tuple[int, ...]]:
    """For each cell the one that it comes from, for all moves that keep each set of lines.

    Rows and columns change places among each other, or rows become columns.
    """
    orders = list(permutations(range(side)))
    found = []
    for down, across in product(orders, repeat=2):
        straight = tuple(row * side + column for row in down for column in across)
        crossed = tuple(row * side + column for column in across for row in down)
        found += [
            sources
            for sources in (straight, crossed)
            if all({frozenset(sources[at] for at in line) for line in own} == own for own in lines)
        ]
    return found


def images(cells: str, symbols: str, *lines: Collection[Collection[int]]) -> Iterator[str]:
    """The grid after each move and under all names; "." has none."""
    side = len(symbols)
    kept = tuple(frozenset(map(frozenset, own)) for own in lines)
    for sources in moves(side, kept):
        moved = "".join(cells[source] for source in sources)
        for names in permutations(symbols):
            yield moved.translate(str.maketrans(symbols, "".join(names)))
