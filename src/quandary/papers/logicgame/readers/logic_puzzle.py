"""Published items of the logic puzzle (逻辑拼图).

Those about products are not read: as they are written, nothing can be chosen, for a row with a
single negative number breaks their rule; and with an exemption many choices fit.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import NotRead, found, number_rows, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.logic_puzzle import LogicPuzzle

SIZE = r"Given an? (\d ?\* ?\d) grid|给定一个(\d\*\d)的方格"
RANGE = r"\(between 1-(\d)\)|（1-(\d)之间）"
COUNT = r"select (\d) different numbers \(from 1 to \d\)|选择(\d)个不同的数字（从1到\d）"
LAST = r"\(from 1 to (\d)\)|（从1到(\d)）"
BOUND = r"less than or equal to (\d)|都应该小于等于(\d)"
CHOSEN = (
    r"the number (\d) in (?:the )?(?:\S+ )?(?:cell|square) ?\((\d),(\d)\)"
    r"|方格\((\d),(\d)\)中的数字(\d)"
)
ROW = r"^ *\d(?: *[,，] *\d)+ *$"


@reads(SIZE, RANGE, COUNT, LAST, BOUND, CHOSEN, ROW)
def read(prompt: str, level: int) -> LogicPuzzle:
    task = task_of(prompt)
    if re.search("product|乘积", task):
        raise NotRead("its products leave nothing to choose, or several choices")
    rows, columns = map(int, _only(SIZE, task).split("*"))
    grid = number_rows(task)
    if (len(grid), len(grid[0])) != (rows, columns):
        raise NotRead(f"its grid has {len(grid)} rows of {len(grid[0])}, not {rows} of {columns}")
    count = int(_only(COUNT, task))
    if any(int(_only(pattern, task)) != count for pattern in (RANGE, LAST)):
        raise NotRead("it names several numbers as the greatest one")
    if sorted({number for row in grid for number in row}) != list(range(1, count + 1)):
        raise NotRead(f"its grid does not have just the numbers 1 to {count}")
    chosen = tuple(sorted(_chosen(match) for match in re.finditer(CHOSEN, task)))
    if not chosen:
        raise NotRead("it tells no number that is chosen")
    for number, (row, column) in chosen:
        if not (0 <= row < rows and 0 <= column < columns) or grid[row][column] != number:
            raise NotRead(f"the cell ({row + 1},{column + 1}) does not have the number {number}")
    made = LogicPuzzle("a", level, grid, int(_only(BOUND, task)), chosen)
    if len(chosen) > 1:
        made = LogicPuzzle("b", level, grid, made.bound, chosen)
    if not made.is_unique():
        raise NotRead("not exactly one choice of cells fits")
    return made


def _only(pattern: str, task: str) -> str:
    """Return what the only place where a pattern fits has of its own."""
    (text,) = filter(None, found(pattern, task).groups())
    return str(text)


def _chosen(match: re.Match[str]) -> tuple[int, tuple[int, int]]:
    """Return a number, and its row and column from 0."""
    english, chinese = match.groups()[:3], match.groups()[3:]
    number, row, column = english if english[0] else (chinese[2], *chinese[:2])
    return int(number), (int(row) - 1, int(column) - 1)
