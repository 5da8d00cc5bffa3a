"""PuzzlePlex's own instances of sudoku."""

from __future__ import annotations

from quandary.puzzles.solo.sudoku import Sudoku

from . import sudokill

SEEDS = {"easy": 10}  # nothing published shows how the 9 by 9 grids were made


def instance(level: str, seed: int) -> Sudoku:
    """Return the published grid, which may have several solutions; any of them counts.

    The code of this puzzle was not published, but a figure of the older paper shows the grid of
    SudoKill's easy seed 2, so both share a generator.
    """
    cells = sudokill.instance(level, seed).cells
    return Sudoku(cells, cells)
