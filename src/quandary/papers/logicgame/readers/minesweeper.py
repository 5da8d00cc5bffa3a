"""Reads the published prompts of minesweeper (扫雷).

Published processes sometimes miss mines that are certain; our key has all of them, as the prompts
ask for.
"""

from __future__ import annotations

import re
from itertools import pairwise

from quandary.papers.logicgame.prompts import NotRead, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.planning.minesweeper import Minesweeper
from quandary.puzzles.questions.planning.minesweeper.solver.deduction import (
    UNKNOWN,
    Board,
    forced,
    squares_of,
)

SIZE = r"\bn=(\d)(?=[,，])"
TOTAL = r"number of mines ?= ?(\d+)|地雷数=(\d+)"
ROUND = r"[Tt]he (\w+) round of number hints is|第(.)轮数字提示为"
CELL = r"(?:\*|[A-D]?\d)"
ROW = rf"(?m)^({CELL}(?: ?{CELL})+)\.? *$"
NUMBERS = {"first": 1, "second": 2, "third": 3, "forth": 4, "一": 1, "二": 2, "三": 3, "四": 4}


@reads(SIZE, TOTAL, ROUND, ROW)
def read(prompt: str, level: int) -> Minesweeper:
    task = task_of(prompt)
    size, total = int(found(SIZE, task)[1]), _total(task)
    family = "a" if total is None else "b"
    made = Minesweeper(family, level, _boards(task, size), total)
    _check_clues(made)
    return made


def _total(task: str) -> int | None:
    """Return the number of all mines; None if it is not given."""
    if not re.search(TOTAL, task):
        return None
    (total,) = filter(None, found(TOTAL, task).groups())
    return int(total)


def _boards(task: str, size: int) -> tuple[Board, ...]:
    """Those of all rounds, each of as many rows as cells in a row."""
    starts = list(re.finditer(ROUND, task))
    ends = [*(start.start() for start in starts), len(task)]
    named = [next(filter(None, start.groups())) for start in starts]
    numbers = [NUMBERS.get(name, name) for name in named]
    if numbers != list(range(1, len(starts) + 1)):
        raise NotRead(f"its rounds are {', '.join(map(str, numbers))}")
    if not starts or re.search(ROW, task[: ends[0]]):
        raise NotRead("it has clues before its first round")
    boards = tuple(_board(task[start:end]) for start, end in pairwise(ends))
    for number, board in enumerate(boards, start=1):
        if [len(row) for row in board] != [size] * size:
            lengths = ", ".join(str(len(row)) for row in board) or "no"
            raise NotRead(f"the rows of round {number} have {lengths} cells, not {size}")
    return boards


def _board(text: str) -> Board:
    return tuple(tuple(re.findall(CELL, row)) for row in re.findall(ROW, text))


def _check_clues(made: Minesweeper) -> None:
    """They are of the kind of the family, they stay, and one arrangement is left at the end."""
    shown = [{one for one in squares_of(board) if one[1] != UNKNOWN} for board in made.boards]
    if any((made.family == "a") != clue.isdigit() for clues in shown for _, clue in clues):
        raise NotRead("its clues are not those of its rules")
    for number, (earlier, later) in enumerate(pairwise(shown), start=2):
        if not earlier <= later:
            raise NotRead(f"round {number} changes or hides earlier clues")
    last = made.boards[-1]
    try:
        certain, safe = forced(last, made.mines)
    except ValueError as reason:
        raise NotRead(str(reason)) from None
    if len(certain) + len(safe) + len(shown[-1]) != len(last) ** 2:
        raise NotRead("more than one arrangement of mines fits")
