"""Reads the published prompts of element operations.

Those about diagonals do not say whether a diagonal of one letter counts, on which every answer
depends.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import (
    LETTER_ROW,
    NotRead,
    check_known,
    letter_rows,
    not_understood,
    task_of,
)
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.element_operations import ElementOperations

TASKS = {
    "a": (
        "Given a character matrix, check if each row is symmetrical \\(i\\.e\\., reads the same "
        "forwards and backwards\\)\\. If a row is symmetrical, delete that row\\. Output the "
        "remaining matrix\\.|给定一个字符矩阵，检查每一行是否是对称的（即正读与反读相同）。"
        "如果一行是对称的，删除该行。输出剩余矩阵。"
    ),
    "b": (
        "Given a character matrix, check if each column is symmetrical \\(i\\.e\\., the forward "
        "and backward readings are the same\\)\\. If a column is symmetrical, delete that "
        "column\\. Output the remaining matrix\\.|给定一个字符矩阵，检查每一列是否是对称的"
        "（即正读与反读相同）。如果一列是对称的，删除该列。输出剩余矩阵。"
    ),
}
DIAGONALS = "check if all the diagonals|检查所有从左上到右下的斜线"
ASKED = (
    "If the matrix is|若矩阵为|(?:then )?the matrix after the operation is\\?|则操作后的矩阵为\\?"
)


@reads(LETTER_ROW)
def read(prompt: str, level: int) -> ElementOperations:
    grid, text = letter_rows(task_of(prompt))
    if re.search(DIAGONALS, text):
        raise NotRead("it does not say whether a diagonal of one letter is deleted")
    family = next((name for name, task in TASKS.items() if re.match(task, text)), None)
    if family is None:
        raise not_understood(text.splitlines()[0])
    check_known(text, (TASKS[family], ASKED))
    if len(grid) < 2:
        raise NotRead(f"its grid has {len(grid)} rows")
    return ElementOperations(family, level, grid)
