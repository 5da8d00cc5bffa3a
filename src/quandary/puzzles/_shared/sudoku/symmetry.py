"""When two sudoku grids are the same task.

Rows may change places within a band of boxes, bands with each other, columns likewise, rows with
columns if boxes are square, and values may have other names.
"""

from __future__ import annotations

from random import Random

from quandary.algorithms.graphs import canonical_form
from quandary.puzzles._shared.square_grid import EMPTY, GridSymmetry, side_of

from .grid import SYMBOLS, box_shape

# Kinds of nodes in the graph of a grid.
SIDE, BAND, LINE, VALUE, CLUE, MARK = range(6)


def canonical(cells: str, mark: int | None = None) -> tuple[int, ...]:
    """Equal for exactly the grids that are the same task; `mark` is a cell that moves along.

    It is the canonical form of a graph: two sides (rows and columns), the bands of each, the lines
    of each band, the values, and a node for every clue that is joined to its lines and its value.
    """
    side = side_of(cells)
    kinds, joined = _frame(side)
    row, column = len(kinds) - 3 * side, len(kinds) - 2 * side
    value = {symbol: len(kinds) - side + place for place, symbol in enumerate(SYMBOLS[:side])}
    for cell, symbol in enumerate(cells):
        if symbol != EMPTY:
            joined.append((len(kinds), row + cell // side, column + cell % side, value[symbol]))
            kinds.append(CLUE)
    if mark is not None:
        joined.append((len(kinds), row + mark // side, column + mark % side))
        kinds.append(MARK)
    graph = [0] * len(kinds)
    for node, *others in joined:
        for other in others:
            graph[node] |= 1 << other
            graph[other] |= 1 << node
    return (side, *canonical_form(tuple(graph), tuple(kinds)))


def _frame(side: int) -> tuple[list[int], list[tuple[int, ...]]]:
    """Kinds and joins of the nodes that every grid of a side has; rows, columns, values last."""
    height, width = box_shape(side)
    bands, stacks = range(2, 2 + width), range(2 + width, 2 + width + height)
    rows = 2 + width + height
    columns = rows + side
    kinds = [SIDE] * 2 + [BAND] * (width + height) + [LINE] * (2 * side) + [VALUE] * side
    joined = [(0, *bands), (1, *stacks)]
    for first, size, of in ((rows, height, bands), (columns, width, stacks)):
        starts = range(first, first + side, size)
        joined += [(band, *range(at, at + size)) for band, at in zip(of, starts, strict=True)]
    return kinds, joined


def random_turn(rng: Random, side: int) -> GridSymmetry:
    """Lines that change places and values that change names, drawn uniformly."""
    height, width = box_shape(side)
    rows, columns = shuffled_lines(rng, side, height), shuffled_lines(rng, side, width)
    sources = [row * side + column for row in rows for column in columns]
    if height == width and rng.random() < 0.5:
        sources = [row * side + column for column in columns for row in rows]
    symbols = SYMBOLS[:side]
    names = str.maketrans(symbols, "".join(rng.sample(symbols, side)))
    return GridSymmetry(tuple(sources), names)


def shuffled_lines(rng: Random, side: int, size: int) -> list[int]:
    """Lines in a new order that keeps those of a band of `size` together."""
    bands = [list(range(start, start + size)) for start in range(0, side, size)]
    rng.shuffle(bands)
    for band in bands:
        rng.shuffle(band)
    return [line for band in bands for line in band]
