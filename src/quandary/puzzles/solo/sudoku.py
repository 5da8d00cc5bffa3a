"""Sudoku: fill the grid cell by cell so that no row, column or box repeats a value.

From PuzzlePlex, and the state tasks of FineReason.  Readings: instances have one solution (`unique=false` blanks cells at
random as published), but any valid completion counts; a filled cell stays as it is; a fill that repeats nothing is legal even
if the grid can no longer be completed, and the game is lost once an empty cell has no value left.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat, Unreadable
from quandary.core.scene import Scene
from quandary.kit.sudoku import (
    EMPTY,
    SYMBOLS,
    box_shape,
    candidates,
    canonical,
    carve,
    easiest,
    picture,
    random_grid,
    read_fill,
    read_grid,
    rows_of,
    side_of,
    solve,
    write_fill,
    write_fills,
)

CARVINGS = 20  # how many grids are carved before a number of blanks is given up
FILL_IN_LIST = re.compile(  # (0, 3, 2), [0, 3, 2], [(0, 3), 2]
    r"[\[(]\s{0,9}[\[(]?\s{0,9}[0-9]{1,4}\s{0,9},\s{0,9}[0-9]{1,4}\s{0,9}[\])]?\s{0,9},\s{0,9}\w{1,4}\s{0,9}[\])]"
)


@dataclass(frozen=True)
class Sudoku(Game):
    givens: str  # the grid at the start, row by row, "." for an empty cell
    cells: str  # the grid now

    seats = 1
    levels = {
        "easy": {"side": 4, "blanks": (8, 12)},
        "normal": {"side": 9, "blanks": (30, 40)},
        "hard": {"side": 9, "blanks": (45, 50)},
    }
    whole_form = {
        "en": "Give the whole filled grid in one answer: one row a line, values separated by blanks. "
        "You may also give your moves instead, one a line, in the order they are played."
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
        wanted, cells = rng.randint(blanks[0], min(blanks[1], most)), ""
        if not unique:
            gone = set(rng.sample(range(side * side), wanted))
            cells = "".join(EMPTY if cell in gone else value for cell, value in enumerate(random_grid(rng, side)))
            return cls(cells, cells)
        for _ in range(CARVINGS):
            cells = max(cells, carve(rng, random_grid(rng, side), wanted), key=lambda cells: cells.count(EMPTY))
            if cells.count(EMPTY) == wanted:
                break
        if cells.count(EMPTY) < blanks[0]:
            raise ValueError(f"no grid of side {side} with {blanks[0]} blanks and only one solution was found")
        return cls(cells, cells)

    def options(self) -> Options:
        left = candidates(self.cells)
        if any(not values and value == EMPTY for values, value in zip(left, self.cells, strict=True)):
            return {}  # a dead end
        moves = [move for cell, values in enumerate(left) if values for move in write_fills(side_of(self.cells), cell, values)]
        return {0: moves} if moves else {}

    def play(self, seat: Seat, move: Move) -> Sudoku:
        row, column, value = move.split()
        cell = int(row) * side_of(self.cells) + int(column)
        return Sudoku(self.givens, self.cells[:cell] + value + self.cells[cell + 1 :])

    def scores(self) -> tuple[float]:
        return (float(EMPTY not in self.cells and self.solvable()),)

    def ending(self) -> Ending:
        return Ending("dead_end" if EMPTY in self.cells else "goal")

    def branches(self) -> Collection[Move]:
        """One cell is enough to search: the one with the fewest values left."""
        left = candidates(self.cells)
        empty = (cell for cell, value in enumerate(self.cells) if value == EMPTY)
        cell = min(empty, key=lambda cell: left[cell].bit_count(), default=None)
        return () if cell is None else write_fills(side_of(self.cells), cell, left[cell])

    def solvable(self) -> bool:
        return solve(self.cells) is not None

    def read(self, seat: Seat, said: str) -> Move:
        return read_fill(said, side_of(self.cells))

    def moves(self, said: str) -> Sequence[Move]:
        """A full grid, fills one a line, or a list of fills such as [(0, 3, 2), (1, 1, 4)]."""
        listed = FILL_IN_LIST.findall(said)
        if listed and not FILL_IN_LIST.sub("", said).strip(" \t\r\n,[]()"):
            return [self.read(0, fill) for fill in listed]
        try:
            return super().moves(said)
        except Unreadable:
            grid = read_grid(said, side_of(self.cells))
        if any(new == EMPTY != old for old, new in zip(self.cells, grid, strict=True)):
            raise Unreadable("The grid leaves out values that are already there.")
        changed = [cell for cell, value in enumerate(self.cells) if grid[cell] != value]  # a changed given is an illegal fill
        return [write_fill(side_of(self.cells), cell, grid[cell]) for cell in changed]

    def state(self) -> str:
        return "\n".join(map(" ".join, rows_of(self.cells)))

    def restate(self, said: str) -> Sudoku:
        return replace(self, cells=read_grid(said, side_of(self.cells)))

    def canonical(self) -> Hashable:
        return canonical(self.cells)

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

    def scene(self, seat: Seat) -> Scene:
        shaded = {cell: "shade" for cell, value in enumerate(self.givens) if value != EMPTY}
        filled = {cell: "blue" for cell, value in enumerate(self.cells) if value != self.givens[cell]}
        return picture(self.cells, shaded, filled, [cell for cell, value in enumerate(self.cells) if value == EMPTY])

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """A fill is worth 1 where the grid can still be completed after it."""
        known = [solution for solution in (solve(self.cells),) if solution]
        worth = {}
        for move in self.options().get(0) or ():
            after = self.play(seat, move).cells
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
