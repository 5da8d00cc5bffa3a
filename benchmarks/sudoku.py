"""9 x 9 sudokus with one proven solution, compared with reasoning-gym's.

`sudoku` and reasoning-gym draw between 30 and 50 blanks.  `standard_sudoku` also proves that no
rule is idle, and half of its grids have diagonals instead of boxes.
"""

from __future__ import annotations

from random import Random

from quandary.puzzles._shared.sudoku import solver
from quandary.puzzles.questions.planning.standard_sudoku import StandardSudoku
from quandary.puzzles.solo.sudoku import Sudoku

from .clock import rates

BLANKS = (30, 50)


def table() -> list[str]:
    """All of them prove that the solution is unique."""
    from reasoning_gym.games.sudoku import SudokuConfig, SudokuDataset

    theirs = SudokuDataset(
        SudokuConfig(min_empty=BLANKS[0], max_empty=BLANKS[1], seed=1, size=1_000_000)
    )

    def ours(seed: int) -> int:
        instance = Sudoku.new(Random(f"sudoku#{seed}"), side=9, blanks=BLANKS)
        assert solver.count(instance.cells, 2) == 1
        return 1

    def standard(seed: int) -> int:
        return len([StandardSudoku.new(Random(f"standard#{seed}"), level=3).solution()])

    def gym(seed: int) -> int:
        return len([theirs[seed]["answer"]])

    mine, questions, other = rates(ours, standard, gym)
    return [
        "| generator | sudokus a second | ratio |",
        "|---|---|---|",
        f"| `sudoku` (and its uniqueness counted once more) | {mine:,.0f} | {mine / other:.1f} x |",
        f"| `standard_sudoku`, level 3 | {questions:,.0f} | {questions / other:.1f} x |",
        f"| reasoning-gym | {other:,.1f} | 1 |",
    ]
