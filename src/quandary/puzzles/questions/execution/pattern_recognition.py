"""Pattern recognition: where in a grid of letters is the only square of a kind?

From LogicGame, with its sizes.  The paper asks for a square of any side.  The only one always has
two rows and two columns, because a larger one of one letter holds several of these, one of an even
side with two constant diagonals holds one at its centre, and diagonals of an odd side share a cell.
Grids with a larger square, which hold two, are refused.  Squares of which only the edge is of one
letter are avoided too, because the paper does not say that they are none.  Few letters make many
squares that are nearly of the kind.  Each family has one rule that does not grow, so there are none
to take away.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from string import ascii_uppercase
from typing import Annotated, Self

from quandary.core.boards import board
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions._shared.boards import (
    Board,
    Image,
    Place,
    board_of,
    numbered,
    ring,
    shown,
    windows,
)

IMAGES = {  # those in which the corner that is asked for is the same
    "a": (Image(False, 0), Image(True, 3)),  # rows become columns
    "b": (Image(False, 0), Image(True, 1)),  # the same from the other corner
}
FEW = "few patterns of letters on a small grid, whatever the letters are"


@dataclass(frozen=True)
class PatternRecognition(Worked):
    grid: Annotated[Board[str], Doc("the rows of letters")]

    families = {
        "a": "a 2 by 2 block of one letter, and its bottom right cell",
        "b": "a 2 by 2 block whose two diagonals have one letter each, and its bottom left cell",
    }
    sizes = {family: grown(size=(2, 3, 5, 6), letters=(2, 3, 2, 3)) for family in "ab"}
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(2, FEW),
        "0,family=a": InstanceCount(1, FEW),
        "0,family=b": InstanceCount(1, FEW),
        "1": InstanceCount(579, FEW),
        "1,family=a": InstanceCount(202, FEW),
        "1,family=b": InstanceCount(377, FEW),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(2, 12)],
        letters: Annotated[int, Between(2, 26)],
    ) -> Self | None:
        names = rng.sample(ascii_uppercase, letters)
        rows = [rng.choices(names, k=size) for _ in range(size)]
        row, column = rng.randrange(size - 1), rng.randrange(size - 1)
        one, other = rng.sample(names, 2)
        other = one if family == "a" else other
        rows[row][column] = rows[row + 1][column + 1] = one
        rows[row][column + 1] = rows[row + 1][column] = other
        if _small_squares(rows, family) > 1:
            return None
        made = cls(family, level, board_of(rows))
        return made if len(made.squares()) == 1 and not made._has_hollow_square() else None

    def squares(self) -> list[tuple[Place, int]]:
        """Return the top left cell and the side of every square of the kind, the smallest first."""
        sides = range(2, len(self.grid) + 1)
        return [
            (place, side)
            for side in sides
            for place, window in windows(self.grid, side, side)
            if _is_of_kind(window, self.family)
        ]

    def _has_hollow_square(self) -> bool:
        sides = range(3, len(self.grid) + 1)
        return self.family == "a" and any(
            len({window[y][x] for y, x in ring(side, side)}) == 1
            for side in sides
            for _, window in windows(self.grid, side, side)
        )

    def work(self, without: Hashable = None) -> Work:
        (row, column), side = self.squares()[0]
        last = column + side if self.family == "a" else column + 1
        return Work.repeated([str(row + side), str(last)])

    def explain(self, say: Say) -> str:
        kind = {
            "a": say(
                "A grid of letters contains exactly one 2 by 2 block whose four cells all hold the "
                "same letter. Find it, and give the place of its bottom right cell."
            ),
            "b": say(
                "A grid of letters contains exactly one 2 by 2 block whose top left and bottom "
                "right cells hold one letter and whose top right and bottom left cells hold "
                "another letter. Find it, and give the place of its bottom left cell."
            ),
        }[self.family]
        return say.lines(kind, say("Rows count from the top, columns from the left, both from 1."))

    def words(self, say: Say) -> Words:
        return Words(
            say("a list of two strings, the row and then the column of that cell."),
            say('the same list as in "answer".'),
            Work.repeated(["4", "3"]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(say("The grid:"), shown(self.grid))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return board(self.grid, first=1)

    def equivalent(self, rng: Random) -> Self:
        names = dict(zip(ascii_uppercase, rng.sample(ascii_uppercase, 26), strict=True))
        grid = rng.choice(IMAGES[self.family]).board(self.grid)
        return replace(self, grid=board_of((names[letter] for letter in row) for row in grid))

    def canonical(self) -> Hashable:
        grids = (numbered(image.board(self.grid)) for image in IMAGES[self.family])
        return self.family, self.asks_process, min(grids)


def _is_of_kind(square: Board[str], family: str) -> bool:
    one, other = square[0][0], square[0][-1]
    if family == "a":
        return all(letter == one for row in square for letter in row)
    rows = list(enumerate(square))
    return one != other and all(row[at] == one and row[-1 - at] == other for at, row in rows)


def _small_squares(rows: list[list[str]], family: str) -> int:
    """Return how many there are of two rows and two columns."""
    fours: Iterator[tuple[tuple[str, str], tuple[str, str]]] = (
        four
        for above, below in pairwise(rows)
        for four in zip(pairwise(above), pairwise(below), strict=True)
    )
    if family == "a":
        return sum(w == x == y == z for (w, x), (y, z) in fours)
    return sum(w == z != x == y for (w, x), (y, z) in fours)
