"""Element operations: which rows, columns or diagonals are palindromes, and what is left of a grid?

From LogicGame, with its sizes.  The paper does not say whether a diagonal of one cell counts, which
would always delete two corners; here it does not.  Lines are drawn as palindromes, as palindromes
with one letter changed, or at random, of few letters, so that they have to be read to the end.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random
from string import ascii_uppercase
from typing import Annotated, Self, TypeAlias

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
    diagonals,
    numbered,
    shown,
)

Side: TypeAlias = Annotated[int, Between(2, 12)]
LETTERS = 6  # in a grid
KINDS = ("palindrome", "nearly", "random")  # of lines, in equal shares
AXES = (Image(False, 0), Image(True, 0), Image(False, 2), Image(True, 2))
# Ways to lay a grid in which its lines are the same; letters move to the left in family c.
IMAGES = {"a": AXES, "b": AXES, "c": AXES[:1]}
FEW = "few patterns of letters on 2 x 2 cells, whatever the letters are"


@dataclass(frozen=True)
class ElementOperations(Worked):
    grid: Annotated[Board[str], Doc("the rows of letters")]

    families = {
        "a": "rows that are palindromes are deleted",
        "b": "columns that are palindromes are deleted",
        "c": "diagonals that are palindromes are deleted",
    }
    sizes = {
        "a": grown(rows=(2, 4, 6, 7), columns=(2, 4, 6, 8)),
        "b": grown(rows=(2, 3, 5, 6), columns=(2, 4, 5, 7)),
        "c": grown(rows=(2, 3, 5, 7), columns=(2, 4, 5, 7)),
    }
    without_process = {"a": (0,), "b": (0,), "c": (0,)}
    distinct_instances = {
        "0": InstanceCount(9, FEW),
        "0,family=a": InstanceCount(2, FEW),
        "0,family=b": InstanceCount(2, FEW),
        "0,family=c": InstanceCount(5, FEW),
    }

    @classmethod
    def draw(
        cls, rng: Random, family: str, level: int, *, rows: Side, columns: Side
    ) -> Self | None:
        names = rng.sample(ascii_uppercase, LETTERS)
        cells = [rng.choices(names, k=columns) for _ in range(rows)]
        lines = _lines(family, cells)
        for line in lines:
            kind = rng.choice(KINDS)
            if kind == "random":
                continue
            for one, other in zip(line, reversed(line), strict=True):
                cells[other[0]][other[1]] = cells[one[0]][one[1]]
            if kind == "nearly":
                at = rng.randrange(len(line) // 2)
                row, column = line[at]
                others = [name for name in names if name != cells[row][column]]
                cells[row][column] = rng.choice(others)
        made = cls(family, level, board_of(cells))
        least = 1 if level < 2 else 2  # lines to delete, and to keep where there are more
        deleted = sum(map(made._is_palindrome, lines))
        return made if least <= deleted <= max(len(lines) - least, 1) else None

    def rules_in_play(self) -> Sequence[Hashable]:
        return ("delete", "one cell") if self.family == "c" else ("delete",)

    def work(self, without: Hashable = None) -> Work:
        least = 1 if without == "one cell" else 2
        lines = [] if without == "delete" else _lines(self.family, self.grid, least)
        deleted = {place for line in filter(self._is_palindrome, lines) for place in line}
        left = [
            [letter for x, letter in enumerate(row) if (y, x) not in deleted]
            for y, row in enumerate(self.grid)
        ]
        return Work.repeated([row for row in left if row or self.family == "c"])

    def _is_palindrome(self, line: Sequence[Place]) -> bool:
        letters = [self.grid[row][column] for row, column in line]
        return letters == letters[::-1]

    def explain(self, say: Say) -> str:
        return {
            "a": say(
                "In a grid of letters, delete every row that reads the same from left to right as "
                "from right to left. The other rows stay as they are, in the same order."
            ),
            "b": say(
                "In a grid of letters, delete every column that reads the same from top to bottom "
                "as from bottom to top. The other columns stay as they are, in the same order, "
                "and close up to the left."
            ),
            "c": say(
                "In a grid of letters, a diagonal runs down to the right: each of its cells is one "
                "row below and one column to the right of the one before, and it runs from edge to "
                "edge of the grid. Delete the letters of every diagonal of at least 2 cells that "
                "reads the same from its upper end as from its lower end. A diagonal of only 1 "
                "cell, in the top right or the bottom left corner, always stays. All diagonals are "
                "judged by the grid as it is given. Then the letters that are left in each row "
                "close up to the left, in the same order; rows may now differ in length."
            ),
        }[self.family]

    def words(self, say: Say) -> Words:
        if self.family == "c":
            answer = say(
                "what is left of the grid, as a list of its rows from top to bottom, each of them "
                "a list of letters written as strings, from left to right. A row of which nothing "
                "is left is an empty list, []."
            )
            example = [["P", "Q"], [], ["R"]]
        else:
            answer = say(
                "what is left of the grid, as a list of rows from top to bottom, each of them a "
                "list of letters written as strings, from left to right."
            )
            example = [["P", "Q"], ["R", "S"], ["Q", "P"]]
        again = say("what is left of the grid once more, written in the same way.")
        return Words(answer, again, Work.repeated(example))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(say("The grid:"), shown(self.grid))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        return board(self.grid)

    def equivalent(self, rng: Random) -> Self:
        names = dict(zip(ascii_uppercase, rng.sample(ascii_uppercase, 26), strict=True))
        grid = rng.choice(IMAGES[self.family]).board(self.grid)
        return replace(self, grid=board_of((names[letter] for letter in row) for row in grid))

    def canonical(self) -> Hashable:
        grids = (numbered(image.board(self.grid)) for image in IMAGES[self.family])
        return self.family, self.asks_process, min(grids)


def _lines(family: str, grid: Sequence[Sequence[str]], least: int = 2) -> list[list[Place]]:
    """Return the places of every row, column or diagonal, and of the latter only those long
    enough.
    """
    height, width = range(len(grid)), range(len(grid[0]))
    if family == "a":
        return [[(row, column) for column in width] for row in height]
    if family == "b":
        return [[(row, column) for row in height] for column in width]
    return [line for line in diagonals(grid) if len(line) >= least]
