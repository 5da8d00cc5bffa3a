"""Minesweeper: find mines from clues revealed in rounds, and say which are certain after each one.

From LogicGame.  In family a, a number counts the mines around its cell; in family b, a letter and
a number count the mines in one direction, and the total is given.  A mine is certain when it is
part of every arrangement that fits the clues so far: exact entailment, where the published
processes sometimes miss a deduction.  After the last round one arrangement is left, and no clue is
superfluous.  The process is asked for at every level, as in the paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, Self

from quandary.core.answers import Answer, JsonObject, ListOf, Text
from quandary.core.boards import Cell, beside, board, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, EarlierVersions, InstanceCount, Language, Seat
from quandary.core.json_answers import written
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver.deduction import UNKNOWN, Board, images
from .solver.rounds import certain_mines, entries, guessed_mines, random_rounds

LARGEST = 10  # cells per side; larger boards would take minutes
SIZES = grown(size=(2, 3, 4, 5), mines=((1, 2), (1, 3), (5, 6), (7, 11)), rounds=(1, 2, 3, 4))


@dataclass(frozen=True)
class Minesweeper(EarlierVersions, Worked):
    boards: Annotated[
        tuple[Board, ...],
        Doc("the board of each round with all clues so far, rows from the top; * is not revealed"),
    ]
    mines: Annotated[int | None, Doc("how many mines there are in all, null if that is not told")]

    version = 3
    families = {
        "a": "a clue counts the mines around it",
        "b": "a clue counts the mines in one direction, and the total is given",
    }
    sizes = {"a": SIZES, "b": SIZES}
    distinct_instances = {
        "0": InstanceCount(10, "few sets of clues on 2 x 2 cells are just enough"),
        "0,family=a": InstanceCount(3, "few sets of clues on 2 x 2 cells are just enough"),
        "0,family=b": InstanceCount(7, "few sets of clues on 2 x 2 cells are just enough"),
        "1": InstanceCount(
            4_000, "simple sets of clues on 3 x 3 cells are often drawn", "at least"
        ),
        "1,family=a": InstanceCount(1_500, "simple sets of clues are often drawn", "at least"),
        "1,family=b": InstanceCount(2_500, "simple sets of clues are often drawn", "at least"),
    }

    @classmethod
    def upgraded(cls, fields: dict[str, Any], version: int) -> dict[str, Any]:
        """With the level, which versions 1 and 2 did not store: each level has one more round."""
        return {"level": min(len(fields["boards"]), len(SIZES)) - 1, **fields}

    @classmethod
    def draw(
        cls,
        rng: Random,
        family: str,
        level: int,
        *,
        size: Annotated[int, Between(2, LARGEST)],
        mines: Annotated[Range, Between(1)],
        rounds: Annotated[int, Between(1)],
    ) -> Self:
        """Lay mines, keep as few clues as are enough, and spread these over the rounds."""
        boards, total = random_rounds(rng, size, mines, rounds, directed=family == "b")
        return cls(family, level, boards, total)

    def work(self, without: Hashable = None) -> Work:
        return Work.of_steps(entries(certain_mines(self.boards, self.mines)))

    def sample(self, rng: Random) -> str:
        return written(*Work.of_steps(entries(guessed_mines(self.boards, self.mines, rng))))

    def answer_shape(self) -> Answer:
        mines = ListOf(ListOf(Text()))  # no mine is written [[]], so an entry may be empty
        return JsonObject({"answer": mines, "process": ListOf(mines, count=len(self.boards))})

    def explain(self, say: Say) -> str:
        return say.lines(
            say(
                "Some cells of a square board hide a mine, at most one per cell; find all mines. "
                "Clues are revealed in rounds, and each round shows the whole board with all clues "
                "so far. A cell with a clue has no mine; a cell shown as * may or may not have "
                "one.\n"
                "A cell is named by its x and y: x counts the columns from the left, y counts the "
                "rows from the bottom, both from 1, so (1,1) is the bottom left cell."
            ),
            _how_clues_count(self.family, say),
        )

    def words(self, say: Say) -> Words:
        return Words(
            say(
                "the list of all mines, each written as a list of two strings, x and y, sorted by "
                "x and then by y as numbers."
            ),
            say(
                "a list with one entry per round, in order. An entry is the list of all mines that "
                "are certain after that round, including those that were certain before, written "
                "and ordered in the same way. Where no mine is certain, the entry is [[]]; where "
                "no more mines are certain than before, the entry is the same as the previous one."
            ),
            Work.of_steps([[[]], [["3", "2"]], [["1", "1"], ["3", "2"]]]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, shape = self.say(language), {"size": len(self.boards[0]), "mines": self.mines}
        blank, width = ("", 1) if self.family == "a" else (" ", 2)
        if self.mines is None:
            lines = [say("The board has {size} x {size} cells.", **shape)]
        else:
            lines = [say("The board has {size} x {size} cells. Mines in total: {mines}.", **shape)]
        for number, shown in enumerate(self.boards, start=1):
            lines += ["", say("Round {number}:", number=number)]
            lines += [blank.join(f"{at:{width}}" for at in row).rstrip() for row in shown]
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the boards of the rounds, two beside each other; new clues stand on pale
        yellow.
        """
        say, size = self.say(language), len(self.boards[0])
        columns = [str(x) for x in range(1, size + 1)]
        earlier: Board = ((UNKNOWN,) * size,) * size
        parts = list[Scene]()
        for number, shown in enumerate(self.boards, start=1):
            if self.mines is None:
                title = say("Round {number}", number=number)
            else:
                title = say("Round {number}, mines: {mines}", number=number, mines=self.mines)
            rows = [list(map(_look, *pair)) for pair in zip(shown, earlier, strict=True)]
            drawn = board(rows, row_names=columns[::-1], column_names=columns)
            parts.append(stack(captions(title), drawn, gap=0.2))
            earlier = shown
        pairs = (parts[start : start + 2] for start in range(0, len(parts), 2))
        return stack(*(beside(*pair) for pair in pairs), gap=0.5)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "mark": say("clues that are new in this round"),
            "shade": say("clues of earlier rounds"),
        }

    def equivalent(self, rng: Random) -> Minesweeper:
        """Turned or mirrored, with the directions of clues turned along."""
        return replace(self, boards=rng.choice(images(self.boards)))

    def canonical(self) -> Hashable:
        return self.family, self.mines, min(images(self.boards))


def _how_clues_count(family: str, say: Say) -> str:
    if family == "a":
        return say(
            "A clue is a number: it counts the mines in the cells next to its own, horizontally, "
            "vertically or diagonally. The total number of mines is not given.\n"
            "A mine is certain after a round if its cell has a mine in every arrangement of "
            "mines that fits all clues shown so far. After the last round exactly one arrangement "
            "fits."
        )
    return say(
        "A clue is a letter and a number. The letter is a direction, seen from the cell of the "
        "clue: A up, B down, C left, D right. The number counts all mines in that direction, from "
        "the adjacent cell to the edge of the board; clues in between do not block the view. The "
        "total number of mines is given with the board.\n"
        "A mine is certain after a round if its cell has a mine in every arrangement of mines "
        "that has this total and fits all clues shown so far. After the last round exactly one "
        "arrangement fits."
    )


def _look(cell: str, before: str) -> Cell:
    """Return a cell of a board in the picture, given what it showed in the round before."""
    if cell == UNKNOWN:
        return Cell()
    return Cell(cell, "shade" if cell == before else "mark")
