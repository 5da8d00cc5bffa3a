"""Logic grid: complete a table from clues; a move applies one clue.

From FineReason.  Interpretations: an instance has exactly one solution, and no clue can be spared;
a move places everything that its clue names and that is not in the table yet, so every move changes
the table; a column with one gap left is filled; nothing is moved later.  A move must make its own
clue true, whatever becomes of the others; the game is lost as soon as a clue is false or can no
longer become true, so other dead ends take look-ahead.  For clues about order, the order of the
first column counts; amounts are differences of its numbers, or rows where it holds words.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Annotated

from quandary.core.boards import TEXT_WIDTH, beside, captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Ending,
    Game,
    Implied,
    JudgedMoves,
    Language,
    Move,
    Options,
    Seat,
    StateTasks,
    WholeAnswers,
)
from quandary.core.errors import Ambiguous, Unreadable
from quandary.core.scene import Scene
from quandary.puzzles._shared.reading import plain_text

from .solver.clues import Clue, Value, measures_of
from .solver.generator import random_clues
from .solver.moves import Grid, compiled
from .solver.rules import NOWHERE, Rows
from .solver.symmetry import canonical_form, random_renaming
from .tables import (
    GAP,
    drawn_table,
    lines_of,
    read_table,
    rows_of,
    table_of,
    table_picture,
    written_table,
)
from .themes import random_columns
from .words import clue_lines, column_lines

LONGEST = 300  # characters of a move
LEAST = 5.0  # of the lists of items that stand beside the table
WORDS_OF_MOVES = re.compile(r"clue|rows?|and|(?:使?用|应用|根据)?线索|第|行|和|号|条")
NUMBERS = re.compile(r"[0-9]{1,2}(?:[ ,:;、]+[0-9]{1,2}){1,9}")


@dataclass(frozen=True)
class LogicGrid(StateTasks, WholeAnswers, JudgedMoves, Game):
    titles: Annotated[tuple[str, ...], Doc("the titles of the columns")]
    things: Annotated[
        tuple[tuple[Value, ...], ...],
        Doc("the things of each column, of the first in the order of the rows"),
    ]
    clues: Annotated[tuple[Clue, ...], Doc("what is known about the things")]
    table: Annotated[
        tuple[tuple[int, ...], ...],
        Doc("by row and column, the place of a thing in its column, -1 for a gap"),
    ]

    seats = 1
    levels = {
        "easy": {"rows": 4, "columns": (3, 4)},
        "medium": {"rows": 5, "columns": (3, 4)},
        "hard": {"rows": 6, "columns": (4, 4)},
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        rows: Annotated[int, Between(3, 6)] = 4,
        columns: Annotated[Range, Between(2, 5)] = (3, 4),
    ) -> LogicGrid:
        """Return a table of one theme and as many clues as it needs; all numbers of columns are
        likely.
        """
        titles, things = zip(*random_columns(rng, rows, rng.randint(*columns)), strict=True)
        return cls.start(titles, things, random_clues(rng, len(titles), measures_of(things[0])))

    @classmethod
    def start(
        cls, titles: tuple[str, ...], things: tuple[tuple[Value, ...], ...], clues: tuple[Clue, ...]
    ) -> LogicGrid:
        """Return the table with its first column alone."""
        gaps = (GAP,) * (len(titles) - 1)
        return cls(titles, things, clues, tuple((row, *gaps) for row in range(len(things[0]))))

    def options(self) -> Options:
        moves = self._grid.moves(self._rows) if self._rows is not None else ()
        return {0: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> LogicGrid:
        assert self._rows is not None
        return self._at(self._grid.applied(self._rows, move))

    def scores(self) -> tuple[float]:
        return (float(not self.gaps() and self.solvable()),)

    def ending(self) -> Ending:
        return Ending("goal" if self.scores() == (1.0,) else "dead_end")

    @cached_property
    def _grid(self) -> Grid:
        return compiled(len(self.titles), measures_of(self.things[0]), self.clues)

    @cached_property
    def _rows(self) -> Rows | None:
        """The row of each thing; None if one stands in several."""
        return rows_of(self.table)

    def _at(self, rows: Rows) -> LogicGrid:
        table = table_of(rows, len(self.table))
        return LogicGrid(self.titles, self.things, self.clues, table)

    def equivalent(self, rng: Random) -> LogicGrid:
        """Columns, things and clues in another order."""
        to = random_renaming(rng, len(self.table), len(self.titles), len(self.clues))
        things = [tuple(self.things[c][index] for index in to.things[c]) for c in to.columns]
        titles = tuple(self.titles[column] for column in to.columns)
        clues = tuple(to.clue(self.clues[number]) for number in to.clues)
        return LogicGrid(titles, tuple(things), clues, tuple(map(to.line, self.table)))

    def canonical(self) -> Hashable:
        if self._rows is None:
            return self
        return canonical_form(self.clues, measures_of(self.things[0]), self._rows)

    def read(self, seat: Seat, text: str) -> Move:
        lines = text.splitlines() if len(text) <= LONGEST else ()
        moves = {_read(line) for line in lines if line.strip()}
        if len(moves) != 1:
            raise Ambiguous() if moves else Unreadable()
        return moves.pop()

    def moves(self, text: str) -> Sequence[Move]:
        """Return one move per line, up to one too many, or a full table: its clues in their
        order.
        """
        if "[[" not in "".join(text.split()):
            lines = [line for line in text.splitlines() if line.strip()]
            return [self.read(0, line) for line in lines[: len(self.clues) + 1]]
        goal, rows = self.restate(text)._rows, self._rows
        if goal is None or NOWHERE in goal or rows is None:
            raise Unreadable("Fill every cell of the table, with each item in one cell only.")
        moves = Implied()
        for number in range(1, len(self.clues) + 1):
            if move := self._grid.move_towards(rows, goal, number):
                moves.append(move)
                rows = self._grid.applied(rows, move)
        return moves

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write the number of the clue and then the rows of the items that you place, in the "
            "order in which the clue first names them; items that are in the table already are "
            "left out. Rows are numbered from 1, starting at the top. For example, if clue 3 names "
            "two items that are not in the table yet, `3 2 4` puts the first in row 2 and the "
            "second in row 4."
        )

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give the complete table in one answer, as a JSON list of lists: first the titles, "
            "then the rows from top to bottom, with the columns in the order shown and without the "
            'row numbers, for example [["floor", "pet"], [1, "parrot"], [2, "goldfish"]]. '
            "Alternatively, give your moves, one per line and nothing else, in the order in which "
            "you make them."
        )

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        rules = say(
            "Complete the table. Every column has a list of items; each of them belongs in "
            "exactly one cell of that column. The first column is filled in already, in its "
            "natural order from top to bottom. All clues must be true of the complete table. There "
            "is exactly one solution.\n"
            "A move applies one clue: place all items that it names and that are not in the table "
            "yet, each in a free cell of its column, so that this clue becomes true. A clue that "
            "names no such item cannot be applied. If a column then has only one free cell, the "
            "last item of that column is put there in the same move. Items stay where they are. "
            "An illegal move loses the game at once.\n"
            "You win when the table is complete and all clues are true. You lose as soon as some "
            "clue is false, or can no longer become true by placing its missing items in free "
            "cells. So plan ahead: a move can be legal and still make it impossible to win."
        )
        return say.lines(rules, self.how(language))

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        titles, *cells = self._lines(language)
        rows = [[say("row"), *titles], *([row, *line] for row, line in enumerate(cells, 1))]
        return say.lines(
            say("The columns and their items:"),
            *column_lines(self.titles, self.things, language),
            say("The clues:"),
            *clue_lines(self.titles, self.things, self.clues, language),
            say("The table, with . for a gap:"),
            drawn_table(rows),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        table = table_picture(self._lines(language), TEXT_WIDTH)
        columns = column_lines(self.titles, self.things, language)
        clues = clue_lines(self.titles, self.things, self.clues, language)
        room = TEXT_WIDTH - table.width - 0.6
        join, width = (beside, room) if room >= LEAST else (stack, TEXT_WIDTH)
        return stack(
            join(table, captions(*columns, width=width, indent="   ")),
            captions(*clues, width=TEXT_WIDTH, indent="   "),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"shade": say("titles, and the column that is given")}

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say, rows = self.say(language), self._rows or ()
        number, *places = map(int, move.split())
        if not 1 <= number <= len(self.clues):
            return say("There is no clue {number}.", number=number)
        if not (missing := self._grid.missing(rows, number)):
            return say("All items that clue {number} names are in the table.", number=number)
        if len(places) != len(missing):
            return say(
                "Clue {number} names {count} {count:item|items} that are not in the table yet; "
                "give a row for each.",
                number=number,
                count=len(missing),
            )
        if not all(1 <= place <= len(self.table) for place in places):
            return say("Rows are numbered from 1 to {last}.", last=len(self.table))
        return say("A cell is not free, or clue {number} would not become true.", number=number)

    def state_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Below, a table is written as a JSON list of lists: first the titles, then the rows "
            'from top to bottom; "" is a gap.'
        )

    def state(self) -> str:
        return self.shown_state("en")

    def shown_state(self, language: Language) -> str:
        return written_table(self._lines(language))

    def _lines(self, language: Language) -> list[list[Value]]:
        return lines_of(self.titles, self.table, self.things, language)

    def restate(self, text: str) -> LogicGrid:
        return replace(self, table=read_table(text, self.titles, self.things))

    def leads_to(self, other: LogicGrid) -> bool:
        """Return whether clues can be applied so that everything goes where the other table
        has it.
        """
        rows, goal = self._rows, other._rows
        return rows is not None and goal is not None and self._grid.reaches(rows, goal)

    def move_to(self, other: LogicGrid) -> Move | None:
        rows, goal = self._rows, other._rows
        return self._grid.move_to(rows, goal) if rows is not None and goal is not None else None

    def gaps(self) -> int:
        return sum(line.count(GAP) for line in self.table)

    def solvable(self) -> bool:
        return self._rows is not None and self._grid.solution(self._rows) is not None

    def solvable_after(self, move: Move) -> bool:
        return self._rows is not None and self._grid.solvable_after(self._rows, move)

    def judge(self, seat: Seat) -> Mapping[Move, float]:
        return {move: float(self.solvable_after(move)) for move in self.options().get(0) or ()}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Applies the first clue it can as the solution has it; in a lost position any clue."""
        grid, rows = self._grid, self._rows or ()
        if (solution := grid.solution(rows)) is None:
            return rng.choice(list(self.options()[seat] or ()))
        numbers = range(1, len(self.clues) + 1)
        return next(filter(None, (grid.move_towards(rows, solution, n) for n in numbers)))

    strategies = {"oracle": oracle}
    strongest = "optimal"


def _read(line: str) -> Move:
    """Return a move in one line, such as 3 2 4, [3, 2, 4] or clue 3: rows 2 and 4."""
    words = WORDS_OF_MOVES.sub(" ", plain_text(line, "[]()")).split()
    if not NUMBERS.fullmatch(text := " ".join(words)):
        raise Unreadable()
    return " ".join(str(int(number)) for number in re.findall("[0-9]+", text))
