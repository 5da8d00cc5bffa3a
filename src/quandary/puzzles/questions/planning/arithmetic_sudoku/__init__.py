"""Arithmetic sudoku: fill an empty grid whose cells add up, or multiply, to given results.

From LogicGame, with its sizes.  Every number stands once in each row and column.  In family a, each
cell is part of one cage; in family b, cages are of any cells, may overlap and leave cells free.
Exactly one grid fits.  In family b no cage can be spared from level 2 on; cages that cover the grid
often can.  Numbers of answers are whole numbers, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from quandary.core.boards import TEXT_WIDTH, board, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, InstanceCount, Language, PartlyGiven, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown
from quandary.puzzles.questions.planning._shared.grid_symmetry import (
    CLUE,
    canonical_graph,
    lines_graph,
    random_sources,
)

from .solver import (
    ALONE,
    COLUMNS,
    DIFFERENCE,
    PRODUCT,
    ROWS,
    SUM,
    Cage,
    covering_cages,
    full_grids,
    latin,
    loose_cages,
)

LARGEST = 6
UNKNOWN = 0


@dataclass(frozen=True)
class ArithmeticSudoku(PartlyGiven, Worked):
    side: Annotated[int, Doc("rows and columns of the grid")]
    cages: Annotated[tuple[Cage, ...], Doc("the cages: their cells, an operation and its result")]

    families = {
        "a": "no cell belongs to two clues",
        "b": "a cell may belong to several clues or to none",
    }
    sizes = {
        "a": grown(side=(2, 3, 3, 4), cages=((2, 3), (4, 5), (4, 5), (6, 7))),
        "b": grown(side=(2, 3, 4, 4), cages=((2, 2), (3, 3), (4, 5), (5, 6))),
    }
    without_process = {"a": (0,), "b": (0,)}
    distinct_instances = {
        "0": InstanceCount(161, "two or three clues about a grid of 2 x 2"),
        "0,family=a": InstanceCount(28, "two or three clues about a grid of 2 x 2"),
        "0,family=b": InstanceCount(149, "two clues about a grid of 2 x 2"),
    }

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        side: Annotated[int, Between(2, LARGEST)],
        cages: Annotated[Range, Between(1)],
    ) -> Self | None:
        drawn = (covering_cages if family == "a" else loose_cages)(rng, side, cages)
        if drawn is None:
            return None
        made = cls(family, level, side, tuple(drawn))
        return made if level < 2 or made.uses_every_rule() else None

    def full_grids(self, limit: int, without: Hashable = None) -> list[tuple[int, ...]]:
        """Return the first grids that fit, as numbers row by row."""
        return full_grids(self.side, self.cages, limit, without)

    def rules_in_play(self) -> Sequence[Hashable]:
        """In family b, cages too, by their places; cages that cover the grid can spare some."""
        lines = (ROWS, COLUMNS)
        return lines if self.family == "a" else (*lines, *range(len(self.cages)))

    def work(self, without: Hashable = None) -> Work:
        grids = self.full_grids(2, without)
        if not grids:
            raise ValueError("no grid obeys all rules")
        found = [set(numbers) for numbers in zip(*grids, strict=True)]
        known = [numbers.pop() if len(numbers) == 1 else UNKNOWN for numbers in found]
        starts = range(0, len(known), self.side)
        return Work.repeated([known[start : start + self.side] for start in starts])

    def given_parts(self) -> Mapping[str, str]:
        """No number is given, but the size of the grid."""
        shown = "\n".join([" ".join("*" * self.side)] * self.side)
        return {field.name: shown for field in self.answer_shape().form()}

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Fill in a square grid, which is empty at first, with one number per cell. A grid "
                "with n rows and n columns is filled with the whole numbers from 1 to n. Every row "
                "and every column must hold each of these numbers exactly once.\n"
                "A cell is named by its row and its column: rows are counted from the top and "
                "columns from the left, both from 1, so (1,2) is in the first row and the second "
                "column."
            ),
            say(
                "A clue gives the number in a cell, or the sum, product, difference or quotient of "
                "the numbers in several cells. The sum is all of them added, the product is all of "
                "them multiplied. The difference of two numbers is the larger minus the smaller, "
                "and 0 if they are equal. The quotient of two numbers is the larger divided by the "
                "smaller, exactly and without rounding, and 1 if they are equal. The order in "
                "which a clue names cells does not matter."
            ),
            say("No cell belongs to more than one clue.")
            if self.family == "a"
            else say("A cell may belong to several clues, to one or to none."),
            say("Exactly one way to fill in the grid fits all clues."),
        )

    def words(self, say: Say) -> Words:
        example = [[2, 1], [1, 2]] if self.side > 2 else [[3, 1, 2], [1, 2, 3], [2, 3, 1]]
        return Words(
            say(
                "the full grid, as a list of its rows from top to bottom, each of them a list of "
                "its numbers from left to right, written as numbers without quotation marks."
            ),
            say('a copy of "answer".'),
            Work.repeated(example),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        head = say("The grid has {side} rows and {side} columns.", side=self.side)
        return say.lines(head, *self._clues(say))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the empty grid, and the clues beneath it."""
        grid = board([[""] * self.side] * self.side, first=1, size=(1.5, 1.5))
        clues = self._clues(self.say(language))
        return stack(grid, captions(*clues, size=0.5, width=TEXT_WIDTH, indent="   "))

    def _clues(self, say: Say) -> list[str]:
        return [
            f"{number}. {_clue(say, cage, self.side)}"
            for number, cage in enumerate(self.cages, start=1)
        ]

    def equivalent(self, rng: Random) -> Self:
        """With lines that change places, and with cages and their cells in another order."""
        sources = random_sources(rng, latin(self.side))
        moved = [
            cage._replace(
                cells=tuple(
                    rng.sample([sources.index(cell) for cell in cage.cells], len(cage.cells))
                )
            )
            for cage in self.cages
        ]
        return replace(self, cages=tuple(rng.sample(moved, len(moved))))

    def canonical(self) -> Hashable:
        """Return the canonical form of a graph: cells, their lines, and cages, which are of a kind
        if they have the same operation and value.
        """
        kinds, joins = lines_graph(latin(self.side))
        cages = sorted((cage.operation, cage.value, cage.cells) for cage in self.cages)
        labels = [label for *label, _ in cages]
        for *label, cells in cages:
            joins += [(cell, len(kinds)) for cell in cells]
            kinds.append(CLUE + labels.index(label))
        names = tuple(map(tuple, labels))
        return self.asks_process, self.side, names, canonical_graph(kinds, joins)


def _clue(say: Say, cage: Cage, side: int) -> str:
    places = [f"({row + 1},{column + 1})" for row, column in (divmod(c, side) for c in cage.cells)]
    values = {"cells": say.list(places), "value": cage.value}
    if cage.operation == ALONE:
        return say("The number in {cells} is {value}.", **values)
    if cage.operation == SUM:
        return say("The sum of the numbers in {cells} is {value}.", **values)
    if cage.operation == PRODUCT:
        return say("The product of the numbers in {cells} is {value}.", **values)
    if cage.operation == DIFFERENCE:
        return say("The difference of the numbers in {cells} is {value}.", **values)
    return say("The quotient of the numbers in {cells} is {value}.", **values)
