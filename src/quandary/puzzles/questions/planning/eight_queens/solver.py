"""Placements of queens of which none attacks another, on boards of any shape."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import product

from quandary.algorithms.exact_cover import covers
from quandary.puzzles.questions._shared.boards import Place

LARGEST = 10  # cells per side; all placements are listed


@lru_cache(maxsize=64)
def placements(rows: int, columns: int) -> tuple[frozenset[Place], ...]:
    """Return all of them, with one queen in each row, or in each column if there are fewer
    columns.
    """
    if max(rows, columns) > LARGEST:
        raise ValueError(f"boards of more than {LARGEST} x {LARGEST} cells take too long")
    cells = list(product(range(rows), range(columns)))
    lines = [
        [("row", row), ("column", column), ("falling", row - column), ("rising", row + column)]
        for row, column in cells
    ]
    kind = "row" if rows <= columns else "column"
    full = [(kind, number) for number in range(min(rows, columns))]
    return tuple(frozenset(cells[at] for at in chosen) for chosen in covers(full, lines))


def fitting(
    rows: int, columns: int, queens: Collection[Place], forbidden: Collection[Place]
) -> list[frozenset[Place]]:
    """Return the placements with some queens given and some cells forbidden."""
    given = frozenset(queens)
    return [one for one in placements(rows, columns) if given <= one and one.isdisjoint(forbidden)]


def open_places(some: Iterable[Place], queens: Collection[Place]) -> set[Place]:
    """Those that no queen attacks."""
    return {place for place in some if not any(_attacks(queen, place) for queen in queens)}


def _attacks(queen: Place, place: Place) -> bool:
    down, across = queen[0] - place[0], queen[1] - place[1]
    return down == 0 or across == 0 or abs(down) == abs(across)
