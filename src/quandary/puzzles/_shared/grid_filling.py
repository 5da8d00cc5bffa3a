"""Grids that are filled cell by cell: fills and words of sudoku, SudoKill and takuzu.

`Filling` is the base class of those that one player fills.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from math import isqrt
from typing import Annotated, Self

from quandary.core.boards import Cell, board
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
from quandary.core.errors import Unreadable
from quandary.core.mixins.whole_answers import read_each
from quandary.core.moves import Choice, Notation, Number, half_width
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.square_grid import EMPTY, side_of

MANY = 20  # ways to complete a grid; where there are more, each fill is tried by itself
CARVINGS = 20  # grids that are carved before fewer blanks are accepted
FILL_IN_LIST = re.compile(  # (0, 3, 2), [0, 3, 2], [(0, 3), 2]
    r"[\[(]\s{0,9}[\[(]?\s{0,9}[0-9]{1,4}\s{0,9},\s{0,9}[0-9]{1,4}\s{0,9}[\])]?"
    r"\s{0,9},\s{0,9}\w{1,4}\s{0,9}[\])]"
)
BETWEEN_CELLS = re.compile(r"[\s,;|\[\]()\"']+")  # those of lists of texts too
DRAWN_LINES = "-+=`"  # a word of these characters separates boxes or marks a code block


@dataclass(frozen=True)
class Filling(StateTasks, WholeAnswers, JudgedMoves, Game):
    """A grid being filled by one player, who has lost once an empty cell has no value left."""

    givens: Annotated[
        str, Doc("the grid at the start, row by row in one string, a dot for an empty cell")
    ]
    cells: Annotated[str, Doc("the grid now, in the same form")]

    seats = 1

    @abstractmethod
    def fills(self) -> Sequence[Collection[Move]]:
        """For each cell the legal fills; none for a filled cell."""

    @abstractmethod
    def completions(self) -> Iterator[str]:
        """Return every way to complete the grid, each once."""

    @abstractmethod
    def blocks(self) -> tuple[int, int]:
        """Return how many rows and columns lie between the heavy lines of the picture."""

    @abstractmethod
    def grid(self, text: str) -> str:
        """Return the cells of the grid that `text` writes, or Unreadable."""

    def options(self) -> Options:
        left = self.fills()
        if sum(map(bool, left)) < self.cells.count(EMPTY):
            return {}  # a dead end: an empty cell has no fill
        moves = [move for fills in left for move in fills]
        return {0: moves} if moves else {}

    def after(self, seat: Seat, move: Move) -> Self:
        cell, value = _filled(side_of(self.cells), move)
        return type(self)(self.givens, self.cells[:cell] + value + self.cells[cell + 1 :])

    def scores(self) -> tuple[float]:
        return (float(EMPTY not in self.cells and self.solvable()),)

    def ending(self) -> Ending:
        return Ending("dead_end" if EMPTY in self.cells else "goal")

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say = self.say(language)
        return (
            super().why_illegal(seat, move, language)
            or why_filled(say, self.cells, move)
            or self.why_no_value(move, say)
        )

    @abstractmethod
    def why_no_value(self, move: Move, say: Say) -> str:
        """Return why the value of a fill does not fit its cell, which is empty."""

    def whole_form(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Give the complete grid in one answer: one row per line, values separated by spaces."
            " Alternatively, give your moves, one per line and nothing else, in the order in which"
            " you make them."
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "The grid ({count} empty {count:cell|cells}, shown as .):\n{rows}",
            count=self.gaps(),
            rows=grid_rows(self.cells),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        pairs = list(enumerate(zip(self.givens, self.cells, strict=True)))
        shaded = {cell: "shade" for cell, (given, _) in pairs if given != EMPTY}
        filled = {cell: "blue" for cell, (given, value) in pairs if given != value}
        empty = [cell for cell, (_, value) in pairs if value == EMPTY]
        return grid_picture(self.cells, self.blocks(), shaded, empty, filled)

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "shade": say("cells that were filled at the start"),
            "blue": say("values that you have filled in"),
        }

    def branches(self) -> Collection[Move]:
        """Return the fills of one cell, which are enough to search: the first with the fewest
        values.
        """
        cells = zip(self.fills(), self.cells, strict=True)
        return min((fills for fills, value in cells if value == EMPTY), key=len, default=())

    def gaps(self) -> int:
        return self.cells.count(EMPTY)

    def leads_to(self, other: Self) -> bool:
        """Return whether every new value fits beside all others, so that they can be filled in any
        order.

        The last one may leave an empty cell without values; the game would be over before.
        """
        pairs = list(zip(self.cells, other.cells, strict=True))
        filled = [cell for cell, (old, new) in enumerate(pairs) if old != new]
        if not filled or any(old not in (EMPTY, new) for old, new in pairs):
            return False
        before = [_emptied(other, cell) for cell in filled]
        fits = (
            write_fill(side_of(self.cells), cell, other.cells[cell]) in one.fills()[cell]
            for cell, one in zip(filled, before, strict=True)
        )
        return all(fits) and any(one.options() for one in before)

    def move_to(self, other: Self) -> Move | None:
        pairs = enumerate(zip(self.cells, other.cells, strict=True))
        changed = [cell for cell, (old, new) in pairs if old != new]
        if len(changed) != 1:
            return None
        fill = write_fill(side_of(self.cells), changed[0], other.cells[changed[0]])
        return fill if fill in (self.options().get(0) or ()) else None

    def solvable(self) -> bool:
        return next(self.completions(), None) is not None

    def solvable_after(self, move: Move) -> bool:
        known = _all_completions(self)
        if known is None:
            return super().solvable_after(move)
        cell, value = _filled(side_of(self.cells), move)
        return any(grid[cell] == value for grid in known)

    def moves(self, text: str) -> Sequence[Move]:
        """Return a full grid, one fill per line, or a list of fills such as [(0, 3, 2), (1,
        1, 4)].
        """
        text = half_width(text)
        listed = FILL_IN_LIST.findall(text)
        if listed and not FILL_IN_LIST.sub("", text).strip(" \t\r\n,[]()"):
            return read_each(self, listed)
        try:
            fills = super().moves(text)
        except Unreadable:
            return self._changes(self.grid(text))
        try:
            grid = self.grid(text)
        except Unreadable:
            return fills
        # Rows such as 534|678|912 can be read as fills too, but they have more than three values.
        return fills if 3 * len(fills) == len(grid) else self._changes(grid)

    def _changes(self, grid: str) -> Implied:
        """Return the fills that lead to a grid; a cell that was filled before makes an
        illegal one.
        """
        changed = [cell for cell, value in enumerate(grid) if value != self.cells[cell]]
        if any(grid[cell] == EMPTY for cell in changed):
            raise Unreadable("The grid leaves out values that are already there.")
        return Implied(write_fill(side_of(grid), cell, grid[cell]) for cell in changed)

    def state(self) -> str:
        return grid_rows(self.cells)

    def restate(self, text: str) -> Self:
        return replace(self, cells=self.grid(text))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the worth of each fill: 1 if the grid can still be completed after it, otherwise
        0.
        """
        return {move: float(self.solvable_after(move)) for move in self.options().get(0) or ()}


@lru_cache(maxsize=1 << 10)
def _all_completions(grid: Filling) -> tuple[str, ...] | None:
    """Return every way to complete a grid; None if there are many."""
    found = tuple(islice(grid.completions(), MANY))
    return found if len(found) < MANY else None


@cache
def _filled(side: int, fill: Move) -> tuple[int, str]:
    """Return the cell of a fill, and its value."""
    row, column, value = fill.split()
    return int(row) * side + int(column), value


def _emptied(grid: Filling, cell: int) -> Filling:
    return replace(grid, cells=grid.cells[:cell] + EMPTY + grid.cells[cell + 1 :])


def fill_notation(side: int, value: Number | Choice) -> Notation:
    """Return how the fills of a grid are written: row and column from 0, then the value."""
    place = Number(0, side - 1)
    labels = {"column": ("col",)}
    template = "{row} {column} {value}"
    return Notation(template, labels=labels, row=place, column=place, value=value)


def how_to_fill(say: Say, value: int) -> str:
    """Return a sentence on how to write a fill, with an example that fills in this value."""
    return say(
        "Write your move as: row column value. Rows and columns are numbered from 0, starting at"
        " the top left. For example, `{fill}` puts a {value} in the first row and the fourth"
        " column.",
        fill=f"0 3 {value}",
        value=value,
    )


def why_filled(say: Say, cells: str, move: Move) -> str:
    """That the cell of a fill is filled already; "" if it is not."""
    row, column, _ = move.split()
    if cells[int(row) * side_of(cells) + int(column)] == EMPTY:
        return ""
    return say(
        "The cell in row {row} and column {column} is already filled.", row=row, column=column
    )


def why_repeated(say: Say, cells: str, blocks: tuple[int, int], move: Move) -> str:
    """That the row, column or box of a fill has its value already; "" if none has it."""
    first, second, value = move.split()
    side, row, column = side_of(cells), int(first), int(second)
    height, width = blocks
    top, left = row - row % height, column - column % width
    box = [cells[y * side + left : y * side + left + width] for y in range(top, top + height)]
    if value in cells[row * side : (row + 1) * side]:
        return say("Row {row} already has the value {value}.", row=row, value=value)
    if value in cells[column::side]:
        return say("Column {column} already has the value {value}.", column=column, value=value)
    if value in "".join(box):
        return say("The box of this cell already has the value {value}.", value=value)
    return ""


def write_fill(side: int, cell: int, value: str) -> Move:
    """Return the fill of a cell, which is given by its place in the grid."""
    return f"{cell // side} {cell % side} {value}"


def grid_rows(cells: str) -> str:
    """Return the grid as it is shown and written: one row per line, values separated by spaces."""
    rows = bytearray(_empty_rows(len(cells)))
    rows[::2] = cells.encode()  # five times as fast as joining the rows
    return rows.decode()


@cache
def _empty_rows(count: int) -> bytes:
    """Return the rows of a grid of so many cells, all of them empty."""
    side = isqrt(count)
    return "\n".join([" ".join(EMPTY * side)] * side).encode()


def read_grid(text: str, side: int, values: str, cells_in: Callable[[str], str]) -> str:
    """Return the cells of a grid written as rows or lists; `cells_in` gives those of one word."""
    most = side * side + 1
    words = BETWEEN_CELLS.split(half_width(text))
    words = [word for word in words if word.strip(DRAWN_LINES)]
    cells = "".join(cells_in(word[:most]) for word in words[:most])
    if len(cells) != side * side or not set(cells) <= {*values, EMPTY}:
        raise Unreadable(
            "Write the grid as {side} rows of {side} values, with . for an empty cell.", side=side
        )
    return cells


def most_blank(carve: Callable[[], str], wanted: int, fewest: int) -> str:
    """Return a carved grid with as many blanks as wanted, or the most found, but at least
    `fewest`.
    """
    cells = ""
    for _ in range(CARVINGS):
        cells = max(cells, carve(), key=lambda cells: cells.count(EMPTY))
        if cells.count(EMPTY) == wanted:
            break
    if cells.count(EMPTY) < fewest:
        raise ValueError(
            f"no grid of side {side_of(cells)} with {fewest} blanks and only one solution was found"
        )
    return cells


def grid_picture(
    cells: str,
    blocks: tuple[int, int],
    fills: Mapping[int, str],
    clicks: Collection[int],
    colours: Mapping[int, str] | None = None,
) -> Scene:
    """Return the grid with rows and columns numbered from 0; a click gives the row and the column.

    `fills` and `colours` are the background and the text colour of some cells.
    """
    side, colours = side_of(cells), colours or {}

    def look(cell: int) -> Cell:
        row, column = divmod(cell, side)
        click = {"row": str(row), "column": str(column)} if cell in clicks else None
        text, fill = cells[cell].strip(EMPTY), fills.get(cell, "paper")
        return Cell(text, fill, colour=colours.get(cell, ""), click=click)

    rows = [[look(row * side + column) for column in range(side)] for row in range(side)]
    return board(rows, first=0, heavy=blocks)
