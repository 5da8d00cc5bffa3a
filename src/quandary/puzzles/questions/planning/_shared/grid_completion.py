"""Square grids with some values given and one way to fill in the others.

A category names its conditions, and each of them can be left out: at levels 2 and 3 more than one
grid is then possible.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Annotated, ClassVar, NamedTuple, Self

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Range
from quandary.core.contract import Doc, Language, PartlyGiven, Seat
from quandary.core.scene import Scene
from quandary.core.worked import Work, Worked
from quandary.puzzles._shared.square_grid import EMPTY, GridSymmetry, rows_of, side_of
from quandary.puzzles._shared.sudoku.grid import SYMBOLS, box_shape
from quandary.puzzles._shared.sudoku.layout import Cells, Layout, is_boxed
from quandary.puzzles._shared.sudoku.solver import carve, random_grid, solutions

from .grid_symmetry import canonical, random_sources

TRIES = 20  # grids with a number of givens, so that rare ones are drawn too
LEAST = 7.0  # units: the width of the caption of a small grid
BLANK = "*"  # an empty cell in the text, and one that is not known in what is worked out


class Condition(NamedTuple):
    """Lines that must hold all values, or one value alone: see `Layout`."""

    units: tuple[Cells, ...] = ()
    equal: tuple[Cells, ...] = ()


@dataclass(frozen=True)
class GridCompletion(PartlyGiven, Worked):
    cells: Annotated[str, Doc("the grid row by row in one string, a dot for an empty cell")]

    symbols: ClassVar[str]  # of the values, in order

    @abstractmethod
    def conditions(self) -> Mapping[str, Condition]:
        """Return what a full grid must obey, by names of our own."""

    @abstractmethod
    def diagonals(self) -> Sequence[Cells]:
        """Those that the rules name; their cells are marked in the picture."""

    @property
    def side(self) -> int:
        return side_of(self.cells)

    def drawn(self, rng: Random, givens: Range) -> Self | None:
        """Return a grid with the conditions of this one; None if it needs too many givens, or if
        some condition is idle where each must make a difference.
        """
        if givens[1] >= len(self.cells):
            raise ValueError(f"{givens[1]} givens leave no cell of a grid of side {self.side} free")
        if givens[1] < self.side - 1:  # two values that are not given could change places
            raise ValueError(
                f"{givens[1]} givens leave several ways to fill a grid of side {self.side}; it "
                f"needs at least {self.side - 1}"
            )
        layout, back = self.layout(), str.maketrans(SYMBOLS, self._all_symbols)
        blanks = len(self.cells) - rng.randint(*givens)
        for _ in range(TRIES):
            cells = carve(rng, random_grid(rng, self.side, layout), blanks, layout)
            made = replace(self, cells=cells.translate(back))
            is_sparse = len(cells) - cells.count(EMPTY) <= givens[1]
            if is_sparse and (self.level < 2 or made.uses_every_rule()):
                return made
        return None

    def layout(self, without: Hashable = None) -> Layout:
        """Return all conditions, perhaps without one."""
        left = [one for name, one in self.conditions().items() if name != without]
        return Layout(
            self.side,
            tuple(line for one in left for line in one.units),
            tuple(line for one in left for line in one.equal),
        )

    def full_grids(self, limit: int, without: Hashable = None) -> list[str]:
        """Return the first ways to fill in the grid."""
        found = islice(solutions(self._numbered, self.layout(without)), limit)
        back = str.maketrans(SYMBOLS, self._all_symbols)
        return [grid.translate(back) for grid in found]

    def rules_in_play(self) -> Sequence[Hashable]:
        return tuple(self.conditions())

    def work(self, without: Hashable = None) -> Work:
        grids = self.full_grids(2, without)
        if not grids:
            raise ValueError("no grid obeys all rules")
        found = [set(values) for values in zip(*grids, strict=True)]
        known = "".join(values.pop() if len(values) == 1 else BLANK for values in found)
        return Work.repeated([list(row) for row in rows_of(known)])

    def shown(self) -> str:
        """Return the grid as text."""
        return "\n".join(" ".join(row) for row in rows_of(self.cells.replace(EMPTY, BLANK)))

    def given_parts(self) -> Mapping[str, str]:
        return {field.name: self.shown() for field in self.answer_shape().form()}

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        yellow = {cell for line in self.diagonals() for cell in line}
        looks = [
            Cell("" if symbol == EMPTY else symbol, "mark" if cell in yellow else None)
            for cell, symbol in enumerate(self.cells)
        ]
        rows = [looks[start : start + self.side] for start in range(0, len(looks), self.side)]
        drawn = board(rows, heavy=box_shape(self.side) if is_boxed(self.layout()) else None)
        say, marked = self.say(language), self.legend(seat, language).get("mark", "")
        caption = say("yellow: {cells}", cells=marked) if marked else ""
        return stack(drawn, captions(caption, colour="quiet", width=max(drawn.width, LEAST)))

    def equivalent(self, rng: Random) -> Self:
        """With lines that change places and values that change names."""
        symbols = self.symbols[: self.side]
        names = str.maketrans(symbols, "".join(rng.sample(symbols, self.side)))
        turn = GridSymmetry(random_sources(rng, self.layout()), names)
        return replace(self, cells=turn.grid(self.cells))

    def canonical(self) -> Hashable:
        task = self.asks_process, tuple(self.conditions())
        return *task, canonical(self.layout(), self._numbered)

    @property
    def _numbered(self) -> str:
        """The grid with the symbols of the solver."""
        return self.cells.translate(str.maketrans(self._all_symbols, SYMBOLS))

    @property
    def _all_symbols(self) -> str:
        """As many as the solver has; those that no grid has stand for themselves."""
        return self.symbols + SYMBOLS[len(self.symbols) :]
