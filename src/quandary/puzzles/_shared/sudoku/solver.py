"""Sudoku: solving, counting solutions, and making grids with one solution.

The solver keeps a grid as one wide integer.  Each candidate (a value for a cell) meets four needs:
its cell has a value, and its row, its column and its box have that value.  A need is a field of one
bit per candidate with a guard bit above, so a few additions find every need that nothing can meet
any more and every need with one candidate left, all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from itertools import islice
from operator import or_
from random import Random
from typing import NamedTuple

from quandary.puzzles._shared.square_grid import EMPTY, side_of

from .grid import SYMBOLS, box_shape, places

# Steps of a search for a second solution before a given is kept without proof; 9x9 boards need far
# fewer.
PATIENCE = 300
REDRAWS = 20  # boards tried before giving up; with few blanks the first one always has them


class _Frame(NamedTuple):
    """What all boards of one side share; a candidate's number is cell * side + value."""

    side: int
    low: int  # the lowest bit of every field
    every: int  # all bits but the guards: the empty board
    guards: int
    bits: list[int]  # candidate -> its four bits
    keep: list[int]  # candidate -> what stays open once it is taken
    owner: list[int]  # bit -> its candidate


@cache
def _frame(side: int) -> _Frame:
    cells, width = side * side, side + 1
    height, box_width = box_shape(side)
    bits, owner = [0] * (cells * side), [0] * (4 * cells * width)
    for cell, (row, column, box) in enumerate(places(side)):
        within = row % height * box_width + column % box_width
        for value in range(side):
            candidate = cell * side + value
            needs = (
                (cell, value),
                (cells + row * side + value, column),
                (2 * cells + column * side + value, row),
            )
            for field, offset in (*needs, (3 * cells + box * side + value, within)):
                bits[candidate] |= 1 << field * width + offset
                owner[field * width + offset] = candidate
    low = sum(1 << field * width for field in range(4 * cells))
    every = low * ((1 << side) - 1)
    rivals = [0] * len(bits)
    for start in range(0, len(owner), width):
        sharing = owner[start : start + side]
        together = reduce(or_, (bits[candidate] for candidate in sharing))
        for candidate in sharing:
            rivals[candidate] |= together
    keep = [every & ~rival | own for rival, own in zip(rivals, bits, strict=True)]
    return _Frame(side, low, every, low << side, bits, keep, owner)


def solutions(cells: str) -> Iterator[str]:
    """Every way to fill the board, each once, in a fixed order."""
    frame = _frame(side_of(cells))
    board, settled = _load(frame, cells)
    for solved in _search(frame, board, settled):
        yield _cells(frame, solved)


def solve(cells: str) -> str | None:
    """One way to fill the board, or None."""
    return next(solutions(cells), None)


def count(cells: str, limit: int | None = None) -> int:
    """How many ways there are to fill the board; the search stops at `limit`."""
    return sum(1 for _ in islice(solutions(cells), limit))


def random_grid(rng: Random, side: int) -> str:
    """A full grid: a uniformly random first row, then random values for the tightest needs."""
    frame = _frame(side)
    while True:
        board, settled = _load(frame, "".join(rng.sample(SYMBOLS[:side], side)))
        if solved := next(_search(frame, board, settled, rng, 20 * side * side), 0):
            return _cells(frame, solved)


def random_puzzle(rng: Random, side: int, blanks: int) -> str:
    """A board with exactly `blanks` empty cells and only one solution."""
    if blanks > side * side - (side - 1):
        raise ValueError(f"{side - 1} givens are needed to tell the symbols apart")
    for _ in range(REDRAWS):
        carved = carve(rng, random_grid(rng, side), blanks)
        if carved.count(EMPTY) == blanks:
            return carved
    sought = f"{blanks} empty cells and only one solution"
    raise ValueError(f"no board of side {side} was found with {sought}")


def carve(rng: Random, grid: str, blanks: int) -> str:
    """The full board with `blanks` cells emptied in random order, and still only one solution.

    Fewer cells are emptied if no more can be: each remaining given was needed when it was tried.
    """
    frame = _frame(side_of(grid))
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
    """The board's open candidates, and the bits of those already taken."""
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


def _search(
    frame: _Frame, board: int, settled: int, rng: Random | None = None, patience: int = -1
) -> Iterator[int]:
    """Every solved grid; a single 0 instead of the rest after `patience` steps (-1: no limit)."""
    stack = [(board, settled)]
    while stack:
        if not patience:
            yield 0
            return
        patience -= 1
        board, settled = _follow(frame, *stack.pop())
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
    """The grid after all forced values; (0, 0) if some need can no longer be met."""
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


def _tightest(frame: _Frame, board: int, rng: Random | None) -> list[int]:
    """The candidates of a need with the fewest left, but more than one.

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
