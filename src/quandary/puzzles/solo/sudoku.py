"""Sudoku: fill the grid cell by cell so that no row, column or box repeats a value.

From PuzzlePlex, and the state tasks of FineReason.  Interpretations: instances have one solution
(`unique=false` blanks random cells, as published), but any valid completion counts; a filled cell
cannot be changed; a fill that repeats nothing is legal even if the grid can no longer be completed,
and the game is lost once an empty cell has no value left.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from quandary.core.bounds import Between, Range
from quandary.core.contract import InstanceCount, Language, Move, Seat
from quandary.core.moves import Notation
from quandary.core.words import Say
from quandary.puzzles._shared.grid_filling import (
    Filling,
    how_to_fill,
    most_blank,
    read_grid,
    why_repeated,
    write_fill,
)
from quandary.puzzles._shared.square_grid import EMPTY, side_of
from quandary.puzzles._shared.sudoku.filling import sudoku_notation, value_range, write_fills
from quandary.puzzles._shared.sudoku.grid import (
    SYMBOLS,
    box_shape,
    candidates,
    easiest,
)
from quandary.puzzles._shared.sudoku.solver import carve, random_grid, solutions, solve
from quandary.puzzles._shared.sudoku.symmetry import canonical, random_turn

AS_WRITTEN = str.maketrans("0_", EMPTY * 2)  # other ways to write an empty cell


@dataclass(frozen=True)
class Sudoku(Filling):
    version = 2
    state_task_version = 1
    levels = {
        "easy": {"side": 4, "blanks": (8, 12)},
        "normal": {"side": 9, "blanks": (30, 40)},
        "hard": {"side": 9, "blanks": (45, 50)},
    }
    usual_level = "normal"
    distinct_instances = {
        "easy": InstanceCount(2_236, "those of side 4 with many blanks are few but drawn as often")
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        side: int = 9,
        blanks: Annotated[Range, Between(1)] = (30, 40),
        unique: bool = True,
    ) -> Sudoku:
        """Return a grid with a random number of blanks, or with the most that leave one
        solution.
        """
        box_shape(side)  # raises for sides without boxes
        most = side * side - (side - 1) * unique  # two missing values could be swapped
        if unique and side > 9:
            most = side * side * 55 // 100  # with more blanks, proving one solution takes long
        low, high = blanks
        if low > most:
            raise ValueError(
                f"a grid of side {side} can have 1 to {most} blanks here, not {low} to {high}"
            )
        wanted = rng.randint(low, min(high, most))
        if unique:
            cells = most_blank(lambda: carve(rng, random_grid(rng, side), wanted), wanted, low)
            return cls(cells, cells)
        blank = set(rng.sample(range(side * side), wanted))
        grid = enumerate(random_grid(rng, side))
        cells = "".join(EMPTY if cell in blank else value for cell, value in grid)
        return cls(cells, cells)

    def fills(self) -> list[tuple[Move, ...]]:
        side, left = side_of(self.cells), enumerate(candidates(self.cells))
        return [write_fills(side, cell, values) if values else () for cell, values in left]

    def why_no_value(self, move: Move, say: Say) -> str:
        return why_repeated(say, self.cells, self.blocks(), move)

    def notation(self) -> Notation:
        return sudoku_notation(side_of(self.cells))

    @classmethod
    def level_notation(cls, *, side: int = 9, **level: Any) -> Notation:
        return sudoku_notation(side)

    def how(self, language: Language = "en") -> str:
        return how_to_fill(self.say(language), value=2)

    def rules(self, language: Language = "en") -> str:
        say, side = self.say(language), side_of(self.cells)
        height, width = box_shape(side)
        rules = say(
            "Fill the {side} by {side} grid with the values {values} so that no value appears twice"
            " in any row, column or box. Each box is {height} rows high and {width} columns wide;"
            " the boxes tile the grid from its top left corner.\n"
            "On each turn, fill one empty cell with a value that does not appear in its row, column"
            " or box yet. A filled cell cannot be changed. An illegal move loses the game at"
            " once.\n"
            "You win when the grid is full; any filling that follows these rules counts. You lose"
            " as soon as some empty cell has no possible value left, so plan ahead: a fill can be"
            " legal and still make it impossible to complete the grid.",
            side=side,
            values=value_range(say, side),
            height=height,
            width=width,
        )
        return say.lines(rules, self.how(language))

    def blocks(self) -> tuple[int, int]:
        return box_shape(side_of(self.cells))

    def equivalent(self, rng: Random) -> Sudoku:
        """With lines that change places and other names for the values."""
        turn = random_turn(rng, side_of(self.cells))
        return Sudoku(turn.grid(self.givens), turn.grid(self.cells))

    def canonical(self) -> Hashable:
        return canonical(self.cells)

    def appearance(self) -> str:
        """Return the values in the grid: in a small one, the last of its kind is rarely
        misplaced.
        """
        return "".join(sorted(self.cells))

    def grid(self, text: str) -> str:
        side = side_of(self.cells)
        return read_grid(text, side, SYMBOLS[:side], lambda word: _cells_in(word, side))

    def completions(self) -> Iterator[str]:
        return solutions(self.cells)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A right value for the easiest cell; in a lost position any fill."""
        solution, cell = solve(self.cells), easiest(self.cells)
        if solution is None or cell is None:
            return rng.choice(list(self.options()[seat] or ()))
        return write_fill(side_of(self.cells), cell, solution[cell])

    strategies = {"oracle": oracle}
    strongest = "optimal"


def _cells_in(word: str, side: int) -> str:
    """Return the cells of one word: a single value, or several values without spaces
    between them.
    """
    if side > 9 and len(word) == 2 and word.isascii() and word.isdigit() and 9 < int(word) <= side:
        return SYMBOLS[int(word) - 1]
    return word.upper().translate(AS_WRITTEN)
