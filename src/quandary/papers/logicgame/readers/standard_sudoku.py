"""Reads the published prompts of standard sudoku.

At level 0 both families have the same rules; their wordings differ.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import (
    GIVENS_ROW,
    NotRead,
    givens_grid,
    not_understood,
    task_of,
)
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.standard_sudoku import StandardSudoku

MOST = 1_000  # grids that are counted
LINES = (
    r"(?:in|in any|in the same) row or column[.,]|"
    r"同一行和同一列不能出现重复的数字"
)
DIAGONALS = (
    r"in the same row, column, or diagonal\.|同一行，同一列(?:和对角|及对角线)不能出现重复的数字"
)
BOXES = r"(?:subgrids, and each )\d[x*]\d subgrid|每个\d\*\d方格内也不能出现重复的数字"
WITHOUT_DIAGONALS = (  # at level 0, of family b
    r"Given a 2x2 grid, .* The same number cannot appear in the same row or column\.|"
    r"2x2的方格，.*，同一行，同一列不能出现重复的数字。"
)


@reads(GIVENS_ROW)
def read(prompt: str, level: int) -> StandardSudoku:
    task = task_of(prompt)
    cells = givens_grid(task)
    if re.search(WITHOUT_DIAGONALS, task) and len(cells) == 4:
        families = ["b"]
    else:
        families = [
            one for one, words in (("a", LINES), ("b", DIAGONALS)) if re.search(words, task)
        ]
    if len(families) != 1:
        raise not_understood(task.splitlines()[0])
    made = StandardSudoku(families[0], level, cells, bool(re.search(BOXES, task)))
    if odd := set(cells) - {".", *made.symbols[: made.side]}:
        raise NotRead(f"its grid has {min(odd)}, which is none of its numbers")
    if (fitting := len(made.full_grids(MOST))) != 1:
        raise NotRead(f"{fitting} grids fit")
    return made
