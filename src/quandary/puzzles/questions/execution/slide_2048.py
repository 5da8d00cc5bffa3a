"""Slide 2048: numbers walk or slide over a grid and change where they meet.

From LogicGame, with its sizes.  In families a to c one number walks step by step and meets the
number of each cell that it enters; the grid itself does not change, and the number moves on whether
or not it has changed, as the published processes need.  In family d all numbers slide, as in the
game 2048 without new tiles; a number that has just been made does not merge again in that move.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Annotated, Self

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import (
    IMAGES,
    Board,
    Image,
    next_places,
    shown,
    stepped,
    trace,
    transposed,
    written,
)

COMMANDS = {"u": "up", "d": "down", "l": "left", "r": "right"}
LETTERS = {name: letter for letter, name in COMMANDS.items()}
POWERS = (2, 4, 8, 16, 32, 64)  # the numbers of a grid in which one walks
SLIDING = (0, 0, 2, 2, 4, 4, 8, 16)  # and of one in which all slide
FEW = "few moves on 2 x 2 cells"
LARGEST = 100_000  # of a number on its way
MEETINGS = 0.45  # the share of steps on which a drawn walk meets its own number


@dataclass(frozen=True)
class Slide2048(Worked):
    grid: Annotated[
        tuple[tuple[int, ...], ...], Doc("the numbers, row by row; in family d 0 is an empty cell")
    ]
    moves: Annotated[str, Doc("the letters of the moves in order")]
    start: Annotated[
        tuple[int, int] | None,
        Doc("where the number that walks begins, as row and column from 0; null in family d"),
    ]

    families = {
        "a": "one number walks; meeting its equal, it doubles",
        "b": "one number walks; meeting its equal, it is squared, otherwise the larger one is kept",
        "c": "one number walks; meeting its equal, it is halved, otherwise the larger one is kept",
        "d": "all numbers slide to one side, and equal ones merge",
    }
    sizes = {
        "a": grown(size=(2, 3, 5, 7), moves=(2, 4, 6, 9)),
        "b": grown(size=(2, 3, 5, 7), moves=(2, 4, 6, 9)),
        "c": grown(size=(2, 4, 5, 7), moves=(2, 6, 6, 9)),
        "d": grown(size=(2, 3, 4, 7), moves=(1, 2, 5, 7)),
    }
    without_process = {"d": (0,)}
    distinct_instances = {
        "0": InstanceCount(1_318, FEW),
        "0,family=a": InstanceCount(846, FEW),
        "0,family=b": InstanceCount(108, FEW),
        "0,family=c": InstanceCount(270, FEW),
        "0,family=d": InstanceCount(94, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(2, 12)],
        moves: Annotated[int, Between(1, 30)],
    ) -> Self | None:
        if family == "d":
            grid = tuple(tuple(rng.choices(SLIDING, k=size)) for _ in range(size))
            made = cls(family, level, grid, "".join(rng.choices("udlr", k=moves)), None)
            grids = [written(grid), *made.work().process]
            moving = all(one != other for one, other in pairwise(grids))
            return made if moving and made.uses_every_rule() else None
        start = at = (rng.randrange(size), rng.randrange(size))
        number = rng.choice(POWERS[:3])
        laid, walk = {at: number}, ""
        for _ in range(moves):  # numbers are laid along the walk, so that it meets its equal
            way, at = rng.choice(list(next_places(at, size).items()))
            walk += LETTERS[way]
            equal = rng.random() < MEETINGS and number <= POWERS[-1]
            laid.setdefault(at, number if equal else rng.choice(POWERS))
            number = _met(family, number, laid[at])
            if not 1 <= number <= LARGEST:
                return None
        cells = range(size)
        grid = tuple(tuple(laid.get((y, x)) or rng.choice(POWERS) for x in cells) for y in cells)
        made = cls(family, level, grid, walk, start)
        return made if made.uses_every_rule() else None

    def rules_in_play(self) -> Sequence[Hashable]:
        return {"a": ("equal",), "d": ("merge",)}.get(self.family, ("equal", "larger"))

    def work(self, without: Hashable = None) -> Work:
        if self.start is None:
            merging = without != "merge"
            grids = trace(self.grid, self.moves, lambda grid, move: slid(grid, move, merging))
            return Work.of_steps(map(written, grids))
        (row, column), values = self.start, list[str]()
        number = self.grid[row][column]
        for letter in self.moves:
            row, column = stepped((row, column), COMMANDS[letter])
            number = _met(self.family, number, self.grid[row][column], without)
            values.append(str(number))
        return Work.of_steps(values)

    def explain(self, say: Say) -> str:
        if self.family == "d":
            return say(
                "Numbers stand in the cells of a square grid; 0 is an empty cell. In each move all "
                "numbers slide as far as they can in one direction: u is up, d down, l left, r "
                "right. Two equal numbers that come to stand next to each other in the direction "
                "of the move merge into one number, their sum, and those behind close up. Merging "
                "starts at the side towards which the numbers slide, and a number that has just "
                "been made does not merge again in the same move: sliding 2 2 4 to the left gives "
                "4 4 0, and sliding 4 4 4 to the left gives 8 4 0. No new numbers appear."
            )
        meeting = {
            "a": say(
                "If the number in the cell equals the walking number, the walking number doubles: "
                "4 meets 4 and becomes 8. If it is different, the walking number stays as it is."
            ),
            "b": say(
                "If the number in the cell equals the walking number, the two are multiplied: 4 "
                "meets 4, and the walking number becomes 16. If it is different, the walking "
                "number becomes the larger of the two."
            ),
            "c": say(
                "If the number in the cell equals the walking number, the walking number is "
                "halved: 4 meets 4 and becomes 2. If it is different, the walking number becomes "
                "the larger of the two."
            ),
        }[self.family]
        return say.lines(
            say(
                "Every cell of a square grid holds a number. One number walks over the grid, one "
                "cell per step: u is a step up, d down, l left, r right. In each step it enters "
                "the next cell, whatever number is there, and meets that number. The walk never "
                "leaves the grid."
            ),
            meeting,
            say(
                "The numbers of the grid never change: the cell in which the walk starts keeps its "
                "number, and a cell that is entered again holds the same number as before. A cell "
                "is written (row, column): rows count from the top, columns from the left, both "
                "from 1."
            ),
        )

    def words(self, say: Say) -> Words:
        if self.family == "d":
            return Words(
                say(
                    "the grid after the last move, as a list of rows from top to bottom, each of "
                    'them a list of numbers written as strings, with empty cells as "0".'
                ),
                say(
                    "the list of the grids after each move, in order, each written in the same "
                    "way. One grid per move; a grid that does not change is listed again. The grid "
                    "before the first move is not included."
                ),
                Work.of_steps([[["2", "0"], ["4", "2"]], [["2", "2"], ["4", "0"]]]),
            )
        return Words(
            say("a list with one string, the walking number after the last step."),
            say(
                "the list of the walking number after each step, in order, as strings; a number "
                "that does not change is listed again. The number before the first step is not "
                "included."
            ),
            Work.of_steps(["4", "4", "8"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, start = self.say(language), ""
        if self.start is not None:
            row, column = self.start
            values = {"number": self.grid[row][column], "row": row + 1, "column": column + 1}
            start = say("The number that walks is the {number} at ({row},{column}).", **values)
        moves = say("Moves: {moves}", moves=self.moves)
        return say.lines(say("The grid:"), shown(self.grid), start, moves)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        cells = [
            [Cell(str(number), "mark" if (y, x) == self.start else None) for x, number in line]
            for y, line in enumerate(map(enumerate, self.grid))
        ]
        say = self.say(language)
        moves = say("Moves: {moves}", moves=self.moves)
        return stack(board(cells, first=1), captions(moves, width=len(cells) + 0.7))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("the number that walks")}

    def equivalent(self, rng: Random) -> Self:
        return self._laid(rng.choice(IMAGES))

    def canonical(self) -> Hashable:
        images = map(self._laid, IMAGES)
        return (
            self.family,
            self.asks_process,
            min((one.grid, one.moves, one.start) for one in images),
        )

    def _laid(self, image: Image) -> Self:
        moves = image.commands(self.moves, COMMANDS)
        start = image.place(self.start, len(self.grid)) if self.start else None
        return replace(self, grid=image.board(self.grid), moves=moves, start=start)


def _met(family: str, number: int, other: int, without: Hashable = None) -> int:
    """Return what the walking number is after it has met another one."""
    if number == other and without != "equal":
        return {"a": number * 2, "b": number * number, "c": number // 2}[family]
    return number if family == "a" or without == "larger" else max(number, other)


def slid(grid: Board[int], letter: str, merging: bool = True) -> Board[int]:
    """Return the grid after a move u, d, l or r; 0 is an empty cell."""
    lines = transposed(grid) if letter in "ud" else grid
    backwards = letter in "dr"
    moved = tuple(_line(line[::-1] if backwards else line, merging) for line in lines)
    laid = tuple(line[::-1] for line in moved) if backwards else moved
    return transposed(laid) if letter in "ud" else laid


def _line(line: Sequence[int], merging: bool) -> tuple[int, ...]:
    """Return a line whose numbers have moved to its beginning."""
    made, can_merge = list[int](), False
    for number in filter(None, line):
        can_merge = can_merge and made[-1] == number and merging
        if can_merge:
            made[-1], can_merge = 2 * number, False
        else:
            made, can_merge = [*made, number], True
    return (*made, *(0,) * (len(line) - len(made)))
