"""Reads the published prompts of 2048."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quandary.papers.logicgame.prompts import (
    GRID_ROWS,
    PLACE,
    NotRead,
    found,
    not_understood,
    number_rows,
)
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.slide_2048 import Slide2048

MEETING = r"4 ?(?:meets|遇到) ?4 ?-> ?(\d+)"  # what two equal numbers become tells the family
FAMILIES = {"8": "a", "16": "b", "2": "c"}
WAYS = {
    "up": "u",
    "down": "d",
    "left": "l",
    "right": "r",
    "上": "u",
    "下": "d",
    "左": "l",
    "右": "r",
}
WALK = (
    r"(?:according to the (?P<a>[udlr]+) command|in the order of (?P<b>[udlr]+):|"
    r"sequence \"?(?P<c>[udlr]+)\"?:|to the lower left \((?P<d>ld)\):|移动(?P<e>[udlr]+)：)"
)
MOVES = r"(?:Move direction and randomly generated position|移动方向和随机生成位置)[:：]\s*([^\n]+)"
MOVE = (
    r"(?:\d\. |position: |位置：)((?i:up|down|left|right)|[上下左右])(?=[.;。；]|\s*$)"  # in MOVES
)
ROWS = {"upper": 0, "top": 0, "上": 0, "lower": -1, "bottom": -1, "下": -1}
COLUMNS = {"left": 0, "左": 0, "right": -1, "右": -1}
CORNER = (
    r"(?P<row>upper|top|lower|bottom)[- ](?P<column>left|right) corner"
    r"|(?P<side>[左右])(?P<end>[上下])角"
)
MIDDLE = r"the (middle)\b|将最?(中间)"
NUMBER = r"number (\d+) |数字(\d+)移动"  # in the cell to start from


@reads(GRID_ROWS, WALK, PLACE, CORNER, MIDDLE, NUMBER, MOVE)
def read(prompt: str, level: int) -> Slide2048:
    grid = number_rows(prompt)
    if len(grid) != len(grid[0]):
        raise NotRead(f"its grid has {len(grid)} rows of {len(grid[0])} cells")
    if re.search("Initial state|初始状态", prompt):
        listed = found(MOVES, prompt)[1]
        words = re.findall(r"[a-z]+|[上下左右]", listed.lower())
        if not words or words != [one.lower() for one in re.findall(MOVE, prompt, re.M)]:
            raise not_understood(listed)
        return Slide2048("d", level, grid, "".join(WAYS[word] for word in words), None)
    if odd := [cell for row in grid for cell in row if cell < 1 or cell & (cell - 1)]:
        raise NotRead(f"not a power of 2: {odd[0]}")  # where the break of a row is lost
    made = found(MEETING, prompt)
    if made[1] not in FAMILIES:
        raise not_understood(made[0])
    moves = next(filter(None, found(WALK, prompt).groups()))
    return Slide2048(FAMILIES[made[1]], level, grid, moves, _start(prompt, grid))


def _start(prompt: str, grid: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return where the walk begins; words and numbers must not contradict each other."""
    line = next((line for line in prompt.splitlines() if re.search(WALK, line)), "")
    named, size = set[tuple[int, int]](), len(grid)
    if place := PLACE.search(line):
        named.add((int(place[1]) - 1, int(place[2]) - 1))
    if corner := re.search(CORNER, line, re.I):
        row = ROWS[(corner["row"] or corner["end"]).lower()]
        column = COLUMNS[(corner["column"] or corner["side"]).lower()]
        named.add((row % size, column % size))
    if re.search(MIDDLE, line, re.I):
        named.add((size // 2, size // 2))
    if len(named) != 1:
        raise NotRead(f"it does not name one cell to start from: {line.strip()!r}")
    row, column = named.pop()
    if row >= size or column >= size:
        raise NotRead(f"its cell to start from is not in the grid: {line.strip()!r}")
    if (number := re.search(NUMBER, line)) and int(number[1] or number[2]) != grid[row][column]:
        raise NotRead(f"it starts with {grid[row][column]}: {line.strip()!r}")
    return row, column
