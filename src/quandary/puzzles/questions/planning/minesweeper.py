"""Minesweeper: find all mines from clues that are uncovered round by round, and say which are certain after each round.

From LogicGame.  In family a a number counts the mines around its square; in family b a letter and a number count the mines
in one direction, and the total is given.  A mine is certain when it lies in every arrangement that fits the clues so far:
exact entailment, where the published processes now and then miss a deduction.  After the last round one arrangement is left,
and none of the clues could be spared.  The process is asked at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.json_answers import asked, judge_json, written

Family: TypeAlias = Literal["a", "b"]
Board: TypeAlias = tuple[tuple[str, ...], ...]  # rows from the top: "*", a number, or a letter and a number
Square: TypeAlias = tuple[int, int]  # (x, y): columns from the left, rows from the bottom, both from 1

UNKNOWN = "*"
AROUND = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]
TOWARDS = {"A": (0, 1), "B": (0, -1), "C": (-1, 0), "D": (1, 0)}
LARGEST = 10  # squares a side; larger boards would take minutes
TRIES = 500  # minefields laid anew before an instance is given up; most need one or two
ORDERS = 6  # orders of the clues from which the one that tells its story most gradually is taken

EXAMPLE = written([["1", "1"], ["3", "2"]], [[[]], [["3", "2"]], [["1", "1"], ["3", "2"]]])
WORDS = {
    "en": {
        "rules": "Some squares of a square board hide a mine, at most one each; find them all. "
        "Clues are uncovered in rounds, and each round shows the whole board with all clues so far. "
        "A square with a clue has no mine; a square shown as * may or may not have one. The clues are explained with the board.\n"
        "A square is named by its x and y: x counts the columns from the left, y counts the rows from the bottom, both from 1, "
        "so (1,1) is the bottom left square.\n"
        "A mine is certain after a round if its square has a mine in every arrangement of mines that fits all the clues shown "
        "up to then, and the number of mines where it is given. After the last round just one arrangement fits.",
        "answer": "the list of all mines, each written as the list of the two strings x and y, in the order of x, "
        "and of y where x is equal, from small to large as numbers.",
        "process": "the list of one entry a round, in order. An entry is the list of all mines that are certain after that round, "
        "those that were certain before included, written and ordered in the same way. Squares that must be safe are not listed. "
        "Where no mine is certain the entry is [[]]; where nothing new is certain the entry is the same as the one before.",
        "a": "The board has {n} x {n} squares. "
        "A number counts the mines on the squares next to its own, sideways, up and down or diagonally. "
        "The number of mines in all is not given.",
        "b": "The board has {n} x {n} squares and {mines} mines in all. A clue is a letter and a number. "
        "The letter is a direction, seen from the square of the clue: A up, B down, C left, D right. "
        "The number counts all the mines in that direction, from the next square on to the edge of the board; "
        "clues on the way do not block the view.",
        "round": "Round {k}:",
    },
    "zh": {
        "rules": "方形棋盘的一些格子里埋有地雷，每格至多一颗，请找出全部地雷。"
        "线索分轮揭开，每一轮都给出整个棋盘和到这一轮为止的全部线索。"
        "有线索的格子没有地雷；标为 * 的格子可能有雷，也可能没有。线索的含义随棋盘说明。\n"
        "格子的位置用 x 和 y 表示：x 是从左往右数的列号，y 是从下往上数的行号，都从 1 开始，因此（1,1）是左下角的格子。\n"
        "考虑所有与到某一轮为止的全部线索相符的布雷方式（给出地雷总数时，还须与总数相符）：如果一个格子在每一种布雷方式中都有雷，"
        "就说这颗雷在这一轮之后是确定的。最后一轮之后，只剩一种布雷方式相符。",
        "answer": "全部地雷的列表，每颗雷写成由 x 和 y 两个字符串组成的列表；"
        "按 x 的数值从小到大排列，x 相同时按 y 的数值从小到大排列。",
        "process": "按轮次排列的列表，每轮一项。每一项是该轮之后所有确定的地雷的列表，包括之前已经确定的，写法和顺序同上。"
        "确定安全的格子不列出。没有任何确定的地雷时，该项写作 [[]]；没有新的地雷确定时，该项与上一项相同。",
        "a": "棋盘有 {n} x {n} 个格子。数字表示与它所在的格子相邻（左右、上下或斜向）的格子中共有几颗地雷。地雷总数没有给出。",
        "b": "棋盘有 {n} x {n} 个格子，共有 {mines} 颗地雷。一条线索由一个字母和一个数字组成。"
        "字母表示从线索所在的格子看去的方向：A 为上，B 为下，C 为左，D 为右。"
        "数字表示沿这个方向从相邻的一格直到棋盘边缘共有几颗地雷，途中的线索不会挡住视线。",
        "round": "第 {k} 轮：",
    },
}


class Clue(NamedTuple):
    square: Square
    watched: tuple[Square, ...]  # where it counts the mines
    number: int


@dataclass(frozen=True)
class Minesweeper(Question):
    family: Family
    boards: tuple[Board, ...]  # one a round, each with all clues so far
    mines: int | None  # how many there are, where it is told

    levels = {
        "0": {"size": 2, "mines": (1, 2), "rounds": 1},
        "1": {"size": 3, "mines": (1, 3), "rounds": 2},
        "2": {"size": 4, "mines": (5, 6), "rounds": 3},
        "3": {"size": 5, "mines": (7, 11), "rounds": 4},
    }
    small = {
        "0": "2 x 2 squares have only 50 sets of clues that are just enough: 10 in family a, 40 in family b",
        "1": "3 x 3 squares have some 20,000 sets of clues, and simple ones come again and again",
    }
    form = "json"
    languages = ("en", "zh")

    @classmethod
    def new(
        cls, rng: Random, *, family: Family | None = None, size: int = 2, mines: tuple[int, int] = (1, 2), rounds: int = 1
    ) -> Minesweeper:
        """Lays mines, takes away clues while the rest still tell all, and spreads what is left over the rounds."""
        if not 2 <= size <= LARGEST or rounds < 1 or not 1 <= mines[0] <= mines[1] < size * size:
            raise ValueError(
                f"{size} x {size} squares in {rounds} rounds cannot hide {mines[0]} to {mines[1]} mines and show a clue"
            )
        if family is None:
            family = "a" if rng.random() < 0.5 else "b"
        squares = [(x, y) for x in range(1, size + 1) for y in range(1, size + 1)]
        for _ in range(TRIES):
            laid = set(rng.sample(squares, rng.randint(*mines)))
            told = len(laid) if family == "b" else None
            dry = [square for square in rng.sample(squares, len(squares)) if square not in laid]
            clues = _needed({square: _clue(square, laid, size, family, rng) for square in dry}, size, told)
            if len(clues) >= rounds:
                stories = [cls(family, _stages(clues, size, rounds, rng), told) for _ in range(ORDERS)]
                return max(stories, key=lambda story: len(set(story.certain())))
        raise ValueError(f"no {mines[0]} to {mines[1]} mines on {size} x {size} squares take {rounds} rounds of clues to find")

    def sibling(self, rng: Random, **level: Any) -> Minesweeper:
        return type(self).new(rng, **{**level, "family": self.family})

    def canonical(self) -> Hashable:
        """The least of the eight turns and mirrors of the clues."""
        n, clues = len(self.boards[0]), [_clues(board) for board in self.boards]
        images = []
        for swap, flip_x, flip_y in product((False, True), repeat=3):

            def image(square: Square, swap: bool = swap, flip_x: bool = flip_x, flip_y: bool = flip_y) -> Square:
                x, y = (n + 1 - square[0] if flip_x else square[0]), (n + 1 - square[1] if flip_y else square[1])
                return (y, x) if swap else (x, y)

            images.append(
                [sorted((image(at), sorted(map(image, watched)), number) for at, watched, number in shown) for shown in clues]
            )
        return (self.family, self.mines, repr(min(images)))

    def certain(self) -> list[tuple[Square, ...]]:
        """The mines that are certain after each round; ValueError where the clues contradict each other."""
        return [_forced(board, self.mines)[0] for board in self.boards]

    def check(self, answer: str, language: Language = "en") -> Verdict:
        process = [_listed(squares) for squares in self.certain()]
        return judge_json(answer, process[-1], process, language)

    def solution(self) -> str:
        process = [_listed(squares) for squares in self.certain()]
        return written(process[-1], process)

    def sample(self, rng: Random) -> str:
        """Mines by guess, of which each round makes some more certain."""
        open_squares = [square for square, cell in _squares(self.boards[-1]) if cell == UNKNOWN]
        guess = rng.sample(open_squares, self.mines or rng.randint(1, len(open_squares)))
        shown = [*sorted(rng.randint(0, len(guess)) for _ in self.boards[1:]), len(guess)]
        return written(_listed(sorted(guess)), [_listed(sorted(guess[:count])) for count in shown])

    def rules(self, language: Language = "en") -> str:
        words = WORDS[language]
        return f"{words['rules']}\n{asked(language, EXAMPLE, words['answer'], words['process'])}"

    def text(self, seat: Seat, language: Language = "en") -> str:
        words, wide = WORDS[language], self.family == "b"
        lines = [words[self.family].format(n=len(self.boards[0]), mines=self.mines)]
        for k, board in enumerate(self.boards, start=1):
            lines += ["", words["round"].format(k=k)]
            lines += [" ".join(f"{cell:2}" for cell in row).rstrip() if wide else "".join(row) for row in board]
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The boards of the rounds, two beside each other; new clues stand on pale yellow."""
        n = len(self.boards[0])
        pitch = max(n + 1.4, 4.8)  # a title fits above the smallest board
        shapes: list[Shape] = []
        for k, board in enumerate(self.boards):
            left, top = k % 2 * pitch + 0.7, k // 2 * (n + 1.8) + 0.8
            title = f"round {k + 1}" if self.mines is None else f"round {k + 1}, mines: {self.mines}"
            shapes.append(Label(left, top - 0.4, title, anchor="start"))
            for i in range(n):
                shapes.append(Label(left - 0.35, top + n - i - 0.5, str(i + 1), colour="quiet"))
                shapes.append(Label(left + i + 0.5, top + n + 0.35, str(i + 1), colour="quiet"))
            earlier = dict(_squares(self.boards[k - 1])) if k else {}
            for (x, y), cell in _squares(board):
                fill = "paper" if cell == UNKNOWN else "shade" if earlier.get((x, y)) == cell else "mark"
                shapes.append(Box(left + x - 1, top + n - y, fill=fill, text=cell.strip(UNKNOWN)))
        beside, below = min(2, len(self.boards)), (len(self.boards) + 1) // 2
        return Scene(beside * pitch, below * (n + 1.8), tuple(shapes))


def _clue(square: Square, laid: set[Square], size: int, family: Family, rng: Random) -> str:
    """What a safe square shows; a direction is drawn among those that have squares."""
    if family == "a":
        return str(len(laid.intersection(_watched(square, "", size))))
    letter = rng.choice([letter for letter in TOWARDS if _watched(square, letter, size)])
    return letter + str(len(laid.intersection(_watched(square, letter, size))))


def _needed(clues: dict[Square, str], size: int, told: int | None) -> list[tuple[Square, str]]:
    """The clues without those that could be spared; none at all where even all of them leave a doubt."""

    def tell_all(shown: dict[Square, str]) -> bool:
        return sum(map(len, _forced(_board(shown.items(), size), told))) + len(shown) == size * size

    if not tell_all(clues):
        return []
    for square in list(clues):
        fewer = {other: clue for other, clue in clues.items() if other != square}
        if tell_all(fewer):
            clues = fewer
    return list(clues.items())


def _stages(clues: list[tuple[Square, str]], size: int, rounds: int, rng: Random) -> tuple[Board, ...]:
    """The clues in some order, cut into rounds."""
    order = rng.sample(clues, len(clues))
    ends = [*sorted(rng.sample(range(1, len(clues)), rounds - 1)), len(clues)]
    return tuple(_board(order[:end], size) for end in ends)


def _board(clues: Iterable[tuple[Square, str]], size: int) -> Board:
    shown = dict(clues)
    return tuple(tuple(shown.get((x, y), UNKNOWN) for x in range(1, size + 1)) for y in range(size, 0, -1))


def _squares(board: Board) -> list[tuple[Square, str]]:
    n = len(board)
    return [((x, n - row), cell) for row, cells in enumerate(board) for x, cell in enumerate(cells, start=1)]


def _clues(board: Board) -> list[Clue]:
    return [
        Clue(square, _watched(square, cell.rstrip("0123456789"), len(board)), int(cell.lstrip("ABCD")))
        for square, cell in _squares(board)
        if cell != UNKNOWN
    ]


@lru_cache(maxsize=1 << 12)
def _watched(square: Square, letter: str, size: int) -> tuple[Square, ...]:
    """The squares a clue speaks of: one step to all sides, or all steps in one direction."""
    steps = [(dx * i, dy * i) for dx, dy in [TOWARDS[letter]] for i in range(1, size)] if letter else AROUND
    found = ((square[0] + dx, square[1] + dy) for dx, dy in steps)
    return tuple((x, y) for x, y in found if 1 <= x <= size and 1 <= y <= size)


@lru_cache(maxsize=1 << 12)
def _forced(board: Board, mines: int | None) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """The squares that have a mine in every arrangement that fits, and those that have one in none; exact.

    Squares seen by the same clues are alike, so only their number of mines matters.  Group by group, forwards, go all the ways
    to give mines to it (what matters of them is what each clue still needs); backwards, those that can be finished are kept.
    """
    clues = _clues(board)
    unknown = [square for square, cell in _squares(board) if cell == UNKNOWN]
    sums = [(set(clue.watched), clue.number) for clue in clues] + ([] if mines is None else [(set(unknown), mines)])
    alike: dict[tuple[int, ...], list[Square]] = {}
    for square in sorted(unknown):
        alike.setdefault(tuple(i for i, (watched, _) in enumerate(sums) if square in watched), []).append(square)
    room = [sum(square in watched for square in unknown) for watched, _ in sums]
    needs = tuple(number for _, number in sums)
    reached = [{needs} if all(need <= most for need, most in zip(needs, room, strict=True)) else set()]
    for seen_by, squares in alike.items():
        for i in seen_by:
            room[i] -= len(squares)
        given = (_less(needs, seen_by, count) for needs in reached[-1] for count in range(len(squares) + 1))
        reached.append({needs for needs in given if all(0 <= needs[i] <= room[i] for i in seen_by)})
    finished = reached.pop()
    if not finished:
        raise ValueError("no arrangement of mines fits the clues")
    certain, safe = list[Square](), list[Square]()
    for (seen_by, squares), before in zip(reversed(alike.items()), reversed(reached), strict=True):
        ways = [(needs, count) for needs in before for count in range(len(squares) + 1) if _less(needs, seen_by, count) in finished]
        finished = {needs for needs, _ in ways}
        counts = {count for _, count in ways}
        certain += squares if counts == {len(squares)} else []
        safe += squares if counts == {0} else []
    return tuple(sorted(certain)), tuple(sorted(safe))


def _less(needs: tuple[int, ...], seen_by: tuple[int, ...], count: int) -> tuple[int, ...]:
    left = list(needs)
    for i in seen_by:
        left[i] -= count
    return tuple(left)


def _listed(squares: Sequence[Square]) -> list[list[str]]:
    return [[str(x), str(y)] for x, y in squares] or [[]]
