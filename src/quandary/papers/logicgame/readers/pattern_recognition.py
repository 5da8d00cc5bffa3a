"""Reads the published prompts of pattern recognition."""

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
from quandary.puzzles.questions.execution.pattern_recognition import PatternRecognition

SIDE = "(?:side )?length of (?:2 or (?:more|greater)|at least 2)"
TASK = (
    f"Given a character matrix, your task is to identify the positions of all squares with a {SIDE}"
    ",? and output the row and column numbers of the bottom-{} corner of these squares\\. {}"
)
ZH_TASK = (
    "给定一个字符矩阵，你的任务是识别所有长度大于或等于2的正方形的位置，"
    "并输出这些正方形的{}下角的行号和列号。{}"
)
DIAGONALS = (
    "The squares are formed by characters that are the same along the diagonals, and (?:different "
    "between the diagonals|the characters between the diagonals are different)\\. "
    "Each side of the square must be at least 2 (?:characters|units) long\\."
)
ONE_LETTER = (
    "The squares are composed of the same character, and each side has a length of at least 2\\."
)
TASKS = {
    "a": f"{TASK.format('right', ONE_LETTER)}|"
    + ZH_TASK.format("右", "正方形由相同的字符组成，并且每条边的长度至少为2。"),
    "b": f"{TASK.format('left', DIAGONALS)}|"
    + ZH_TASK.format(
        "左", "正方形由对角线相同的字符组成，且对角线和对角线之间字符不同，每条边的长度至少为2。"
    ),
}
GRID_IS = "(?:If|For) the matrix(?: is)?|若矩阵为"
ASKED = {
    family: (
        f"[Pp]lease (?:provide|find out) the row and column of the bottom[- ]{side} vertex of "
        f"(?:a|the) square (?:in the character matrix )?with a (?:{SIDE}|length greater than or "
        "equal to 2)(?: in the character matrix)? \\(the answer is unique\\)\\.|"
        f"请给出字符矩阵中长度大于等于2的正方形的{zh}下顶点在第几行第几列\\(答案唯一\\)"
    )
    for family, side, zh in (("a", "right", "右"), ("b", "left", "左"))
}


@reads(LETTER_ROW)
def read(prompt: str, level: int) -> PatternRecognition:
    grid, text = letter_rows(task_of(prompt))
    family = next((name for name, task in TASKS.items() if re.match(task, text)), None)
    if family is None:
        raise not_understood(text.splitlines()[0])
    check_known(text, (TASKS[family], GRID_IS, ASKED[family]))
    if not grid or len(grid) != len(grid[0]):
        raise NotRead(f"its grid has {len(grid)} rows")
    made = PatternRecognition(family, level, grid)
    if len(made.squares()) != 1:
        raise NotRead(f"its grid has {len(made.squares())} squares")
    return made
