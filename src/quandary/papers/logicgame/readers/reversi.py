"""Reads the published prompts of reversi.

Their words do not say from which pieces others flip: the new one, also those that flipped, or all.
A prompt is read if all of these give the same boards.
"""

from __future__ import annotations

import re
from itertools import product

from quandary.papers.logicgame.prompts import NotRead, check_known, found, task_of
from quandary.papers.logicgame.wordings import reads
from quandary.puzzles.questions.execution.reversi import Reversi
from quandary.puzzles.questions.execution.reversi.solver.board import (
    BLACK,
    EMPTY,
    OTHER,
    WHITE,
    Board,
    Square,
    after,
)
from quandary.puzzles.questions.execution.reversi.solver.games import LARGEST, boards_after, turns

RULES = (
    r"There is a game similar to Reversi\. .*Black pieces are represented by 0, white pieces by 1, "
    r"and empty spaces by \*\.|Rules:1\. Two players take turns .*|"
    r"有一个类似黑白棋的游戏。.*黑棋用0表示，白棋用1表示，空格用\*表示。|规则：|"
    r"[123]\. (?:两名玩家|玩家每轮|放置棋子后).*|所有坐标的起点从第1行第1列开始，.*"
)
GIVEN = (
    r"Given(?: that|:) ?n=(\d+), you (?:are playing|play)(?: as)? (black|white)(?: chess)?[,.]"
    r"(?: and the previous board state (?:was|is):)?|n=(\d+)，你执(黑|白)棋，上轮棋局为："
)
ROW = r"(?m)^[01*]+ *$"
ROUND = (
    r"(?:Round (\d)|第([一二三四])轮)[:：] ?(The opponent's|Your|你|对方)"
    r"(?: landing position is)? ?[(（](\d+),(\d+)[)）]\.?"
)
OTHERS = (
    r"The previous round of the game was: ?|已知：|"
    r"(?:Please write down|Based on the previous board state).*|请根据上轮棋局情况.*"
)
NUMBERS = {"一": "1", "二": "2", "三": "3", "四": "4"}


@reads(GIVEN, ROW, ROUND)
def read(prompt: str, level: int) -> Reversi:
    task = task_of(prompt)
    check_known(task, (RULES, GIVEN, ROW, ROUND, OTHERS))
    size, colour = filter(None, found(GIVEN, task).groups())
    yours = BLACK if colour in ("black", "黑") else WHITE
    board = tuple(row.strip() for row in re.findall(ROW, task))
    if {len(board), *map(len, board)} != {int(size)}:
        raise NotRead(
            f"its rows have {', '.join(str(len(row)) for row in board)} cells, not {size}"
        )
    if len(board) > LARGEST:
        raise NotRead(f"its board has more than {LARGEST} squares per side")
    first, places = _rounds(task, yours)
    # The first family has the colour black and 4 x 4 squares at every level.
    family = "a" if yours == BLACK and len(board) == 4 else "b"
    made = Reversi(family, level, "cascade", board, yours, first, places)
    _check(made)
    return made


def _rounds(task: str, yours: str) -> tuple[str, tuple[Square, ...]]:
    """Return the colour that begins, and the squares."""
    rounds = [list(filter(None, one)) for one in re.findall(ROUND, task)]
    numbers = [NUMBERS.get(number, number) for number, *_ in rounds]
    if not rounds or numbers != [str(number + 1) for number in range(len(rounds))]:
        raise NotRead(f"its rounds are {', '.join(numbers) or 'missing'}")
    mine = [who in ("Your", "你") for _, who, *_ in rounds]
    if mine != [mine[number % 2] for number in range(len(mine))] or mine[:1] == mine[1:2]:
        raise NotRead("the players do not take turns")
    places = tuple((int(row), int(column)) for *_, row, column in rounds)
    return yours if mine[0] else OTHER[yours], places


def _check(made: Reversi) -> None:
    """Pieces are placed on empty squares, and it does not matter from where others flip."""
    for row, column in made.places:
        if not (0 < row <= len(made.board) and 0 < column <= len(made.board)):
            raise NotRead(f"({row},{column}) is not an empty square")
    boards = [made.board, *boards_after(made.board, made.first, made.places, made.flips)]
    for (row, column), board in zip(made.places, boards, strict=False):
        if board[row - 1][column - 1] != EMPTY:
            raise NotRead(f"({row},{column}) is not an empty square")
    classic = boards_after(made.board, made.first, made.places, "classic")
    if boards[1:] != classic or boards[1:] != _flipped_everywhere(made):
        raise NotRead("its words allow readings in which other pieces flip")


def _flipped_everywhere(made: Reversi) -> list[Board]:
    """Return the boards if pieces flip between any two of the player's, wherever they stand."""
    boards = [made.board]
    for turn in turns(made.first, made.places):
        now = after(boards[-1], turn.colour, turn.place, "cascade")
        while True:
            before = now
            for row, column in product(range(1, len(now) + 1), repeat=2):
                if now[row - 1][column - 1] == turn.colour:
                    now = after(now, turn.colour, (row, column), "cascade")
            if now == before:
                break
        boards.append(now)
    return boards[1:]
