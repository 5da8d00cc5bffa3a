"""Sudoku, from a grid of two rows to one of nine, in family b with both main diagonals.

From LogicGame, with its sizes and at most as many givens.  Exactly one grid fits, where some of the
published ones have several; so grids of 6 x 6 have more givens than the published ones.  A grid of
2 x 2 has no diagonal rule, because no grid would obey it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.words import Say
from quandary.core.worked import Words, Work, grown
from quandary.puzzles._shared.square_grid import EMPTY
from quandary.puzzles._shared.sudoku.grid import SYMBOLS, box_shape
from quandary.puzzles._shared.sudoku.layout import (
    Cells,
    anti_diagonal,
    boxes,
    columns,
    main_diagonal,
    rows,
)

from ._shared.grid_completion import Condition, GridCompletion

LARGEST = 9  # values are digits
SMALLEST_WITH_DIAGONALS = 3
GIVENS_OF_TWO = "one or two numbers in a grid of 2 x 2, which has no rule for its diagonals"


@dataclass(frozen=True)
class StandardSudoku(GridCompletion):
    boxes: Annotated[bool, Doc("whether the grid is divided into boxes")]

    families = {
        "a": "rows and columns, and boxes where there are some",
        "b": "both main diagonals count too",
    }
    sizes = {
        "a": grown(
            side=(2, 4, 6, 9),
            boxes=(False, True, False, True),
            givens=((1, 2), (4, 8), (11, 13), (28, 43)),
        ),
        "b": grown(
            side=(2, 4, 6, 9),
            boxes=(False, True, False, False),
            givens=((1, 2), (4, 8), (7, 12), (26, 40)),
        ),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(3, GIVENS_OF_TWO),
        "0,family=a": InstanceCount(3, GIVENS_OF_TWO),
        "0,family=b": InstanceCount(3, GIVENS_OF_TWO),
        "1": InstanceCount(7_031, "grids of 4 x 4 with other lines first count as one"),
        "1,family=a": InstanceCount(2_236, "grids of 4 x 4 with other lines first count as one"),
        "1,family=b": InstanceCount(4_795, "grids of 4 x 4 with other lines first count as one"),
    }
    symbols = SYMBOLS[:LARGEST]

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        side: Annotated[int, Between(2, LARGEST)],
        boxes: bool,
        givens: Annotated[Range, Between(1)],
    ) -> Self | None:
        """Return a random full grid, from which cells are taken as long as only one grid fits."""
        return cls(family, level, EMPTY * side**2, boxes).drawn(rng, givens)

    def conditions(self) -> Mapping[str, Condition]:
        found = {"rows": Condition(rows(self.side)), "columns": Condition(columns(self.side))}
        if self.boxes:
            found["boxes"] = Condition(boxes(self.side))
        if self._has_diagonals:
            found["main diagonal"] = Condition((main_diagonal(self.side),))
            found["anti-diagonal"] = Condition((anti_diagonal(self.side),))
        return found

    def diagonals(self) -> Sequence[Cells]:
        if not self._has_diagonals:
            return ()
        return main_diagonal(self.side), anti_diagonal(self.side)

    @property
    def _has_diagonals(self) -> bool:
        return self.family == "b" and self.side >= SMALLEST_WITH_DIAGONALS

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Some cells of a square grid hold a number, and the others, shown as *, are empty. "
                "Fill in all empty cells; the numbers that are given stay where they are. A grid "
                "with n rows and n columns is filled with the whole numbers from 1 to n."
            ),
            say("Every row and every column must hold each of these numbers exactly once."),
            self.boxes
            and say(
                "The grid is also divided into rectangular boxes, which cover it without "
                "overlapping. Every box must hold each of these numbers exactly once too."
            ),
            self._diagonal_rule(say),
            say("Exactly one way to fill in the grid obeys all rules."),
        )

    def _diagonal_rule(self, say: Say) -> str:
        if self.family == "a":
            return ""
        if not self._has_diagonals:
            return say("There is no rule for diagonals.")
        return say(
            "Each of the two main diagonals must hold each of these numbers exactly once too: the "
            "one from the top left to the bottom right corner, and the one from the top right to "
            "the bottom left corner. There is no rule for other diagonals."
        )

    def words(self, say: Say) -> Words:
        example = ["21", "12"] if self.side > 2 else ["312", "123", "231"]
        return Words(
            say(
                "the full grid, as a list of its rows from top to bottom, each of them a list of "
                'its numbers from left to right, written as strings, such as "2".'
            ),
            say('a copy of "answer".'),
            Work.repeated([list(row) for row in example]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, shape = self.say(language), {"side": self.side}
        if not self.boxes:
            head = say("The grid has {side} rows and {side} columns.", **shape)
        else:
            height, width = box_shape(self.side)
            head = say(
                "The grid has {side} rows and {side} columns; each box has {height} rows and "
                "{width} columns.",
                height=height,
                width=width,
                **shape,
            )
        return say.lines(head, self.shown())

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("cells of the main diagonals")} if self._has_diagonals else {}
