"""Sudoku and its relatives: solving, counting solutions, and making grids with one solution.

A `Layout` says what a full grid obeys; without one it is a sudoku with rows, columns and boxes.

The solver keeps a grid as one wide integer.  A candidate is a value for a cell, and a need is a set
of as many candidates as there are values, exactly one of which is right: a cell has one of its
values, and a unit has a value in one of its cells.  A need is a field of one bit per candidate with
a guard bit above, so a few additions find every need that nothing can meet any more and every need
with one candidate left, all at once.

What is not made of needs, such as the sum of some cells, is a `Table` of all that they may hold;
candidates that are in none of its rows are taken away whenever values have been filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import islice
from operator import or_
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.puzzles._shared.square_grid import EMPTY, side_of

from .grid import SYMBOLS
from .layout import Layout, Table, sudoku

# Steps of a search for a second solution before a given is kept without proof; 9x9 boards need far
# fewer.
PATIENCE = 300
REDRAWS = 20  # boards tried before giving up; with few blanks the first one always has them


class _Frame(NamedTuple):
    """What all boards of one layout share; a candidate's number is cell * side + value."""

    side: int
    low: int  # the lowest bit of every field
    every: int  # all bits but the guards: the empty board
    guards: int
    bits: list[int]  # candidate -> its bits, one per need that it is part of
    keep: list[int]  # candidate -> what stays open once it is taken
    owner: list[int]  # bit -> its candidate


# The bits of all candidates of some cells, and those of each row of candidates that may hold.
_Ways: TypeAlias = tuple[int, list[int]]


@cache
def _frame(layout: Layout) -> _Frame:
    if layout.side > len(SYMBOLS):
        raise ValueError(f"boards of side {layout.side} have more values than symbols")
    side, width = layout.side, layout.side + 1
    needs = list(_needs(layout))
    bits, owner = [0] * side**3, [0] * (len(needs) * width)
    for field, need in enumerate(needs):
        for place, candidate in enumerate(need, start=field * width):
            bits[candidate] |= 1 << place
            owner[place] = candidate
    low = sum(1 << field * width for field in range(len(needs)))
    every = low * ((1 << side) - 1)
    rivals = [0] * len(bits)
    for need in needs:
        together = reduce(or_, (bits[candidate] for candidate in need))
        for candidate in need:
            rivals[candidate] |= together
    keep = [every & ~rival | own for rival, own in zip(rivals, bits, strict=True)]
    return _Frame(side, low, every, low << side, bits, keep, owner)


@cache
def _sudoku_frame(side: int) -> _Frame:
    """That of a usual sudoku; a side is looked up faster than a layout."""
    return _frame(sudoku(side))


def _needs(layout: Layout) -> Iterator[list[int]]:
    """Yield the candidates of each need; those of cells come first, in order."""
    side, values = layout.side, range(layout.side)
    for cell in range(side * side):
        yield [cell * side + value for value in values]
    for unit in layout.units:
        for value in values:
            yield [cell * side + value for cell in unit]
    for first, *others in layout.equal:
        for other in others:
            for value in values:  # the first cell has it, or the other one has another value
                pair = {other * side + own for own in values} - {other * side + value}
                yield [first * side + value, *sorted(pair)]


def solutions(
    cells: str, layout: Layout | None = None, tables: Iterable[Table] = ()
) -> Iterator[str]:
    """Yield every way to fill the board, each once, in a fixed order."""
    frame = _frame(layout) if layout else _sudoku_frame(side_of(cells))
    board, settled = _load(frame, cells)
    ways = [_ways(layout or sudoku(frame.side), one) for one in tables]
    for solved in _search(frame, board, settled, ways=ways):
        yield _cells(frame, solved)


def solve(cells: str, layout: Layout | None = None, tables: Iterable[Table] = ()) -> str | None:
    """Return one way to fill the board, or None."""
    return next(solutions(cells, layout, tables), None)


def count(
    cells: str,
    limit: int | None = None,
    layout: Layout | None = None,
    tables: Iterable[Table] = (),
) -> int:
    """Return how many ways there are to fill the board; the search stops at `limit`."""
    return sum(1 for _ in islice(solutions(cells, layout, tables), limit))


def random_grid(rng: Random, side: int, layout: Layout | None = None) -> str:
    """Return a full grid: a uniformly random first row, then random values for the tightest
    needs.
    """
    frame = _frame(layout) if layout else _sudoku_frame(side)
    while True:
        board, settled = _load(frame, "".join(rng.sample(SYMBOLS[:side], side)))
        solved = next(_search(frame, board, settled, rng, 20 * side * side), None)
        if solved:
            return _cells(frame, solved)
        if solved is None:  # the names of values do not matter, so no other row goes on either
            raise ValueError(f"no grid of side {side} obeys all conditions")


def random_puzzle(rng: Random, side: int, blanks: int) -> str:
    """Return a board with exactly `blanks` empty cells and only one solution."""
    if blanks > side * side - (side - 1):
        raise ValueError(f"{side - 1} givens are needed to tell the symbols apart")
    for _ in range(REDRAWS):
        carved = carve(rng, random_grid(rng, side), blanks)
        if carved.count(EMPTY) == blanks:
            return carved
    sought = f"{blanks} empty cells and only one solution"
    raise ValueError(f"no board of side {side} was found with {sought}")


def carve(rng: Random, grid: str, blanks: int, layout: Layout | None = None) -> str:
    """Return the full board with `blanks` cells emptied in random order, and still only one
    solution.

    Fewer cells are emptied if no more can be: each remaining given was needed when it was tried.
    """
    frame = _frame(layout) if layout else _sudoku_frame(side_of(grid))
    order = rng.sample(range(len(grid)), len(grid))
    given = [cell * frame.side + SYMBOLS.index(value) for cell, value in enumerate(grid)]
    waiting = [(frame.every, 0)]  # the board with only the cells that have not been tried yet
    for cell in reversed(order[1:]):
        board, settled = waiting[-1]
        waiting.append((board & frame.keep[given[cell]], settled | frame.bits[given[cell]]))
    needed, needed_bits, emptied = frame.every, 0, list(grid)
    for cell in order:
        if not blanks:
            break
        board, settled = waiting.pop()
        candidate = given[cell]
        # A second solution would have another value here.
        others = board & needed & ~frame.bits[candidate]
        if next(_search(frame, others, settled | needed_bits, None, PATIENCE), None) is None:
            emptied[cell] = EMPTY
            blanks -= 1
        else:
            needed &= frame.keep[candidate]
            needed_bits |= frame.bits[candidate]
    return "".join(emptied)


def _load(frame: _Frame, cells: str) -> tuple[int, int]:
    """Return the board's open candidates, and the bits of those already taken."""
    board, settled = frame.every, 0
    for cell, value in enumerate(cells):
        if value != EMPTY:
            candidate = cell * frame.side + SYMBOLS.index(value)
            board &= frame.keep[candidate]
            settled |= frame.bits[candidate]
    return board, settled


def _cells(frame: _Frame, solved: int) -> str:
    side, width = frame.side, frame.side + 1
    field = (1 << side) - 1
    return "".join(
        SYMBOLS[(solved >> cell * width & field).bit_length() - 1] for cell in range(side * side)
    )


@lru_cache(maxsize=1 << 12)
def _ways(layout: Layout, table: Table) -> _Ways:
    side, bits = layout.side, _frame(layout).bits
    open_bits = reduce(or_, (bits[c * side + value] for c in table.cells for value in range(side)))
    return open_bits, [
        reduce(or_, (bits[c * side + own - 1] for c, own in zip(table.cells, row, strict=True)))
        for row in table.rows
    ]


def _search(
    frame: _Frame,
    board: int,
    settled: int,
    rng: Random | None = None,
    patience: int = -1,
    ways: Sequence[_Ways] = (),
) -> Iterator[int]:
    """Yield every solved grid; a single 0 instead of the rest after `patience` steps (-1: no
    limit).
    """
    stack = [(board, settled)]
    while stack:
        if not patience:
            yield 0
            return
        patience -= 1
        board, settled = _follow(frame, *stack.pop())
        while ways and board and (fewer := _possible(board, ways)) != board:
            board, settled = _follow(frame, fewer, settled)
        if not board:
            continue
        if board == settled:
            yield board
            continue
        branches = _tightest(frame, board, rng)
        if rng:
            rng.shuffle(branches)
        stack += [
            (board & frame.keep[candidate], settled | frame.bits[candidate])
            for candidate in branches
        ]


def _follow(frame: _Frame, board: int, settled: int) -> tuple[int, int]:
    """Return the grid after all forced values; (0, 0) if some need can no longer be met."""
    side, low, every, guards, bits, keep, owner = frame
    # A carry reaches the guard of every field that is not empty.
    while (board + every) & guards == guards:
        # The guard of each field that still has two or more.
        several = ((board & (board - low)) + every) & guards
        single = several ^ guards
        forced = board & (single - (single >> side)) & ~settled
        if not forced:
            return board, settled
        while forced:
            candidate = owner[forced.bit_length() - 1]
            board &= keep[candidate]
            settled |= bits[candidate]
            forced &= ~bits[candidate]
    return 0, 0


def _possible(board: int, ways: Sequence[_Ways]) -> int:
    """Return the board without the candidates that no way to fill some cells needs."""
    for open_bits, rows in ways:
        possible = 0
        for row in rows:
            if board & row == row:
                possible |= row
        board &= ~open_bits | possible
    return board


def _tightest(frame: _Frame, board: int, rng: Random | None) -> list[int]:
    """Return the candidates of a need with the fewest left, but more than one.

    A random such need with `rng`, otherwise the last.
    """
    side, low, every, guards = frame[:4]
    rest = board & (board - low)  # every field without its lowest candidate
    undecided = (rest + every) & guards
    tight = 0
    while not tight:
        rest &= (rest | guards) - low
        tight = undecided & ~(rest + every)
    if rng:
        tight = (tight & ((2 << rng.randrange(tight.bit_length())) - 1)) or tight
    start = tight.bit_length() - 1 - side
    return [frame.owner[start + value] for value in range(side) if board >> start + value & 1]
