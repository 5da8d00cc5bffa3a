"""Drawing several islands of equal size on one square map.

Cells are numbered row by row from 0; a set of cells is an integer with one bit per cell.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TypeAlias

Island: TypeAlias = tuple[int, ...]  # its cells in the order in which it grows
TRIES = 20  # random drawings per size of the islands; the levels need only a few


@lru_cache(maxsize=1 << 10)
def draw_islands(size: int, count: int) -> tuple[Island, ...]:
    """Separate islands of equal size on a map with `size` rows; () if there is no room for them.

    Each takes three fifths of its share of the map, as in the paper, or as much as could be drawn.
    The first cells of an island are an island too, so one drawing serves all smaller sizes.
    """
    neighbours = _neighbours(size)
    for tiles in range(size * size // count * 3 // 5, 0, -1):
        rng = Random(f"{size} {count} {tiles}")
        for _ in range(TRIES):
            if islands := _try_to_draw(neighbours, count, tiles, rng):
                return islands
    return ()


def _try_to_draw(neighbours: list[int], count: int, tiles: int, rng: Random) -> tuple[Island, ...]:
    """Islands grown one by one, always by a cell that uses up as little open water as possible."""
    free, islands = (1 << len(neighbours)) - 1, list[Island]()
    while free and len(islands) < count:
        island, land, shore = list[int](), 0, 0
        reach = free
        while reach and len(island) < tiles:
            cell = _tightest(reach, free & ~land & ~shore, neighbours, rng)
            island.append(cell)
            land |= 1 << cell
            shore |= neighbours[cell]
            reach = shore & free & ~land
        free &= ~(land | shore)
        if len(island) == tiles:
            islands.append(tuple(island))
    return tuple(islands) if len(islands) == count else ()


def _tightest(cells: int, water: int, neighbours: list[int], rng: Random) -> int:
    """Return the cell with the least open water around it; ties are broken at random."""
    listed = [cell for cell in range(cells.bit_length()) if cells >> cell & 1]
    return min(listed, key=lambda cell: ((neighbours[cell] & water).bit_count(), rng.random()))


def _neighbours(size: int) -> list[int]:
    """For each cell the set of cells to its left and right, above and below."""
    places = [(row, column) for row in range(size) for column in range(size)]
    return [
        sum(
            1 << number
            for number, (other_row, other_column) in enumerate(places)
            if abs(other_row - row) + abs(other_column - column) == 1
        )
        for row, column in places
    ]
