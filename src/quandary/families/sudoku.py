"""What sudoku and SudoKill share beyond their solver: moves and the picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache
from operator import eq, itemgetter

from quandary.core.contract import Move
from quandary.core.scene import Box, Label, Line, Scene, Shape
from quandary.kit.square_grid import EMPTY, side_of
from quandary.solvers.sudoku_grid import BITS, SYMBOLS, box_shape, places

from .grid_notation import write_fill


@lru_cache(maxsize=1 << 16)
def write_fills(side: int, cell: int, values: int) -> tuple[Move, ...]:
    """The fills of one cell with each of some values, which come as bits."""
    return tuple(write_fill(side, cell, symbol) for symbol, bit in BITS.items() if values & bit)


def fills_of(cells: str, among: Iterable[int]) -> list[Move]:
    """The fills of some empty cells that repeat no value.

    Cheaper than `candidates` where few cells matter.
    """
    outlook, found = _outlook(side_of(cells)), list[Move]()
    for cell in among:
        values_seen, fills = outlook[cell]
        seen = set(values_seen(cells))
        for value, fill in fills:
            if value not in seen:
                found.append(fill)
    return found


@cache
def _outlook(side: int) -> list[tuple[Callable[[str], tuple[str, ...]], list[tuple[str, Move]]]]:
    """For each cell the values of those in its row, column or box, and all its fills."""
    where, values = places(side), SYMBOLS[:side]
    return [
        (
            itemgetter(*[other for other, there in enumerate(where) if other != cell and any(map(eq, here, there))]),
            [(value, write_fill(side, cell, value)) for value in values],
        )
        for cell, here in enumerate(where)
    ]


def picture(cells: str, fills: Mapping[int, str], colours: Mapping[int, str], clicks: Collection[int]) -> Scene:
    """The board with its boxes, numbered from 0; a click on a cell means its row and column."""
    side, margin = side_of(cells), 0.7
    height, width = box_shape(side)
    shapes: list[Shape] = []
    for cell, value in enumerate(cells):
        row, column = divmod(cell, side)
        fill, colour = fills.get(cell, "paper"), colours.get(cell, "ink")
        click = f"{row} {column}" if cell in clicks else ""
        shapes.append(
            Box(
                column + margin,
                row + margin,
                fill=fill,
                text=value.strip(EMPTY),
                colour=colour,
                click=click,
            )
        )
    end = margin + side
    across = [((margin, margin + y), (end, margin + y)) for y in range(0, side + 1, height)]
    down = [((margin + x, margin), (margin + x, end)) for x in range(0, side + 1, width)]
    shapes += [Line(points, width=0.09) for points in (*across, *down)]
    shapes += [Label(margin + at + 0.5, margin / 2, str(at), colour="quiet") for at in range(side)]
    shapes += [Label(margin / 2, margin + at + 0.5, str(at), colour="quiet") for at in range(side)]
    return Scene(end + 0.1, end + 0.1, tuple(shapes))
