"""Reads the published prompts of pooling."""

from __future__ import annotations

from quandary.kit.boards import windows
from quandary.puzzles.questions.execution.pooling import Pooling

from .prompts import NotRead, found, number_rows

DEFINED = r"define the \"(max|average) pooling\"|我们定义“(最大|平均)池化”"
ASKED = r"please perform (max|average) pooling|矩阵进行(最大|平均)池化"
WINDOW = r"using a (\d)\*\1 sliding window|以(\d)\*\2(?:大小)?的滑动窗口"
FAMILIES = {"max": "a", "最大": "a", "average": "b", "平均": "b"}


def read(prompt: str, level: int) -> Pooling:
    grid = number_rows(prompt)
    if len(grid) != len(grid[0]):
        raise NotRead(f"its grid has {len(grid)} rows of {len(grid[0])} cells")
    defined, asked, window = (_only(pattern, prompt) for pattern in (DEFINED, ASKED, WINDOW))
    if defined != asked:
        raise NotRead(f"it defines {defined} pooling and asks for {asked} pooling")
    made = Pooling(FAMILIES[asked], level, grid, int(window))
    squares = (part for _, part in windows(grid, made.window, made.window))
    if made.family == "b" and any(sum(map(sum, part)) % made.window**2 for part in squares):
        raise NotRead("an average is not a whole number")
    return made


def _only(pattern: str, prompt: str) -> str:
    """The word that was found, in either language."""
    return str(next(filter(None, found(pattern, prompt).groups())))
