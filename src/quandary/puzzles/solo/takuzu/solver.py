"""Takuzu: candidates, solving, counting solutions, and making grids with one solution.

A grid is a string of 0 and 1, row by row, "." for an empty cell.  Its side is even.

The solver keeps for each row and each column the set of lines it may still be, as the bits of an
integer: of length 8 there are 34 lines with as many 0s as 1s and no three equal values in a row, of
length 14 there are 518.  What all lines of a set agree on is removed from the crossing sets, and a
settled line from its neighbours, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random
from typing import NamedTuple

from quandary.puzzles._shared.square_grid import (
    EMPTY,
    GridSymmetry,
    columns_of,
    rows_of,
    side_of,
    turns,
)

VALUES = "01"
SIDES = tuple(range(4, 17, 2))
# Steps of a search for a second solution before a given is kept without proof; sides up to 10 need
# fewer.
PATIENCE = 60
SWAPPED = str.maketrans("01", "10")


def candidates(cells: str) -> list[str]:
    """Return the values that each empty cell can take without breaking a rule; "" for a filled
    cell.
    """
    rows, columns = _fitting(rows_of(cells)), _fitting(columns_of(cells))
    return [
        _both(values, columns[column][row]) if values else ""
        for row, line in enumerate(rows)
        for column, values in enumerate(line)
    ]


def _both(one: str, other: str) -> str:
    return one if one == other else one if other == VALUES else other if one == VALUES else ""


def _fitting(lines: list[str]) -> list[tuple[str, ...]]:
    """Return the values for each place of some rows or columns, without two equal full lines."""
    full = {line for line in lines if EMPTY not in line}
    return [_fits(line) if line.count(EMPTY) != 1 else _fits_last(line, full) for line in lines]


@lru_cache(maxsize=1 << 16)
def _fits(line: str) -> tuple[str, ...]:
    """Return the values for each place of one line: at most half may be equal, and no three in a
    row.
    """
    return tuple(
        "".join(
            value
            for value in VALUES
            if line.count(value) < len(line) // 2
            and value * 3
            not in line[max(0, place - 2) : place] + value + line[place + 1 : place + 3]
        )
        if there == EMPTY
        else ""
        for place, there in enumerate(line)
    )


def _fits_last(line: str, full: set[str]) -> tuple[str, ...]:
    return tuple(
        "".join(value for value in values if line.replace(EMPTY, value) not in full)
        for values in _fits(line)
    )


class _Frame(NamedTuple):
    """What all boards of one side share."""

    # All lines of full boards; the number of a line is its bit in a set.
    lines: tuple[str, ...]
    every: int  # the set of all of them
    holding: tuple[tuple[int, int], ...]  # place -> the lines with a 0 there, and those with a 1


@cache
def _frame(side: int) -> _Frame:
    if side not in SIDES:
        raise ValueError(
            f"a board of side {side} cannot be made; choose one of {', '.join(map(str, SIDES))}"
        )
    begun = [""]
    for _ in range(side):
        longer = (
            line + value for line in begun for value in VALUES if not line.endswith(value * 2)
        )
        begun = [line for line in longer if max(map(line.count, VALUES)) <= side // 2]
    holding = tuple(
        (
            int("".join("10"[int(line[place])] for line in reversed(begun)), 2),
            int("".join(line[place] for line in reversed(begun)), 2),
        )
        for place in range(side)
    )
    return _Frame(tuple(begun), (1 << len(begun)) - 1, holding)


def solutions(cells: str) -> Iterator[str]:
    """Yield every way to fill the board, each once, in a fixed order."""
    frame = _frame(side_of(cells))
    for solved in _search(frame, _load(frame, cells)):
        yield _cells(frame, solved)


def solve(cells: str) -> str | None:
    """Return one way to fill the board, or None."""
    return next(solutions(cells), None)


def random_grid(rng: Random, side: int) -> str:
    """Return a full grid, by random lines for random rows and columns among the tightest ones."""
    frame = _frame(side)
    while True:
        if solved := next(_search(frame, [frame.every] * (2 * side), rng, 20 * side), None):
            return _cells(frame, solved)


def carve(rng: Random, grid: str, blanks: int) -> str:
    """Return the full board with `blanks` cells emptied in random order, and still only one
    solution.

    Fewer cells are emptied if no more can be: each remaining given was needed when it was tried.
    """
    frame, emptied = _frame(side_of(grid)), list(grid)
    for cell in rng.sample(range(len(grid)), len(grid)):
        if not blanks:
            break
        # A second solution would have the other value here.
        emptied[cell] = grid[cell].translate(SWAPPED)
        others = _search(frame, _load(frame, "".join(emptied)), None, PATIENCE)
        alone = next(others, None) is None
        emptied[cell] = EMPTY if alone else grid[cell]
        blanks -= alone
    return "".join(emptied)


def _load(frame: _Frame, cells: str) -> list[int]:
    """Return the sets of lines that rows and columns may be, rows first."""
    sets = []
    for line in (*rows_of(cells), *columns_of(cells)):
        left = frame.every
        for value, holding in zip(line, frame.holding, strict=True):
            if value != EMPTY:
                left &= holding[value == "1"]
        sets.append(left)
    return sets


def _cells(frame: _Frame, solved: list[int]) -> str:
    return "".join(frame.lines[row.bit_length() - 1] for row in solved[: len(solved) // 2])


def _search(
    frame: _Frame, sets: list[int], rng: Random | None = None, patience: int = -1
) -> Iterator[list[int]]:
    """Yield every solved grid; an empty list after `patience` steps (-1: no limit)."""
    side = len(sets) // 2
    stack = [(sets, list(range(2 * side)))]
    while stack:
        if not patience:
            yield []
            return
        patience -= 1
        sets, changed = stack.pop()
        if not _follow(frame, sets, changed):
            continue
        unsettled = [
            (left.bit_count(), line) for line, left in enumerate(sets) if left & (left - 1)
        ]
        if not unsettled:
            yield sets
            continue
        fewest, line = min(unsettled)
        if rng:
            line = rng.choice([line for size, line in unsettled if size == fewest])
        choices = _members(sets[line])
        if rng:
            rng.shuffle(choices)
        stack += [([*sets[:line], choice, *sets[line + 1 :]], [line]) for choice in choices]


def _members(lines: int) -> list[int]:
    """Return the lines of a set, each as a separate set."""
    members = []
    while lines:
        members.append(lines & -lines)
        lines ^= members[-1]
    return members


def _follow(frame: _Frame, sets: list[int], changed: list[int]) -> bool:
    """Draw every conclusion from the `changed` lines; False if nothing fits a line."""
    side, holding = len(sets) // 2, frame.holding
    while changed:
        line = changed.pop()
        left = sets[line]
        if not left:
            return False
        own, crossing = (0, side) if line < side else (side, 0)
        if not left & (left - 1):
            for other in range(own, own + side):
                if sets[other] & left and other != line:
                    sets[other] ^= left
                    changed.append(other)
        here = holding[line - own]
        for place, (zeros, ones) in enumerate(holding, start=crossing):
            if not left & zeros:
                fitting = sets[place] & here[1]
            elif not left & ones:
                fitting = sets[place] & here[0]
            else:
                continue
            if fitting != sets[place]:
                sets[place] = fitting
                changed.append(place)
    return True


def canonical(cells: str) -> str:
    """Equal for boards that differ by a rotation, a reflection or the exchange of 0 and 1."""
    forms = [turn.grid(cells) for turn in turns(side_of(cells))]
    return min(*forms, *(form.translate(SWAPPED) for form in forms))


def random_turn(rng: Random, side: int) -> GridSymmetry:
    """Return a rotation or reflection, and perhaps the exchange of 0 and 1, drawn uniformly."""
    return rng.choice(turns(side))._replace(names=rng.choice(({}, SWAPPED)))
