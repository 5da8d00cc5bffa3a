"""When two grids of values are the same task, whatever their layout: with diagonals or without.

Lines may change places with each other and rows with columns, as far as all units stay units, and
values may have other names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeAlias

from quandary.algorithms.graphs import canonical_form
from quandary.puzzles._shared.square_grid import EMPTY
from quandary.puzzles._shared.sudoku.grid import SYMBOLS, box_shape
from quandary.puzzles._shared.sudoku.layout import (
    Layout,
    anti_diagonal,
    is_boxed,
    main_diagonal,
)
from quandary.puzzles._shared.sudoku.symmetry import shuffled_lines

Join: TypeAlias = tuple[int, int]  # two nodes of a graph
# Kinds of nodes in the graph of a grid.
CELL, UNIT, EQUAL, VALUE, CLUE = range(5)  # clues are of further kinds too


def canonical(layout: Layout, cells: str) -> tuple[int, ...]:
    """Equal for exactly the grids of a layout that are the same task.

    It is the canonical form of a graph: a node per cell, unit, line of equal values and value; a
    cell is joined to its lines, and to its value if that is given.
    """
    kinds, joins = lines_graph(layout)
    value = {symbol: len(kinds) + place for place, symbol in enumerate(SYMBOLS[: layout.side])}
    kinds += [VALUE] * layout.side
    joins += [(cell, value[symbol]) for cell, symbol in enumerate(cells) if symbol != EMPTY]
    return canonical_graph(kinds, joins)


def lines_graph(layout: Layout) -> tuple[list[int], list[Join]]:
    """Kinds and joins of the nodes of cells, which come first, and of all lines."""
    kinds, joins = [CELL] * layout.side**2, list[Join]()
    for kind, lines in ((UNIT, layout.units), (EQUAL, layout.equal)):
        for line in lines:
            joins += [(cell, len(kinds)) for cell in line]
            kinds.append(kind)
    return kinds, joins


def canonical_graph(kinds: list[int], joins: Iterable[Join]) -> tuple[int, ...]:
    graph = [0] * len(kinds)
    for one, other in joins:
        graph[one] |= 1 << other
        graph[other] |= 1 << one
    return canonical_form(tuple(graph), tuple(kinds))


def random_sources(rng: Random, layout: Layout) -> tuple[int, ...]:
    """For each cell the one that it comes from, in a random image of the same task."""
    side = layout.side
    while True:
        down, across = _random_orders(rng, layout)
        if rng.random() < 0.5:
            sources = tuple(row * side + column for row in down for column in across)
        else:
            sources = tuple(row * side + column for column in across for row in down)
        if keeps(layout, sources):
            return sources


def keeps(layout: Layout, sources: Sequence[int]) -> bool:
    """Return whether all lines are moved to lines of the same kind."""
    return all(
        {frozenset(sources[cell] for cell in line) for line in lines} == set(map(frozenset, lines))
        for lines in (layout.units, layout.equal)
    )


def _random_orders(rng: Random, layout: Layout) -> tuple[list[int], list[int]]:
    """Rows and columns in a new order, with diagonals that stay diagonals."""
    side = layout.side
    lines = {*layout.units, *layout.equal}
    main, anti = main_diagonal(side) in lines, anti_diagonal(side) in lines
    if main and anti:
        both = _symmetric_order(rng, side)
        return both, both
    height, width = box_shape(side) if is_boxed(layout) else (1, 1)
    down = shuffled_lines(rng, side, height)
    if main:
        return down, down
    if anti:
        return down, [side - 1 - row for row in reversed(down)]
    return down, shuffled_lines(rng, side, width)


def _symmetric_order(rng: Random, side: int) -> list[int]:
    """Lines in a new order in which opposite ones are opposite again."""
    pairs = [(line, side - 1 - line) for line in range(side // 2)]
    halves = [rng.sample(pair, 2) for pair in rng.sample(pairs, len(pairs))]
    middle = [side // 2] * (side % 2)
    return [*(one for one, _ in halves), *middle, *(other for _, other in reversed(halves))]
