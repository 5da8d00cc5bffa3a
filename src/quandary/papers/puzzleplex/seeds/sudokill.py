"""PuzzlePlex's own instances of SudoKill."""

from __future__ import annotations

from random import Random

from quandary.puzzles._shared.square_grid import EMPTY
from quandary.puzzles._shared.sudoku.grid import SYMBOLS, places
from quandary.puzzles.duels.sudokill import Sudokill

SEEDS = {"easy": 5, "normal": 5}
SIZES = {"easy": (4, (8, 12)), "normal": (9, (30, 40))}  # the side of the grid and its blanks


def instance(level: str, seed: int) -> Sudokill:
    """Return the published grid.

    Unlike the published game, ours ends when a player is stuck.
    The published code filled the grid row by row, trying the values of a cell in shuffled order
    with backtracking; then it drew the number of blanks, shuffled the cells and blanked the first
    ones.
    """
    rng, (side, blanks) = Random(seed), SIZES[level]
    cells = _filled(rng, side, "")
    assert cells is not None  # an empty grid can be filled
    count, order = rng.randint(*blanks), list(range(side * side))
    rng.shuffle(order)
    gone = set(order[:count])
    return Sudokill("".join(EMPTY if cell in gone else value for cell, value in enumerate(cells)))


def _filled(rng: Random, side: int, cells: str) -> str | None:
    """Return a full grid that begins with these cells, or None; one shuffle per cell that
    is tried.
    """
    if len(cells) == side * side:
        return cells
    where = places(side)
    here = where[len(cells)]
    seen = {
        value
        for value, there in zip(cells, where, strict=False)
        if any(a == b for a, b in zip(here, there, strict=True))
    }
    for value in rng.sample(SYMBOLS[:side], side):
        if value not in seen and (grid := _filled(rng, side, cells + value)):
            return grid
    return None
