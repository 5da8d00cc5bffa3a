"""Walks over a board whose opposite edges are joined."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from quandary.kit.boards import Place, stepped


def walked(
    start: Place,
    directions: Iterable[str],
    size: tuple[int, int],
    traps: Collection[Place] = (),
    *,
    joined: bool = True,
) -> list[Place]:
    """Where a piece stands after each step on a board of so many rows and columns.

    A piece in a trap stays there.  If the edges are not joined, a step off the board does nothing.
    """
    (rows, columns), place, way = size, start, list[Place]()
    for direction in directions:
        if place not in traps:
            row, column = stepped(place, direction)
            if joined or (0 <= row < rows and 0 <= column < columns):
                place = row % rows, column % columns
        way.append(place)
    return way
