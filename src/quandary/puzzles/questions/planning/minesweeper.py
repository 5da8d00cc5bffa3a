"""Minesweeper: find mines from clues revealed in rounds, and say which are certain after each one.

From LogicGame.  In family a, a number counts the mines around its square; in family b, a letter and
a number count the mines in one direction, and the total is given.  A mine is certain when it is
part of every arrangement that fits the clues so far: exact entailment, where the published
processes sometimes miss a deduction.  After the last round one arrangement is left, and no clue is
superfluous.  The process is asked for at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated

from quandary.core.answers import Answer, JsonObject, ListOf, Text
from quandary.core.boards import Cell, beside, board, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.kit.json_answers import asked, judge_json, written
from quandary.solvers.minesweeper import (
    TOWARDS,
    UNKNOWN,
    Board,
    Square,
    board_of,
    forced,
    least_image,
    needed_clues,
    squares_of,
    watched,
)

LARGEST = 10  # squares per side; larger boards would take minutes
TRIES = 500  # minefields that are tried for an instance; most need one or two
ORDERS = 6  # orders of the clues that are tried for one that reveals the mines gradually

EXAMPLE = written([["1", "1"], ["3", "2"]], [[[]], [["3", "2"]], [["1", "1"], ["3", "2"]]])


@dataclass(frozen=True)
class Minesweeper(Question):
    family: str
    boards: tuple[Board, ...]  # one per round, each with all clues so far
    mines: int | None  # their total, where it is given

    families = {
        "a": "a clue counts the mines around it",
        "b": "a clue counts the mines in one direction, and the total is given",
    }
    levels = {
        "0": {"size": 2, "mines": (1, 2), "rounds": 1},
        "1": {"size": 3, "mines": (1, 3), "rounds": 2},
        "2": {"size": 4, "mines": (5, 6), "rounds": 3},
        "3": {"size": 5, "mines": (7, 11), "rounds": 4},
    }
    small = {
        "0": "2 x 2 squares have only 50 sets of clues that are just enough",
        "0,family=a": "there are only 10",
        "0,family=b": "there are only 40",
        "1": "3 x 3 squares have some 20,000 sets of clues, and simple ones recur",
        "1,family=a": "simple sets of clues recur",
        "1,family=b": "simple sets of clues recur",
    }
    form = "json"

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        family: str | None = None,
        size: Annotated[int, Between(2, LARGEST)] = 2,
        mines: Annotated[Range, Between(1)] = (1, 2),
        rounds: Annotated[int, Between(1)] = 1,
    ) -> Minesweeper:
        """A minefield with only the clues that are needed, spread over the rounds."""
        if mines[1] >= size * size:
            raise ValueError(
                f"{size} x {size} squares have no room for {mines[1]} mines and a clue"
            )
        family = family or cls.draw_family(rng)
        sides = range(1, size + 1)
        squares = [(x, y) for x in sides for y in sides]
        for _ in range(TRIES):
            laid = set(rng.sample(squares, rng.randint(*mines)))
            total = len(laid) if family == "b" else None
            dry = [square for square in rng.sample(squares, len(squares)) if square not in laid]
            clues = {square: _clue(square, laid, size, family, rng) for square in dry}
            needed = needed_clues(clues, size, total)
            if len(needed) >= rounds:
                orders = (_in_rounds(needed, size, rounds, rng) for _ in range(ORDERS))
                questions = [cls(family, boards, total) for boards in orders]
                return max(questions, key=lambda question: len(set(question.certain())))
        raise ValueError(
            f"no {mines[0]} to {mines[1]} mines on {size} x {size} squares take {rounds} rounds "
            f"of clues to find"
        )

    def answer_shape(self) -> Answer:
        mines = ListOf(ListOf(Text()))  # no mine is written [[]], so an entry may be empty
        return JsonObject({"answer": mines, "process": ListOf(mines, count=len(self.boards))})

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        answer = say(
            "the list of all mines, each written as a list of two strings, x and y, sorted by x "
            "and then by y as numbers."
        )
        process = say(
            "a list with one entry per round, in order. An entry is the list of all mines that "
            "are certain after that round, including those that were certain before, written and "
            "ordered in the same way. Squares that must be safe are not listed. Where no mine is "
            "certain, the entry is [[]]; where no more mines are certain than before, the entry "
            "is the same as the previous one."
        )
        return say.lines(
            say(
                "Some squares of a square board hide a mine, at most one per square; find them "
                "all. Clues are revealed in rounds, and each round shows the whole board with all "
                "clues so far. A square with a clue has no mine; a square shown as * may or may "
                "not have one.\n"
                "A square is named by its x and y: x counts the columns from the left, y counts "
                "the rows from the bottom, both from 1, so (1,1) is the bottom left square."
            ),
            _how_clues_count(self.family, say),
            asked(language, EXAMPLE, answer, process),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, size, wide = self.say(language), len(self.boards[0]), self.family == "b"
        lines = [
            say("The board has {size} x {size} squares.", size=size)
            if self.mines is None
            else say(
                "The board has {size} x {size} squares. Mines in total: {mines}.",
                size=size,
                mines=self.mines,
            )
        ]
        for number, shown in enumerate(self.boards, start=1):
            lines += ["", say("Round {number}:", number=number)]
            lines += [
                " ".join(f"{at:2}" for at in row).rstrip() if wide else "".join(row)
                for row in shown
            ]
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The boards of the rounds, two side by side; new clues are pale yellow."""
        say, size = self.say(language), len(self.boards[0])
        columns = [str(x) for x in range(1, size + 1)]
        earlier: Board = ((UNKNOWN,) * size,) * size
        parts = list[Scene]()
        for number, shown in enumerate(self.boards, start=1):
            title = (
                say("Round {number}", number=number)
                if self.mines is None
                else say("Round {number}, mines: {mines}", number=number, mines=self.mines)
            )
            rows = [
                list(map(_look, row, before)) for row, before in zip(shown, earlier, strict=True)
            ]
            drawn = board(rows, row_names=columns[::-1], column_names=columns)
            parts.append(stack(captions(title), drawn, gap=0.2))
            earlier = shown
        pairs = (parts[start : start + 2] for start in range(0, len(parts), 2))
        return stack(*(beside(*pair) for pair in pairs), gap=0.5)

    def certain(self) -> list[tuple[Square, ...]]:
        """The mines that are certain after each round; ValueError if no arrangement fits."""
        return [forced(board, self.mines)[0] for board in self.boards]

    def check(self, answer: str, language: Language = "en") -> Verdict:
        process = [_listed(squares) for squares in self.certain()]
        return judge_json(answer, process[-1], process, language)

    def solution(self) -> str:
        process = [_listed(squares) for squares in self.certain()]
        return written(process[-1], process)

    def sample(self, rng: Random) -> str:
        """Random mines, some more of them in each round."""
        unknown = [square for square, cell in squares_of(self.boards[-1]) if cell == UNKNOWN]
        guess = rng.sample(unknown, self.mines or rng.randint(1, len(unknown)))
        shown = [*sorted(rng.randint(0, len(guess)) for _ in self.boards[1:]), len(guess)]
        process = [_listed(sorted(guess[:count])) for count in shown]
        return written(process[-1], process)

    def canonical(self) -> Hashable:
        """Equal for rotated and mirrored boards, including the directions of clues."""
        return (self.family, self.mines, least_image(self.boards))


def _how_clues_count(family: str, say: Say) -> str:
    if family == "a":
        return say(
            "A clue is a number: it counts the mines on the squares next to its own, "
            "horizontally, vertically or diagonally. The total number of mines is not given.\n"
            "A mine is certain after a round if its square has a mine in every arrangement of "
            "mines that fits all clues shown so far. After the last round exactly one arrangement "
            "fits."
        )
    return say(
        "A clue is a letter and a number. The letter is a direction, seen from the square of the "
        "clue: A up, B down, C left, D right. The number counts all mines in that direction, from "
        "the adjacent square to the edge of the board; clues in between do not block the view. "
        "The total number of mines is given with the board.\n"
        "A mine is certain after a round if its square has a mine in every arrangement of mines "
        "that has this total and fits all clues shown so far. After the last round exactly one "
        "arrangement fits."
    )


def _look(cell: str, before: str) -> Cell:
    """A square of a board in the picture, given what it showed in the round before."""
    if cell == UNKNOWN:
        return Cell()
    return Cell(cell, "shade" if cell == before else "mark")


def _clue(square: Square, laid: set[Square], size: int, family: str, rng: Random) -> str:
    """What a safe square shows; a direction is drawn among those that have squares."""
    letter = ""
    if family == "b":
        letter = rng.choice([letter for letter in TOWARDS if watched(square, letter, size)])
    return letter + str(len(laid.intersection(watched(square, letter, size))))


def _in_rounds(
    clues: list[tuple[Square, str]], size: int, rounds: int, rng: Random
) -> tuple[Board, ...]:
    """The boards of rounds that reveal the clues in a random order."""
    order = rng.sample(clues, len(clues))
    ends = [*sorted(rng.sample(range(1, len(clues)), rounds - 1)), len(clues)]
    return tuple(board_of(order[:end], size) for end in ends)


def _listed(squares: Sequence[Square]) -> list[list[str]]:
    return [[str(x), str(y)] for x, y in squares] or [[]]
