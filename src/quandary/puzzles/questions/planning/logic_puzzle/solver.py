"""Logic puzzles: choose each number of a grid once, so that every row and column keeps a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from random import Random
from typing import TypeAlias

from quandary.algorithms.graphs import canonical_form
from quandary.puzzles.questions._shared.boards import Board, Place, places, transposed

Grid: TypeAlias = Board[int]
Choice: TypeAlias = dict[int, Place]  # number -> where it is chosen
REPAIRS = 150  # numbers of a grid that are changed before another one is drawn
MOST_STEPS = 500_000  # of a search; the largest grids that are made need half of them
LARGEST = 9  # cells per side
SIDE, LINE, CELL = range(3)  # kinds of nodes in the graph of a grid; of cells by their numbers


def keeps_rule(line: Sequence[int], bound: int | None) -> bool:
    """Return whether numbers chosen in a row or column may stand together.

    Their sum is at most the bound; without one, the product of two or more is greater than 0.
    """
    if bound is not None:
        return sum(line) <= bound
    return len(line) < 2 or sum(number < 0 for number in line) % 2 == 0


def choices(grid: Grid, bound: int | None, known: Mapping[int, Place]) -> Iterator[Choice]:
    """Yield every way to choose each number of a grid once, those that are told where they are
    told.

    ValueError if there are too many ways to try.
    """
    if len(grid) > LARGEST:
        raise ValueError(f"grids of more than {LARGEST} x {LARGEST} cells take too long")
    cells: dict[int, list[Place]] = {}
    for place in places(grid):
        cells.setdefault(grid[place[0]][place[1]], []).append(place)
    cells |= {number: [place] for number, place in known.items()}
    order = sorted(cells, key=lambda number: (len(cells[number]), -number))
    rows: list[list[int]] = [[] for _ in grid]
    columns: list[list[int]] = [[] for _ in grid[0]]
    chosen: Choice = {}
    left = iter(range(MOST_STEPS))

    def search(depth: int) -> Iterator[Choice]:
        if next(left, None) is None:
            raise ValueError("a grid with so many ways to choose takes too long")
        if depth == len(order):
            if bound is not None or all(keeps_rule(line, None) for line in (*rows, *columns)):
                yield dict(chosen)
            return
        number = order[depth]
        for row, column in cells[number]:
            lines = rows[row], columns[column]
            # Sums only grow, for all numbers are positive then; signs can still change.
            if bound is None or all(sum(line) + number <= bound for line in lines):
                chosen[number] = row, column
                for line in lines:
                    line.append(number)
                yield from search(depth + 1)
                for line in lines:
                    line.pop()
        chosen.pop(number, None)

    return search(0)


def only_choice(grid: Grid, bound: int | None, known: Mapping[int, Place]) -> Choice | None:
    """Return the way to choose, if there is exactly one."""
    found = list(islice(choices(grid, bound, known), 2))
    return found[0] if len(found) == 1 else None


def drawn(
    rng: Random, size: int, numbers: Sequence[int], bound: int | None, known: int
) -> tuple[Grid, Choice] | None:
    """Return a grid, and some of its only choice, so many numbers of it; None if none was found.

    Other ways to choose are broken by changing a number that only they choose.
    """
    chosen = _planted(rng, size, numbers, bound)
    if chosen is None:
        return None
    shown = {number: chosen[number] for number in sorted(rng.sample(numbers, known))}
    rows = [rng.choices(numbers, k=size) for _ in range(size)]
    for number, (row, column) in chosen.items():
        rows[row][column] = number
    for _ in range(REPAIRS):
        grid = tuple(map(tuple, rows))
        ways = islice(choices(grid, bound, shown), 2)
        other = next((way for way in ways if way != chosen), None)
        if other is None:
            return grid, shown
        kept = set(chosen.values())
        spare = [place for place in other.values() if place not in kept]
        if not spare:
            return None
        row, column = rng.choice(spare)
        rows[row][column] = rng.choice([one for one in numbers if one != rows[row][column]])
    return None


def _planted(rng: Random, size: int, numbers: Sequence[int], bound: int | None) -> Choice | None:
    """Random places of the numbers that keep the rule; None if they are not found."""
    chosen: Choice = {}
    free = [(row, column) for row in range(size) for column in range(size)]
    for number in sorted(numbers, reverse=True):
        rng.shuffle(free)
        place = next((at for at in free if _fits(number, at, chosen, bound)), None)
        if place is None:
            return None
        chosen[number] = place
        free.remove(place)
    lines = (
        [number for number, at in chosen.items() if at[axis] == line]
        for axis in (0, 1)
        for line in range(size)
    )
    return chosen if all(keeps_rule(line, bound) for line in lines) else None


def _fits(number: int, place: Place, chosen: Choice, bound: int | None) -> bool:
    """Return whether a number can be added to what is chosen in the row and column of a place."""
    return bound is None or all(
        sum(other for other, at in chosen.items() if at[axis] == place[axis]) + number <= bound
        for axis in (0, 1)
    )


def rearranged(rng: Random, grid: Grid, known: Choice) -> tuple[Grid, Choice]:
    """Return the same task with rows and columns in other orders, and perhaps exchanged."""
    rows = rng.sample(range(len(grid)), len(grid))
    columns = rng.sample(range(len(grid[0])), len(grid[0]))
    made: Grid = tuple(tuple(grid[row][column] for column in columns) for row in rows)
    moved = {
        number: (rows.index(row), columns.index(column)) for number, (row, column) in known.items()
    }
    if rng.random() < 0.5:
        return transposed(made), {number: at[::-1] for number, at in moved.items()}
    return made, moved


def canonical(grid: Grid, known: Choice) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Equal for exactly the grids that are the same up to the order of rows and of columns, and up
    to an exchange of rows and columns.

    It is the canonical form of a graph: two sides, the lines of each, and a node for every cell,
    which is joined to its lines.
    """
    size, shown = len(grid), set(known.values())
    ranks = {number: rank for rank, number in enumerate(sorted(set(chain(*grid))))}
    cells = sorted(
        (2 * ranks[grid[row][column]] + ((row, column) in shown), row, column)
        for row, column in places(grid)
    )
    joined = [(side, 2 + side * size + line) for side in (0, 1) for line in range(size)]
    for node, (_, row, column) in enumerate(cells, start=2 + 2 * size):
        joined += [(node, 2 + row), (node, 2 + size + column)]
    kinds = (SIDE, SIDE, *[LINE] * (2 * size), *(CELL + kind for kind, _, _ in cells))
    graph = [0] * len(kinds)
    for one, other in joined:
        graph[one] |= 1 << other
        graph[other] |= 1 << one
    return kinds, canonical_form(tuple(graph), kinds)
