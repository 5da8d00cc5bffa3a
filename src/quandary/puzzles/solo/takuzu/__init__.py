"""Takuzu: fill in 0 and 1, half of each per line, no three alike in a row, no two lines alike.

From PuzzlePlex, whose printed example has two solutions and an answer that is neither of them.
Interpretations: instances have exactly one solution; rows differ from rows and columns from
columns, but a row can be identical to a column; a filled cell cannot be changed; a fill is illegal
if it breaks a rule at once, where two lines are compared only when both are full; any other fill is
legal even if the grid can no longer be completed, and the game is lost once an empty cell has no
value left.  Random play solves one in four 4 by 4 grids, so the levels start at 6 by 6; `side=4`
makes the small ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Annotated, Any

from quandary.algorithms.breadth_first import breadth_first
from quandary.core.bounds import Between, Range
from quandary.core.contract import Language, Move, Seat
from quandary.core.moves import Notation, Number
from quandary.core.words import Say
from quandary.puzzles._shared.grid_filling import (
    Filling,
    fill_notation,
    how_to_fill,
    most_blank,
    read_grid,
    write_fill,
)
from quandary.puzzles._shared.square_grid import EMPTY, side_of

from .solver import (
    SIDES,
    VALUES,
    candidates,
    canonical,
    carve,
    random_grid,
    random_turn,
    solutions,
    solve,
)

BLANKS = ("-1", "?", "x")  # other ways to write an empty cell, besides _


@dataclass(frozen=True)
class Takuzu(Filling):
    version = 2
    levels = {
        "easy": {"side": 6, "blanks": (20, 26)},
        "normal": {"side": 8, "blanks": (36, 44)},
        "hard": {"side": 10, "blanks": (64, 72)},
    }
    house = {"easy": "breadth_first", "normal": "breadth_first", "hard": "breadth_first"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        side: int = 8,
        blanks: Annotated[Range, Between(1)] = (36, 44),
    ) -> Takuzu:
        """Return a grid with a random number of blanks, or with the most that leave one
        solution.
        """
        low, high = blanks
        if side not in SIDES:
            sides = ", ".join(map(str, SIDES))
            raise ValueError(f"a grid of side {side} cannot be made; choose one of {sides}")
        if low >= side * side:
            raise ValueError(f"a grid of side {side} cannot have {low} to {high} blanks")
        wanted = rng.randint(low, min(high, side * side))
        cells = most_blank(lambda: carve(rng, random_grid(rng, side), wanted), wanted, low)
        return cls(cells, cells)

    def fills(self) -> list[tuple[Move, ...]]:
        side, left = side_of(self.cells), enumerate(candidates(self.cells))
        return [_fills(side, cell, values) if values else () for cell, values in left]

    def notation(self) -> Notation:
        return _notation(side_of(self.cells))

    @classmethod
    def level_notation(cls, *, side: int = 8, **level: Any) -> Notation:
        return _notation(side)

    def how(self, language: Language = "en") -> str:
        return how_to_fill(self.say(language), value=1)

    def rules(self, language: Language = "en") -> str:
        say, side = self.say(language), side_of(self.cells)
        rules = say(
            "Fill the {side} by {side} grid with the values 0 and 1 so that\n"
            "- every row and every column contains {half} zeros and {half} ones,\n"
            "- no three adjacent cells in a row or in a column have the same value,\n"
            "- no two rows are identical and no two columns are identical (a row can be identical"
            " to a column).\n"
            "There is exactly one solution.\n"
            "On each turn, fill one empty cell with a value that breaks none of these rules at"
            " once: its row and its column then contain at most {half} of that value and no three"
            " equal values next to each other, and a row or column that becomes full is not"
            " identical to another full one. A filled cell cannot be changed. An illegal move"
            " loses the game at once.\n"
            "You win when the grid is full. You lose as soon as some empty cell has no legal value"
            " left, so plan ahead: a fill can be legal and still make it impossible to complete"
            " the grid.",
            side=side,
            half=side // 2,
        )
        return say.lines(rules, self.how(language))

    def why_no_value(self, move: Move, say: Say) -> str:
        row, column, value = move.split()
        filled, side = self.after(0, move).cells, side_of(self.cells)
        lines = filled[int(row) * side :][:side], filled[int(column) :: side]
        if any(line.count(value) > side // 2 for line in lines):
            return say("Its row or column would have more than {half} of them.", half=side // 2)
        if any(3 * value in line for line in lines):
            return say("Three equal values would be next to each other.")
        return say("Its row or column would be identical to another one.")

    def blocks(self) -> tuple[int, int]:
        return side_of(self.cells), side_of(self.cells)

    def equivalent(self, rng: Random) -> Takuzu:
        """Turned or mirrored, perhaps with 0 and 1 exchanged."""
        turn = random_turn(rng, side_of(self.cells))
        return Takuzu(turn.grid(self.givens), turn.grid(self.cells))

    def canonical(self) -> Hashable:
        return canonical(self.cells)

    def grid(self, text: str) -> str:
        return read_grid(text, side_of(self.cells), VALUES, _cells_in)

    def completions(self) -> Iterator[str]:
        return solutions(self.cells)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The right value for the cell with the fewest left; in a lost position any fill."""
        solution = solve(self.cells)
        if solution is None:
            return rng.choice(list(self.options()[seat] or ()))
        row, column, _ = next(iter(self.branches())).split()
        cell = int(row) * side_of(self.cells) + int(column)
        return write_fill(side_of(self.cells), cell, solution[cell])

    def breadth_first(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: looks at grids one fill away, then two, and so on."""
        return breadth_first(self, budget)

    strategies = {"breadth_first": breadth_first, "oracle": oracle}
    strongest = "optimal"


@cache
def _notation(side: int) -> Notation:
    return fill_notation(side, Number(0, 1))


@cache
def _fills(side: int, cell: int, values: str) -> tuple[Move, ...]:
    return tuple(write_fill(side, cell, value) for value in values)


def _cells_in(word: str) -> str:
    """Return the cells of one word: a single value, or several values without spaces
    between them.
    """
    return EMPTY if word.casefold() in BLANKS else word.replace("_", EMPTY)
