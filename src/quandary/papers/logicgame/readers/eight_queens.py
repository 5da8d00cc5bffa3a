"""Reads the published prompts of eight_queens.

They do not say whether a forbidden cell stays X in the answer: both are right where their words
are used, see `accepts_as_published`.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.eight_queens import FORBIDDEN, EightQueens

SIZE = r"Given an? (\d\*\d) grid|给定一个(\d\*\d)的方格"
QUEENS = r"(?:place|total of) (two|four|six|eight) queens|一共需要摆放(两|四|六|八)个皇后"
FORBIDS = r"(?:positions|cells) marked with X are not allowed|已经标识X的位置，不允许放置"
ROW = r"(?m)^[01X]+ *$"
NUMBERS = {"two": 2, "four": 4, "six": 6, "eight": 8, "两": 2, "四": 4, "六": 6, "八": 8}


@reads(SIZE, QUEENS, ROW)
def read(prompt: str, level: int) -> EightQueens:
    task = task_of(prompt)
    (size,) = filter(None, found(SIZE, task).groups())
    (queens,) = filter(None, found(QUEENS, task).groups())
    board = tuple(tuple(row.strip()) for row in re.findall(ROW, task))
    rows, columns = map(int, size.split("*"))
    if [len(row) for row in board] != [columns] * rows:
        lengths = ", ".join(str(len(row)) for row in board) or "no"
        raise NotRead(f"its rows have {lengths} cells, not {rows} times {columns}")
    if NUMBERS[queens] != min(rows, columns):
        raise NotRead(f"it asks for {NUMBERS[queens]} queens on {rows} x {columns} cells")
    family = "b" if re.search(FORBIDS, task) else "a"
    if (family == "b") != any(FORBIDDEN in row for row in board):
        raise NotRead("its rules and its board disagree about forbidden cells")
    made = EightQueens(family, level, board)
    if not made.is_unique():
        raise NotRead("not exactly one placement fits")
    return made
