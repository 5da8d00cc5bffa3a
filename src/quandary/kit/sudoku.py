"""Sudoku boards: solving, counting, making and carving, and how boards and fills are written and drawn.

A board is a string, row by row, "." for an empty cell.  Sides 4 to 16 that split into boxes; values go 1 to 9, then A to G.

The solver keeps a board as one wide integer.  Each candidate (a value for a cell) meets four needs: its cell has a value,
and its row, its column and its box have that value.  A need is a field of one bit a candidate with a guard bit above,
so a few additions find every need that nothing can meet any more and every need with one candidate left, all at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, reduce
from itertools import islice
from math import isqrt
from operator import eq, itemgetter, or_
from random import Random
from typing import NamedTuple

from quandary.core.contract import Move
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Label, Line, Scene, Shape

from .reading import outside_brackets

SYMBOLS = "123456789ABCDEFG"
EMPTY = "."
BITS = {symbol: 1 << value for value, symbol in enumerate(SYMBOLS)}
SIDES = tuple(side for side in range(4, len(SYMBOLS) + 1) if any(side % height == 0 for height in range(2, isqrt(side) + 1)))
PATIENCE = 300  # steps of a search for a second solution before a given is kept unproven; 9x9 boards need far fewer

BRACKETED = re.compile(  # the published form, anywhere in a text: [(0, 3), 2]
    r"[\[(]\s{0,9}([0-9]{1,4})\s{0,9},\s{0,9}([0-9]{1,4})\s{0,9}[\])]\s{0,9},\s{0,9}([0-9]{1,4}|[a-z])\b(?!\.[0-9])", re.I
)
PLAIN = re.compile(  # a text that is nothing but a fill: 0 3 2, (0, 3) = 2, row 0 column 3 value 2
    r"[\s\[(`]{0,9}(?:row\s{0,9})?([0-9]{1,4})[\s,)\]]{1,9}(?:col(?:umn)?\s{0,9})?([0-9]{1,4})[\s,:=)\]]{1,9}"
    r"(?:value\s{0,9})?([0-9]{1,4}|[a-z])\b[\s)\]`.]{0,9}",
    re.I,
)


def box_shape(side: int) -> tuple[int, int]:
    """Rows and columns of a box: 2 by 2, 2 by 3, 3 by 3, ..."""
    if side not in SIDES:
        raise ValueError(f"a board of side {side} cannot be made; choose one of {', '.join(map(str, SIDES))}")
    height = max(height for height in range(2, isqrt(side) + 1) if side % height == 0)
    return height, side // height


def side_of(cells: str) -> int:
    return isqrt(len(cells))


def rows_of(cells: str) -> list[str]:
    side = side_of(cells)
    return [cells[start : start + side] for start in range(0, len(cells), side)]


@cache
def places(side: int) -> tuple[tuple[int, int, int], ...]:
    """Row, column and box of each cell."""
    height, width = box_shape(side)
    return tuple((row, column, row // height * height + column // width) for row in range(side) for column in range(side))


@cache
def in_line(side: int) -> list[list[int]]:
    """For each cell all those in its row or column, itself too."""
    where = places(side)
    return [[other for other, there in enumerate(where) if here[0] == there[0] or here[1] == there[1]] for here in where]


def candidates(cells: str) -> list[int]:
    """The values each empty cell can take without a repeat, as bits from the lowest value on; 0 for a filled cell."""
    side = side_of(cells)
    rows, columns, boxes = [0] * side, [0] * side, [0] * side
    for (row, column, box), value in zip(places(side), cells, strict=True):
        if value != EMPTY:
            bit = BITS[value]
            rows[row] |= bit
            columns[column] |= bit
            boxes[box] |= bit
    every = (1 << side) - 1
    return [
        every & ~(rows[row] | columns[column] | boxes[box]) if value == EMPTY else 0
        for (row, column, box), value in zip(places(side), cells, strict=True)
    ]


def easiest(cells: str) -> int | None:
    """The empty cell a person fills first: one value left, else the only place of a value in a line or box, else fewest left."""
    left = candidates(cells)
    empty = [cell for cell, value in enumerate(cells) if value == EMPTY]
    tightest = min(empty, key=lambda cell: left[cell].bit_count(), default=None)
    if tightest is None or left[tightest].bit_count() <= 1:
        return tightest
    side = side_of(cells)
    for kind in range(3):
        once, again = [0] * side, [0] * side
        for cell in empty:
            unit = places(side)[cell][kind]
            again[unit] |= once[unit] & left[cell]
            once[unit] |= left[cell]
        for cell in empty:
            unit = places(side)[cell][kind]
            if left[cell] & ~again[unit]:
                return cell
    return tightest


# --- the solver -------------------------------------------------------------------------------------------------------


class _Frame(NamedTuple):
    """What all boards of one side share.  A candidate's number is cell * side + value."""

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
            needs = (cell, value), (cells + row * side + value, column), (2 * cells + column * side + value, row)
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
    """One way to fill the board, the only one where there is but one."""
    return next(solutions(cells), None)


def count(cells: str, limit: int | None = None) -> int:
    """How many ways there are to fill the board; the search stops at `limit`."""
    return sum(1 for _ in islice(solutions(cells), limit))


def random_grid(rng: Random, side: int) -> str:
    """A full board: its first row is a fair draw, the rest a random value for a random one of the tightest needs."""
    frame = _frame(side)
    while True:
        board, settled = _load(frame, "".join(rng.sample(SYMBOLS[:side], side)))
        if solved := next(_search(frame, board, settled, rng, 20 * side * side), 0):
            return _cells(frame, solved)


def carve(rng: Random, grid: str, blanks: int) -> str:
    """The full board with `blanks` cells emptied in random order, and still only one solution.

    Fewer cells are emptied where no more can be: each given that is left was needed when its turn came.
    """
    frame = _frame(side_of(grid))
    order = rng.sample(range(len(grid)), len(grid))
    given = [cell * frame.side + SYMBOLS.index(value) for cell, value in enumerate(grid)]
    waiting = [(frame.every, 0)]  # the board that only the cells whose turn is still to come make
    for cell in reversed(order[1:]):
        board, settled = waiting[-1]
        waiting.append((board & frame.keep[given[cell]], settled | frame.bits[given[cell]]))
    needed, needed_bits, emptied = frame.every, 0, list(grid)
    for cell in order:
        if not blanks:
            break
        board, settled = waiting.pop()
        candidate = given[cell]
        others = board & needed & ~frame.bits[candidate]  # a second solution would have another value here
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
    return "".join(SYMBOLS[(solved >> cell * width & field).bit_length() - 1] for cell in range(side * side))


def _search(frame: _Frame, board: int, settled: int, rng: Random | None = None, patience: int = -1) -> Iterator[int]:
    """Every solved board; a single 0 instead of the rest once `patience` steps are spent (-1: never)."""
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
        stack += [(board & frame.keep[candidate], settled | frame.bits[candidate]) for candidate in branches]


def _follow(frame: _Frame, board: int, settled: int) -> tuple[int, int]:
    """The board after every forced value, until none is left; (0, 0) where some need can no longer be met."""
    side, low, every, guards, bits, keep, owner = frame
    while (board + every) & guards == guards:  # a carry reaches the guard of every field that is not empty
        several = ((board & (board - low)) + every) & guards  # the guard of each field that still has two or more
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
    """The candidates of a need with the fewest left but more than one; any such need with `rng`, else the last."""
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


# --- how boards and fills are written and drawn -----------------------------------------------------------------------


def write_fill(side: int, cell: int, value: str) -> Move:
    return f"{cell // side} {cell % side} {value}"


@lru_cache(maxsize=1 << 16)
def write_fills(side: int, cell: int, values: int) -> tuple[Move, ...]:
    """The fills of one cell with each of some values, which come as bits."""
    return tuple(write_fill(side, cell, symbol) for symbol, bit in BITS.items() if values & bit)


def fills_of(cells: str, among: Iterable[int]) -> list[Move]:
    """The fills of some empty cells that repeat no value; cheaper than `candidates` where few cells matter."""
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


def read_fill(said: str, side: int) -> Move:
    """The one fill `said` writes, as "row column value"; also "[(0, 3), 2]" and "operation = [(0, 3), 2]"."""
    found = [match.groups() for match in (PLAIN.fullmatch(said.strip()),) if match]
    if not found and (found := BRACKETED.findall(said)):
        found += PLAIN.findall(outside_brackets(said, BRACKETED))
    fills = {f"{int(row)} {int(column)} {_symbol(value, side)}" for row, column, value in found}
    if len(fills) != 1:
        raise Unreadable("Write the cell and its value as: row column value, counted from 0, for example: 0 3 2")
    return fills.pop()


def read_grid(said: str, side: int) -> str:
    """The board `said` writes: one row a line or lists of lists, "." or 0 or _ for an empty cell."""
    words = [word for word in re.split(r"[\s,;|\[\]()]+", said) if word.strip("-+=`")]
    cells = "".join(_row(word, side) for word in words[: side * side + 1])
    if len(cells) != side * side or any(cell not in SYMBOLS[:side] + EMPTY for cell in cells):
        raise Unreadable(f"Write the grid as {side} rows of {side} values, with . for an empty cell.")
    return cells


def _symbol(value: str, side: int) -> str:
    """A value as it stands in a cell: on large boards 12 is C."""
    if value.isdigit():
        number = int(value)
        return SYMBOLS[number - 1] if 9 < number <= side else str(number)
    if side <= 9:
        raise Unreadable(f"Values are the numbers 1 to {side}.")
    return value.upper()


def _row(word: str, side: int) -> str:
    """The cells a word stands for: a single value, or values written without blanks between them."""
    if side > 9 and len(word) == 2 and word.isascii() and word.isdigit() and 9 < int(word) <= side:
        return SYMBOLS[int(word) - 1]
    return word[: side * side + 1].upper().replace("0", EMPTY).replace("_", EMPTY)


def picture(cells: str, fills: Mapping[int, str], colours: Mapping[int, str], clicks: Collection[int]) -> Scene:
    """The board with its boxes, numbered from 0; a click on a cell means its row and column."""
    side, margin = side_of(cells), 0.7
    height, width = box_shape(side)
    shapes: list[Shape] = []
    for cell, value in enumerate(cells):
        row, column = divmod(cell, side)
        fill, colour = fills.get(cell, "paper"), colours.get(cell, "ink")
        click = f"{row} {column}" if cell in clicks else ""
        shapes.append(Box(column + margin, row + margin, fill=fill, text=value.strip(EMPTY), colour=colour, click=click))
    end = margin + side
    across = [((margin, margin + y), (end, margin + y)) for y in range(0, side + 1, height)]
    down = [((margin + x, margin), (margin + x, end)) for x in range(0, side + 1, width)]
    shapes += [Line(points, width=0.09) for points in (*across, *down)]
    shapes += [Label(margin + at + 0.5, margin / 2, str(at), colour="quiet") for at in range(side)]
    shapes += [Label(margin / 2, margin + at + 0.5, str(at), colour="quiet") for at in range(side)]
    return Scene(end + 0.1, end + 0.1, tuple(shapes))


def canonical(cells: str, mark: int | None = None) -> Hashable:
    """Equal for boards that differ by a rotation, a reflection or the names of the values; `mark` is a cell that goes along."""
    forms = []
    for turn in _turns(side_of(cells)):
        turned = "".join(itemgetter(*turn)(cells))
        names = str.maketrans(dict(zip(dict.fromkeys(turned.replace(EMPTY, "")), SYMBOLS, strict=False)))
        forms.append((turned.translate(names), -1 if mark is None else turn.index(mark)))
    return min(forms)


@cache
def _turns(side: int) -> tuple[tuple[int, ...], ...]:
    """The rotations and reflections that take boxes to boxes: for each new cell the old one."""
    height, width = box_shape(side)
    ends = range(side), range(side - 1, -1, -1)
    straight = [tuple(row * side + column for row in rows for column in columns) for rows in ends for columns in ends]
    turned = [tuple(row * side + column for column in columns for row in rows) for rows in ends for columns in ends]
    return tuple(straight + turned) if height == width else tuple(straight)
