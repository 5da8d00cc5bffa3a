"""Reads the published prompts of arithmetic sudoku.

The first number of a pair counts rows and the second columns: the first is said to grow downwards.
Families a and b write their clues in different ways.
"""

from __future__ import annotations

import re

from quandary.papers.logicgame.prompts import PLACE, NotRead, not_understood, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.arithmetic_sudoku import ArithmeticSudoku
from quandary.puzzles.questions.planning.arithmetic_sudoku.solver import ALONE, Cage

MOST = 1_000  # grids that are counted
SIZE = re.compile(r"(?:Given an? |给定一个)(\d)[*x](\d)")
CLUE = re.compile(r"^(\d)\. ?(?=[(（]|The blocks? )(.*\d)[.。]? *$", re.M)
PAIR = PLACE.pattern
PAIRS = rf"(?:{PAIR}(?:, and |[,，] ?)?)+"
# Family -> what a clue looks like, with its operation and its value.
CLUES = {
    "a": re.compile(
        rf"(?:The blocks? at )?(?:{PAIRS}) ?(?:[Bb]locks?|squares?|方块)? ?(?:marked with )?"
        r"(?P<operation>[-+*/]) ?(?:is|are|equals?|为) ?(?P<value>\d+)"
    ),
    "b": re.compile(rf"{PAIR} ?(?P<operation>[-+*/]) ?(?:{PAIR})? ?= *(?P<value>\d+)"),
}


@reads(CLUE)
def read(prompt: str, level: int) -> ArithmeticSudoku:
    task = task_of(prompt)
    size = SIZE.match(task)
    if size is None or size[1] != size[2]:
        raise not_understood(task.splitlines()[0])
    side = int(size[1])
    found = CLUE.findall(task)
    if [int(number) for number, _ in found] != list(range(1, len(found) + 1)):
        raise NotRead(f"its clues have the numbers {', '.join(number for number, _ in found)}")
    families = [one for one in CLUES if all(CLUES[one].fullmatch(clue) for _, clue in found)]
    if len(families) != 1:
        raise not_understood(found[0][1] if found else task.splitlines()[0])
    family = families[0]
    cages = tuple(_cage(clue, family, side) for _, clue in found)
    made = ArithmeticSudoku(family, level, side, cages)
    if (fitting := len(made.full_grids(MOST))) != 1:
        raise NotRead(f"{fitting} grids fit")
    return made


def _cage(clue: str, family: str, side: int) -> Cage:
    match = CLUES[family].fullmatch(clue)
    if match is None:
        raise not_understood(clue)
    places = [(int(row), int(column)) for row, column in PLACE.findall(clue)]
    if len(set(places)) < len(places) or any(
        not 1 <= number <= side for place in places for number in place
    ):
        raise NotRead(f"a clue is not about different cells of the grid: {clue}")
    operation = match["operation"] if len(places) > 1 else ALONE
    if operation in "-/" and len(places) > 2:
        raise NotRead(f"a clue has too many cells for its operation: {clue}")
    cells = tuple((row - 1) * side + column - 1 for row, column in places)
    return Cage(cells, operation, int(match["value"]))
