"""Reversi: given a board and who plays where, give the board after each round.

From LogicGame.  Family a opens a game from the four centre pieces, family b joins one under way, on growing boards.
The paper's words on turning pieces allow three readings.  Ours is the cascade: a piece that turns may turn others in its turn,
as the paper's own worked example does, and it agrees with every published result; `flips="classic"` is the usual game, where
only the piece just placed turns others.  A piece may be put on any empty square, whether it turns something or not.
The process is asked at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, Literal, TypeAlias

from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Box, Disc, Label, Scene, Shape
from quandary.kit.json_answers import asked, judge_json, written

Family: TypeAlias = Literal["a", "b"]
Flips: TypeAlias = Literal["cascade", "classic"]
Square: TypeAlias = tuple[int, int]  # row and column, from 1
Board: TypeAlias = tuple[str, ...]  # rows of 0, 1 and *

BLACK, WHITE, EMPTY = "01*"
DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
LARGEST = 26  # squares a side
TRIES = 5_000  # games begun anew before an instance is given up; the rarest wish comes true once in thirty

EXAMPLE = written([["0", "1"], ["*", "0"]], [[["0", "1"], ["*", "*"]], [["0", "1"], ["*", "0"]]])
WORDS = {
    "en": {
        "rules": "On a square board two players put down pieces in turn, one each round, and some pieces change colour. "
        "Work out the board after each round.\n"
        "A black piece is written 0, a white piece 1, an empty square *. "
        "A square is named (row, column): rows count from the top, columns from the left, both from 1.\n"
        "The player whose round it is puts a piece of the player's colour on the empty square that is named, "
        "which is allowed whether or not anything turns.\n"
        "Then look from that piece along its row, its column and both its diagonals, to all sides. "
        "Wherever one or more pieces of the other colour, without a gap, are followed by a piece of the player's colour, "
        "all the pieces between the two turn: they take the player's colour. "
        "For example, black on the last square of the row 011* makes it 0000.\n",
        "cascade": "Every piece that turned is then looked from in the same way, with the board as it has become, and so on, "
        "until nothing more turns; all this belongs to the same round. "
        "Pieces between two that were there before and did not turn stay as they are.",
        "classic": "All sides are judged by the board as it was right after the piece was put down. "
        "Pieces that turn do not turn others.",
        "answer": 'the board after the last round: a list of rows from top to bottom, each a list of the strings "0", "1" and "*".',
        "process": "the list of the boards after each round, in order and each written the same way. "
        "The board before the first round is left out; the board after the last round is in it.",
        "a": "The game begins on a board of {n} x {n} squares, with the 4 pieces in its centre.",
        "b": "The game is under way on a board of {n} x {n} squares.",
        "you": "You play {yours}, your opponent plays {theirs}. The board before round 1:",
        BLACK: "black (0)",
        WHITE: "white (1)",
        "round": "Round {k}: {who} at ({row},{column})",
        "mine": "you",
        "theirs": "your opponent",
    },
    "zh": {
        "rules": "两名玩家在方形棋盘上轮流落子，每轮落一子，落子后部分棋子会变色。请写出每一轮之后的棋盘。\n"
        "黑子记作 0，白子记作 1，空格记作 *。格子的坐标写作（行,列）：行从上往下数，列从左往右数，都从 1 开始。\n"
        "轮到的玩家把一枚己方颜色的棋子放在指定的空格上，无论能否使棋子变色都可以落子。\n"
        "落子后，从这枚棋子出发，沿所在的行、列和两条斜线向各个方向看：如果紧挨着有一枚或连续多枚对方的棋子，中间没有空格，"
        "其后紧接一枚己方的棋子，那么夹在两枚己方棋子之间的这些棋子全部变成己方颜色。"
        "例如，一行为 011* 时，黑方落在最后一格，这一行就变成 0000。\n",
        "cascade": "每一枚刚变色的棋子再按当时的棋盘以同样的方式向各个方向看，如此继续，直到不再有棋子变色为止；这些都属于同一轮。"
        "如果夹住对方棋子的两枚棋子都是原有的、本轮没有变色的棋子，则被夹的棋子不变。",
        "classic": "各个方向都以刚落子时的棋盘为准。变色的棋子不会再使其他棋子变色。",
        "answer": '最后一轮之后的棋盘：由各行组成的列表，行从上到下排列，每行是由字符串 "0"、"1"、"*" 组成的列表。',
        "process": "每一轮之后的棋盘依次组成的列表，每个棋盘的写法与上面相同。不包括第一轮之前的棋盘，但包括最后一轮之后的棋盘。",
        "a": "棋局在 {n} x {n} 的棋盘上开始，中央已放好 4 枚棋子。",
        "b": "棋局在 {n} x {n} 的棋盘上已进行了一段时间。",
        "you": "你执{yours}，对方执{theirs}。第 1 轮之前的棋盘：",
        BLACK: "黑子（0）",
        WHITE: "白子（1）",
        "round": "第 {k} 轮：{who}落子（{row},{column}）",
        "mine": "你",
        "theirs": "对方",
    },
}


@dataclass(frozen=True)
class Reversi(Question):
    family: Family
    flips: Flips
    board: Board  # before the first round
    yours: str  # your colour, "0" or "1"
    first: str  # the colour of the first round; colours take turns
    places: tuple[Square, ...]  # one a round

    levels = {
        "0": {"size_b": 4, "rounds_a": 1, "rounds_b": 1},
        "1": {"size_b": 6, "rounds_a": 2, "rounds_b": 2},
        "2": {"size_b": 8, "rounds_a": 3, "rounds_b": 2, "chained": True},
        "3": {"size_b": 10, "rounds_a": 4, "rounds_b": 2, "chained": True},
    }
    small = {
        "0": "half of the instances are of family a, and there are only 32 of those",
        "1": "half of the instances are of family a, and there are only 576 of those",
        "2": "half of the instances are of family a, and there are only 352 of those",
        "3": "half of the instances are of family a, and there are about 3,000 of those",
    }
    form = "json"
    languages = ("en", "zh")

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        family: Family | None = None,
        flips: Flips = "cascade",
        size_a: int = 4,
        size_b: int = 4,
        rounds_a: int = 1,
        rounds_b: int = 1,
        chained: bool = False,
    ) -> Reversi:
        """Half of the rounds or more turn pieces; `chained` plants a cascade in which a turned piece turns others."""
        if family is None:
            family = "a" if rng.random() < 0.5 else "b"
        size, rounds = (size_a, rounds_a) if family == "a" else (size_b, rounds_b)
        room = size * size - 4 - rounds  # squares left for what was played before
        if not 4 <= size <= LARGEST or size % 2 or rounds < 1 or room < 0:
            raise ValueError(
                f"{size} x {size} squares have no centre or no room for {rounds} rounds; take an even size from 4 to {LARGEST}"
            )
        chained = chained and flips == "cascade"
        keen = 0.3 if chained and family == "a" else 0.8  # near the opening, cascades need quiet moves
        for k in range(TRIES):
            if k % 10 == 0:  # a position under way costs more than the rounds from it
                earlier = rng.randint(min(2, room), min(2 * size, room)) if family == "b" else 0
                board, first, _ = _played(_opening(size, rng), rng.choice((BLACK, WHITE)), earlier, flips, keen, rng)
            _, _, places = _played(board, first, rounds, flips, keen, rng)
            question = cls(family, flips, board, rng.choice((BLACK, WHITE)), first, places)
            if question._lively(chained):
                return question
        raise ValueError(f"no cascade comes about in {rounds} rounds from the centre of {size} x {size} squares; take more rounds")

    def sibling(self, rng: Random, **level: Any) -> Reversi:
        return type(self).new(rng, **{**level, "family": self.family, "flips": self.flips})

    def canonical(self) -> Hashable:
        """The least of the eight turns and mirrors of the board, in both colourings; who is you does not matter."""
        swap = str.maketrans("01", "10")
        seen = [(board, self.first, places) for board, places in _images(self.board, self.places)]
        seen += [(tuple(row.translate(swap) for row in board), _other(first), places) for board, first, places in seen]
        return (self.flips, min(seen))

    def boards(self) -> list[Board]:
        """The board after each round."""
        board, colour, found = self.board, self.first, list[Board]()
        for place in self.places:
            board, colour = after(board, colour, place, self.flips), _other(colour)
            found.append(board)
        return found

    def check(self, answer: str, language: Language = "en") -> Verdict:
        boards = [_cells(board) for board in self.boards()]
        return judge_json(answer, boards[-1], boards, language)

    def solution(self) -> str:
        boards = [_cells(board) for board in self.boards()]
        return written(boards[-1], boards)

    def sample(self, rng: Random) -> str:
        """The pieces are put down, and each round some piece on the board changes colour by guess."""
        board, colour, guesses = _cells(self.board), self.first, []
        for row, column in self.places:
            pieces = [(y, x) for y, cells in enumerate(board) for x, cell in enumerate(cells) if cell == _other(colour)]
            board = [list(cells) for cells in board]
            for y, x in [(row - 1, column - 1), *rng.sample(pieces, min(1, len(pieces)))]:
                board[y][x] = colour
            guesses.append(board)
            colour = _other(colour)
        return written(guesses[-1], guesses)

    def rules(self, language: Language = "en") -> str:
        words = WORDS[language]
        return f"{words['rules']}{words[self.flips]}\n{asked(language, EXAMPLE, words['answer'], words['process'])}"

    def text(self, seat: Seat, language: Language = "en") -> str:
        words, colour, n = WORDS[language], self.first, len(self.board)
        sides = words["you"].format(yours=words[self.yours], theirs=words[_other(self.yours)])
        lines = [words[self.family].format(n=n), sides, *self.board]
        for k, (row, column) in enumerate(self.places, start=1):
            who = words["mine" if colour == self.yours else "theirs"]
            lines.append(words["round"].format(k=k, who=who, row=row, column=column))
            colour = _other(colour)
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The board before the first round; a small piece with the round's number stands where it will be put down."""
        n, colour, shapes = len(self.board), self.first, list[Shape]()
        for y, row in enumerate(self.board, start=1):
            shapes += [Label(y - 0.5 + 0.7, 0.35, str(y), colour="quiet"), Label(0.35, y - 0.5 + 0.7, str(y), colour="quiet")]
            for x, cell in enumerate(row, start=1):
                shapes.append(Box(x - 0.3, y - 0.3, fill="good"))
                if cell != EMPTY:
                    shapes.append(_piece(y, x, cell, 0.4, cell))
        for k, (y, x) in enumerate(self.places, start=1):
            shapes += [Box(x - 0.3, y - 0.3, fill="mark"), _piece(y, x, colour, 0.25, str(k))]
            colour = _other(colour)
        return Scene(n + 0.7, n + 0.7, tuple(shapes))

    def _lively(self, chained: bool) -> bool:
        """Whether half of the rounds turn something and, if `chained`, some round does what the classic rule would not."""
        colour, turned, chains = self.first, 0, 0
        boards = (self.board, *self.boards())
        for place, (before, behind) in zip(self.places, pairwise(boards), strict=True):
            turned += _count(behind, _other(colour)) < _count(before, _other(colour))
            chains += after(before, colour, place, "classic") != behind
            colour = _other(colour)
        return turned >= max(1, len(self.places) // 2) and (chains > 0 or not chained)


def after(board: Board, colour: str, place: Square, flips: Flips) -> Board:
    """The board after `colour` is put on `place`.

    With cascades the order in which turned pieces are looked from does not matter: a turned piece stays turned,
    and what it could bracket before it can bracket after, in one piece or in several.
    """
    cells = _cells(board)
    n, rival = len(board), _other(colour)
    anchors = [(place[0] - 1, place[1] - 1)]
    cells[anchors[0][0]][anchors[0][1]] = colour
    while anchors:
        row, column = anchors.pop()
        turned: list[tuple[int, int]] = []
        for dy, dx in DIRECTIONS:
            y, x, run = row + dy, column + dx, []
            while 0 <= y < n and 0 <= x < n and cells[y][x] == rival:
                run.append((y, x))
                y, x = y + dy, x + dx
            if run and 0 <= y < n and 0 <= x < n and cells[y][x] == colour:
                turned += run
        for y, x in turned:
            cells[y][x] = colour
        anchors += turned if flips == "cascade" else []
    return tuple(map("".join, cells))


def _played(
    board: Board, colour: str, rounds: int, flips: Flips, keen: float, rng: Random
) -> tuple[Board, str, tuple[Square, ...]]:
    """Some rounds by players who as often as `keen` says want to turn something: the board then, whose round it is, the places."""
    places = list[Square]()
    for _ in range(rounds):
        free = [(y, x) for y, row in enumerate(board, start=1) for x, cell in enumerate(row, start=1) if cell == EMPTY]
        rng.shuffle(free)
        quiet = rng.random() >= keen
        for place in free:
            behind = after(board, colour, place, flips)
            if quiet or _count(behind, _other(colour)) < _count(board, _other(colour)):
                break
        board = behind
        places.append(place)
        colour = _other(colour)
    return board, colour, tuple(places)


def _opening(size: int, rng: Random) -> Board:
    half = EMPTY * (size // 2 - 1)
    pairs = rng.choice((("01", "10"), ("10", "01")))
    edge = [EMPTY * size] * (size // 2 - 1)
    return (*edge, *(half + pair + half for pair in pairs), *edge)


def _images(board: Board, places: tuple[Square, ...]) -> list[tuple[Board, tuple[Square, ...]]]:
    """The position turned and mirrored in all eight ways."""
    n, images = len(board), []
    for _ in range(4):
        board, places = tuple(map("".join, zip(*board[::-1], strict=True))), tuple((x, n + 1 - y) for y, x in places)
        images += [(board, places), (board[::-1], tuple((n + 1 - y, x) for y, x in places))]
    return images


def _piece(row: int, column: int, colour: str, radius: float, text: str) -> Disc:
    fill, ink = ("ink", "paper") if colour == BLACK else ("paper", "ink")
    return Disc(column + 0.2, row + 0.2, radius, fill, text, ink, size=1.2 * radius)


def _other(colour: str) -> str:
    return WHITE if colour == BLACK else BLACK


def _count(board: Board, colour: str) -> int:
    return sum(row.count(colour) for row in board)


def _cells(board: Board) -> list[list[str]]:
    return [list(row) for row in board]
