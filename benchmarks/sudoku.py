"""9 x 9 sudokus with one proven solution, compared with reasoning-gym's, with as many blanks."""

from __future__ import annotations

from random import Random

from quandary.puzzles._shared.sudoku import solver
from quandary.puzzles.solo.sudoku import Sudoku

from .clock import rate

BLANKS = (30, 50)


def table() -> list[str]:
    """Both generators draw between 30 and 50 blanks and prove that the solution is unique."""
    from reasoning_gym.games.sudoku import SudokuConfig, SudokuDataset

    theirs = SudokuDataset(
        SudokuConfig(min_empty=BLANKS[0], max_empty=BLANKS[1], seed=1, size=1_000_000)
    )

    def ours(seed: int) -> int:
        instance = Sudoku.new(Random(f"sudoku#{seed}"), side=9, blanks=BLANKS)
        assert solver.count(instance.cells, 2) == 1
        return 1

    def gym(seed: int) -> int:
        return len([theirs[seed]["answer"]])

    mine, other = rate(ours), rate(gym)
    return [
        "| generator | sudokus a second | ratio |",
        "|---|---|---|",
        f"| quandary (and its uniqueness counted once more) | {mine:,.0f} | {mine / other:.1f} x |",
        f"| reasoning-gym | {other:,.1f} | 1 |",
    ]
