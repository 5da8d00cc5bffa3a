"""Reversi as the rule is told: pairs of pieces on one line, and what stands between them."""

from __future__ import annotations

from typing import Any


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    size = len(instance.board)
    cells = {(y, x): instance.board[y - 1][x - 1] for y in _to(size) for x in _to(size)}
    colour, boards = instance.first, []
    for place in instance.places:
        cells[place] = colour
        _flip(cells, place, colour, instance.flips == "cascade")
        boards.append([[cells[y, x] for x in _to(size)] for y in _to(size)])
        colour = "1" if colour == "0" else "0"
    return boards[-1], boards


def _to(size: int) -> range:
    return range(1, size + 1)


def _flip(
    cells: dict[tuple[int, int], str], place: tuple[int, int], colour: str, cascade: bool
) -> None:
    """Flip what the new piece encloses; in a cascade, begin again with each piece that flipped."""
    enclosed = set[tuple[int, int]]()
    for other, at in cells.items():
        between = _between(place, other)
        if at == colour and between and all(cells[one] not in (colour, "*") for one in between):
            enclosed |= set(between)
    for one in enclosed:
        cells[one] = colour
    for one in sorted(enclosed) if cascade else ():
        _flip(cells, one, colour, cascade)


def _between(one: tuple[int, int], other: tuple[int, int]) -> list[tuple[int, int]]:
    """The squares between two on one row, column or diagonal; none for all others."""
    (y, x), (v, u) = one, other
    steps = max(abs(v - y), abs(u - x))
    if 0 not in (v - y, u - x) and abs(v - y) != abs(u - x):
        return []
    return [(y + (v - y) // steps * step, x + (u - x) // steps * step) for step in range(1, steps)]
