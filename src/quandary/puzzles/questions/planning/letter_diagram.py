"""Letter diagram: letters on a grid, once per row and column, with a rule for one diagonal.

From LogicGame, with its sizes and at most as many givens.  In family a the main diagonal holds all
letters, in family b the anti-diagonal holds one letter alone.  Exactly one grid fits, where
published ones have up to 45.  A grid of 2 x 2 has no rule for a diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase
from typing import Annotated, Self

from quandary.core.bounds import Between, Range
from quandary.core.contract import InstanceCount, Language, Seat
from quandary.core.words import Say
from quandary.core.worked import Words, Work, grown
from quandary.puzzles._shared.square_grid import EMPTY
from quandary.puzzles._shared.sudoku.layout import (
    Cells,
    anti_diagonal,
    columns,
    main_diagonal,
    rows,
)

from ._shared.grid_completion import Condition, GridCompletion

LARGEST = 9
SMALLEST_WITH_DIAGONAL = 3
GIVENS_OF_TWO = "one or two letters in a grid of 2 x 2, which has no rule for a diagonal"


@dataclass(frozen=True)
class LetterDiagram(GridCompletion):
    families = {
        "a": "the letters of the main diagonal are all different",
        "b": "the letters of the anti-diagonal are all equal",
    }
    sizes = {
        "a": grown(side=(2, 3, 4, 7), givens=((1, 2), (2, 3), (4, 7), (14, 19))),
        "b": grown(side=(2, 3, 4, 7), givens=((1, 2), (2, 3), (4, 7), (14, 19))),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(3, GIVENS_OF_TWO),
        "0,family=a": InstanceCount(3, GIVENS_OF_TWO),
        "0,family=b": InstanceCount(3, GIVENS_OF_TWO),
        "1": InstanceCount(29, "two or three letters in a grid of 3 x 3"),
        "1,family=a": InstanceCount(15, "two or three letters in a grid of 3 x 3"),
        "1,family=b": InstanceCount(14, "two or three letters in a grid of 3 x 3"),
        "2": InstanceCount(1_469, "grids of 4 x 4 with other lines first count as one"),
        "2,family=a": InstanceCount(886, "grids of 4 x 4 with other lines first count as one"),
        "2,family=b": InstanceCount(583, "grids of 4 x 4 with other lines first count as one"),
    }
    symbols = ascii_lowercase[:LARGEST]

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        side: Annotated[int, Between(2, LARGEST)],
        givens: Annotated[Range, Between(1)],
    ) -> Self | None:
        """Return a random full grid, from which cells are taken as long as only one grid fits."""
        return cls(family, level, EMPTY * side**2).drawn(rng, givens)

    def conditions(self) -> Mapping[str, Condition]:
        found = {"rows": Condition(rows(self.side)), "columns": Condition(columns(self.side))}
        for line in self.diagonals():
            if self.family == "a":
                found["different diagonal"] = Condition(units=(line,))
            else:
                found["equal diagonal"] = Condition(equal=(line,))
        return found

    def diagonals(self) -> Sequence[Cells]:
        if self.side < SMALLEST_WITH_DIAGONAL:
            return ()
        return (main_diagonal(self.side) if self.family == "a" else anti_diagonal(self.side),)

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Some cells of a square grid hold a letter, and the others, shown as *, are empty. "
                "Fill in all empty cells; the letters that are given stay where they are. A grid "
                "with n rows and n columns is filled with the first n letters of the alphabet."
            ),
            say("Every row and every column must hold each of these letters exactly once."),
            self._diagonal_rule(say),
            say("Exactly one way to fill in the grid obeys all rules."),
        )

    def _diagonal_rule(self, say: Say) -> str:
        if self.family == "a":
            if self.diagonals():
                return say(
                    "The main diagonal, from the top left to the bottom right corner, must hold "
                    "each of these letters exactly once too. There is no rule for other diagonals."
                )
            return say("There is no rule for the main diagonal or any other diagonal.")
        if self.diagonals():
            return say(
                "All cells of the anti-diagonal, from the top right to the bottom left corner, "
                "must hold the same letter. There is no rule for other diagonals."
            )
        return say("There is no rule for the anti-diagonal or any other diagonal.")

    def words(self, say: Say) -> Words:
        example = ["ba", "ab"] if self.side > 2 else ["cab", "abc", "bca"]
        return Words(
            say(
                "the full grid, as a list of its rows from top to bottom, each of them a list of "
                "its letters from left to right."
            ),
            say('a copy of "answer".'),
            Work.repeated([list(row) for row in example]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        head = say(
            "The grid has {side} rows and {side} columns; its letters are {letters}.",
            side=self.side,
            letters=say.list(self.symbols[: self.side]),
        )
        return say.lines(head, self.shown())

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        if not self.diagonals():
            return {}
        if self.family == "a":
            return {"mark": say("the main diagonal, with different letters")}
        return {"mark": say("the anti-diagonal, with equal letters")}
