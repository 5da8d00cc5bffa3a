"""Sudoku: fill the grid cell by cell so that no row, column or box repeats a value.

From PuzzlePlex, and the state tasks of FineReason.  Readings: instances have one solution (`unique=false` blanks cells at
random as published), but any valid completion counts; a filled cell stays as it is; a fill that repeats nothing is legal even
if the grid can no longer be completed, and the game is lost once an empty cell has no value left.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random

from quandary.core.contract import Language, Move, Seat
from quandary.core.scene import Scene
from quandary.families.grid_filling import Filling, most_blank
from quandary.families.grid_notation import read_fill, read_sudoku_grid, write_fill
from quandary.families.sudoku import picture, write_fills
from quandary.kit.square_grid import EMPTY, side_of
from quandary.solvers.sudoku import carve, random_grid, solve
from quandary.solvers.sudoku_grid import SYMBOLS, box_shape, candidates, canonical, easiest


@dataclass(frozen=True)
class Sudoku(Filling):
    levels = {
        "easy": {"side": 4, "blanks": (8, 12)},
        "normal": {"side": 9, "blanks": (30, 40)},
        "hard": {"side": 9, "blanks": (45, 50)},
    }

    @classmethod
    def new(cls, rng: Random, *, side: int = 9, blanks: tuple[int, int] = (30, 40), unique: bool = True) -> Sudoku:
        """A carved grid; where its number of blanks cannot be reached with one solution, as many as can be, within the range."""
        box_shape(side)
        most = side * side - (side - 1) * unique  # two values that stand nowhere could change places
        if unique and side > 9:
            most = side * side * 55 // 100  # with more blanks, proving that there is one solution would take long
        if not 1 <= blanks[0] <= blanks[1] or blanks[0] > most:
            raise ValueError(f"a grid of side {side} can have 1 to {most} blanks here, not {blanks[0]} to {blanks[1]}")
        wanted = rng.randint(blanks[0], min(blanks[1], most))
        if not unique:
            gone = set(rng.sample(range(side * side), wanted))
            cells = "".join(EMPTY if cell in gone else value for cell, value in enumerate(random_grid(rng, side)))
            return cls(cells, cells)
        cells = most_blank(lambda: carve(rng, random_grid(rng, side), wanted), wanted, blanks[0])
        return cls(cells, cells)

    def fills(self) -> list[tuple[Move, ...]]:
        side = side_of(self.cells)
        return [write_fills(side, cell, values) if values else () for cell, values in enumerate(candidates(self.cells))]

    def grid(self, said: str) -> str:
        return read_sudoku_grid(said, side_of(self.cells))

    def solvable(self) -> bool:
        return solve(self.cells) is not None

    def read(self, seat: Seat, said: str) -> Move:
        return read_fill(said, side_of(self.cells))

    def canonical(self) -> Hashable:
        return canonical(self.cells)

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give the whole filled grid in one answer: one row a line, values separated by blanks. "
            "You may also give your moves instead, one a line, in the order they are played."
        )

    def rules(self, language: Language = "en") -> str:
        side = side_of(self.cells)
        height, width = box_shape(side)
        values = f"1 to {side}" if side <= 9 else f"1 to 9 and A to {SYMBOLS[side - 1]}"
        return (
            f"Fill the {side} by {side} grid with the values {values} so that no value stands twice in a row, a column or a box. "
            f"The boxes are {height} rows high and {width} columns wide and tile the grid from its top left corner.\n"
            "In each turn you fill one empty cell with a value that does not yet stand in its row, its column or its box. "
            "A filled cell is never changed; a fill that is not allowed loses.\n"
            "You win when the grid is full; any way to fill it by these rules counts. "
            "You lose as soon as some empty cell has no value left that fits, so look ahead: "
            "a fill can repeat nothing and still make the grid impossible.\n"
            "Write a move as row, column and value; rows and columns are counted from 0, from the top left. "
            "For example, a 2 in the first row and the fourth column is: 0 3 2"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"The grid, with . for an empty cell ({self.cells.count(EMPTY)} left):\n{self.state()}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        shaded = {cell: "shade" for cell, value in enumerate(self.givens) if value != EMPTY}
        filled = {cell: "blue" for cell, value in enumerate(self.cells) if value != self.givens[cell]}
        return picture(self.cells, shaded, filled, [cell for cell, value in enumerate(self.cells) if value == EMPTY])

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """A fill is worth 1 where the grid can still be completed after it."""
        known = [solution for solution in (solve(self.cells),) if solution]
        worth = {}
        for move in self.options().get(0) or ():
            after = self.after(seat, move).cells
            if known and not any(_extends(solution, after) for solution in known):
                known += [solution for solution in (solve(after),) if solution]
            worth[move] = float(any(_extends(solution, after) for solution in known))
        return worth

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A right value for the easiest cell; in a lost position any fill."""
        solution, cell = solve(self.cells), easiest(self.cells)
        if solution is None or cell is None:
            return rng.choice(list(self.options()[seat] or ()))
        return write_fill(side_of(self.cells), cell, solution[cell])

    strategies = {"oracle": oracle}


def _extends(solution: str, cells: str) -> bool:
    return all(value in (EMPTY, solved) for solved, value in zip(solution, cells, strict=True))
