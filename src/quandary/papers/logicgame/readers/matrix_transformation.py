"""Reads the published prompts of matrix transformation."""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.matrix_transformation import MatrixTransformation

TASKS = {
    r"Given a 2D (array of strings, which|string array, this array) represents a letter matrix[.,] "
    r"Your task is to rotate this matrix 90 degrees clockwise and output the result\.": "a",
    r"Given a 2D (array of strings, which|string array, this array) represents a letter matrix[.,] "
    r"Your task is to flip this matrix horizontally and output the result\.": "b",
    r"给定一个二维字符串数组，这个数组表示一个字母矩阵。你的任务是将这个矩阵顺时针旋转90度，"
    r"并输出结果。": "a",
    r"给定一个二维字符串数组，这个数组表示一个字母矩阵。你的任务是将这个矩阵左右对称翻转，"
    r"并输出结果。": "b",
}
QUESTION = "If the matrix is|What is the result\\?|若矩阵为|请问结果是什么\\?"
ROW = r"[A-Z](?: [A-Z])+\.?"


@reads(rf"^ *{ROW} *$")
def read(prompt: str, level: int) -> MatrixTransformation:
    families, rows = [], list[str]()
    for line in map(str.strip, task_of(prompt).splitlines()):
        named = [family for task, family in TASKS.items() if re.fullmatch(task, line, re.I)]
        families += named
        if re.fullmatch(ROW, line):
            rows.append(line.rstrip(".").replace(" ", ""))
        elif not named and not re.fullmatch(QUESTION, line, re.I):
            raise not_understood(line)
    if len(families) != 1:
        raise NotRead(f"it names {len(families)} tasks")
    if not rows or len(set(map(len, rows))) != 1:
        raise NotRead(f"its rows have {', '.join(str(len(row)) for row in rows) or 'no'} letters")
    return MatrixTransformation(families[0], level, tuple(rows))
