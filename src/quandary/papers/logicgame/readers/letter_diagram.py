"""Reads the published prompts of letter diagrams."""

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
from quandary.puzzles.questions.planning.letter_diagram import LetterDiagram

MOST = 1_000  # grids that are counted
# Family -> what tells it.
FAMILIES = {
    "a": (
        r"each letter appears only once in each row, each column, and the main diagonal|"
        r"使得每个字母在每行，每列，以及主对角线（从左上到右下的线称为主对角线）都只出现一次"
    ),
    "b": (
        r"each letter appears only once in each row and each column, and the letters on the minor "
        r"diagonal \(the line from the top right to the bottom left\) are all the same|"
        r"使得每个字母在每行，每列都只出现一次且次对角线（从右上到左下的线称为次对角线）上的数字完全相同"
    ),
}
NO_DIAGONAL = (  # at level 0, of family a
    r"each letter appears only once in each row and each column\.|"
    r"使得每个字母在每行，每列都只出现一次\n"
)


@reads(GIVENS_ROW)
def read(prompt: str, level: int) -> LetterDiagram:
    task = task_of(prompt)
    cells = givens_grid(task)
    families = [family for family, words in FAMILIES.items() if re.search(words, task)]
    if len(cells) == 4 and re.search(NO_DIAGONAL, task):
        families.append("a")
    if len(families) != 1:
        raise not_understood(task.splitlines()[0])
    made = LetterDiagram(families[0], level, cells)
    if odd := set(cells) - {".", *made.symbols[: made.side]}:
        raise NotRead(f"its grid has {min(odd)}, which is none of its letters")
    if (fitting := len(made.full_grids(MOST))) != 1:
        raise NotRead(f"{fitting} grids fit")
    return made
