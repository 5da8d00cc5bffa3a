"""Takuzu: fill the grid with 0 and 1, half of each in every line, no three alike in a row, no two lines the same.

From PuzzlePlex, which printed an example with two solutions and gave as its answer a grid that is none.
Readings: instances have exactly one solution; rows differ from rows and columns from columns, but a row may equal a column;
a filled cell stays as it is; a fill is illegal if it breaks a rule at once, where two lines are compared only when both are full;
any other fill is legal even if the grid can no longer be completed, and the game is lost once an empty cell has no value left.
Of 4 by 4 grids random play solves one in four, so the levels start at 6 by 6; `side=4` makes the small ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from quandary.core.contract import Language, Move, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Label, Line, Scene, Shape
from quandary.families.grid_filling import Filling, most_blank
from quandary.families.grid_notation import read_fill, read_takuzu_grid, write_fill
from quandary.kit.breadth_first import breadth_first
from quandary.kit.square_grid import EMPTY, side_of
from quandary.solvers.takuzu import SIDES, VALUES, candidates, canonical, carve, random_grid, solve

HOW = "Write the cell and its value as: row column value, counted from 0, for example: 0 3 1"


@dataclass(frozen=True)
class Takuzu(Filling):
    levels = {
        "easy": {"side": 6, "blanks": (20, 26)},
        "normal": {"side": 8, "blanks": (36, 44)},
        "hard": {"side": 10, "blanks": (64, 72)},
    }
    house = {"easy": "breadth_first", "normal": "breadth_first", "hard": "breadth_first"}

    @classmethod
    def new(cls, rng: Random, *, side: int = 8, blanks: tuple[int, int] = (36, 44)) -> Takuzu:
        """A carved grid; where its number of blanks cannot be reached with one solution, as many as can be, within the range."""
        if side not in SIDES:
            raise ValueError(f"a grid of side {side} cannot be made; choose one of {', '.join(map(str, SIDES))}")
        if not 1 <= blanks[0] <= blanks[1] or blanks[0] >= side * side:
            raise ValueError(f"a grid of side {side} cannot have {blanks[0]} to {blanks[1]} blanks")
        wanted = rng.randint(blanks[0], min(blanks[1], side * side))
        cells = most_blank(lambda: carve(rng, random_grid(rng, side), wanted), wanted, blanks[0])
        return cls(cells, cells)

    def fills(self) -> list[tuple[Move, ...]]:
        side = side_of(self.cells)
        return [_fills(side, cell, values) if values else () for cell, values in enumerate(candidates(self.cells))]

    def grid(self, said: str) -> str:
        return read_takuzu_grid(said, side_of(self.cells))

    def solvable(self) -> bool:
        return solve(self.cells) is not None

    def read(self, seat: Seat, said: str) -> Move:
        try:
            return read_fill(said, len(VALUES))
        except Unreadable:
            raise Unreadable(HOW) from None

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
        return (
            f"Fill the {side} by {side} grid with the values 0 and 1 so that\n"
            f"- every row and every column holds {side // 2} zeros and {side // 2} ones,\n"
            "- nowhere do three equal values stand side by side in a row or one below the other in a column,\n"
            "- no two rows are the same and no two columns are the same (a row may be the same as a column).\n"
            "There is exactly one way to do it.\n"
            "In each turn you fill one empty cell with a value that breaks none of these rules at once: "
            f"its row and its column then hold at most {side // 2} of that value and no three alike next to each other, "
            "and a row or column that becomes full is not the same as another full one. "
            "A filled cell is never changed; a fill that is not allowed loses.\n"
            "You win when the grid is full. You lose as soon as some empty cell has no value left that is allowed, so look ahead: "
            "a fill can be allowed and still make the grid impossible.\n"
            "Write a move as row, column and value; rows and columns are counted from 0, from the top left. "
            "For example, a 1 in the first row and the fourth column is: 0 3 1"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"The grid, with . for an empty cell ({self.cells.count(EMPTY)} left):\n{self.state()}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        side, margin = side_of(self.cells), 0.7
        end = margin + side
        shapes: list[Shape] = []
        for cell, (given, value) in enumerate(zip(self.givens, self.cells, strict=True)):
            row, column = divmod(cell, side)
            fill, colour = "shade" if given != EMPTY else "paper", "ink" if given == value else "blue"
            click = f"{row} {column}" if value == EMPTY else ""
            shapes.append(Box(column + margin, row + margin, 1, 1, fill, value.strip(EMPTY), colour, click=click))
        corners = (margin, margin), (end, margin), (end, end), (margin, end), (margin, margin)
        shapes.append(Line(corners, width=0.09))
        shapes += [Label(margin + at + 0.5, margin / 2, str(at), colour="quiet") for at in range(side)]
        shapes += [Label(margin / 2, margin + at + 0.5, str(at), colour="quiet") for at in range(side)]
        return Scene(end + 0.1, end + 0.1, tuple(shapes))

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


@cache
def _fills(side: int, cell: int, values: str) -> tuple[Move, ...]:
    return tuple(write_fill(side, cell, value) for value in values)


def _extends(solution: str, cells: str) -> bool:
    return all(value in (EMPTY, right) for right, value in zip(solution, cells, strict=True))
