"""Reads the published prompts of pooling."""

from __future__ import annotations

from quandary.papers.logicgame.prompts import (
    GRID_ROW,
    GRID_ROWS,
    NotRead,
    check_known,
    found,
    number_rows,
    task_of,
)
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions._shared.boards import windows
from quandary.puzzles.questions.execution.pooling import Pooling

DEFINED = (
    r"In an N\*N grid, .*We define the \"(max|average) pooling\" operation: .*from left to right "
    r"or from top to bottom in the matrix, (?:finding the maximum|calculating the average) value.*|"
    r"在一个N\*N的方格中，.*我们定义“(最大|平均)池化”操作：.*从左到右，从上到下滑动，"
    r"(?:找出|算出)每一个滑动窗口中的(?:最大|平均)值。.*"
)
ASKED = (
    r"Now, please perform (max|average) pooling on the following matrix by using a (\d)\*\2 "
    r"sliding window:|"
    r"现在请以(\d)\*\3(?:大小的滑动窗口|的滑动窗口大小)对以下矩阵进行(最大|平均)池化操作："
)
WINDOW = r"(\d\*\d)(?= sliding window|(?:大小)?的滑动窗口)"
FAMILIES = {"max": "a", "最大": "a", "average": "b", "平均": "b"}


@reads(WINDOW, GRID_ROWS)
def read(prompt: str, level: int) -> Pooling:
    task = task_of(prompt)
    check_known(task, (DEFINED, ASKED, rf"(?m)^{GRID_ROW.pattern}$"))
    (defined,) = filter(None, found(DEFINED, task).groups())
    asked, window = sorted(filter(None, found(ASKED, task).groups()), key=str.isdecimal)
    if defined != asked:
        raise NotRead(f"it defines {defined} pooling and asks for {asked} pooling")
    grid = number_rows(task)
    if len(grid) != len(grid[0]):
        raise NotRead(f"its grid has {len(grid)} rows of {len(grid[0])} cells")
    made = Pooling(FAMILIES[asked], level, grid, int(window))
    squares = (part for _, part in windows(grid, made.window, made.window))
    if made.family == "b" and any(sum(map(sum, part)) % made.window**2 for part in squares):
        raise NotRead("an average is not a whole number")
    return made
