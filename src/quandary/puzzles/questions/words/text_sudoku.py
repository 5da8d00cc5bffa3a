"""Text sudoku: fill a sudoku board of digits or letters.

From TextGames.  Interpretations: a board always has exactly one solution, but if an imported board
has several, each is right; lower case counts as upper case; the symbols of a row may be written
with or without blanks between them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from random import Random
from string import ascii_lowercase, ascii_uppercase
from typing import Annotated, Any, Literal

from quandary.core.answers import Answer, Grid
from quandary.core.boards import Cell, board
from quandary.core.bounds import Between
from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.kit.square_answers import read_square
from quandary.kit.square_grid import EMPTY
from quandary.solvers import sudoku, sudoku_grid

BLANK = "_"
DIGITS, LETTERS = "123456789", ascii_uppercase
CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)
UNITS = ("row", "column", "box")  # as `sudoku_grid.places` numbers them
REDRAWS = 20  # boards tried before giving up; the levels need only one
RIGHT = Verdict(1.0)


@dataclass(frozen=True)
class TextSudoku(Question):
    cells: str  # row by row, "_" for an empty one
    symbols: str  # that fill a row

    levels = {
        "easy": {"size": 4, "blanks": 4},
        "medium": {"size": 4, "blanks": 8},
        "hard": {"size": 9, "blanks": 32},
    }
    form = "block"
    small = {
        "easy": "turned, mirrored and renamed boards counted as one, there are 2,816 puzzles",
        "medium": "turned, mirrored and renamed boards counted as one, there are 15,606 puzzles",
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        size: int = 4,
        blanks: Annotated[int, Between(1)] = 4,
        symbols: Literal["either", "digits", "letters"] = "either",
    ) -> TextSudoku:
        """A full board with cells emptied in random order, as long as only one solution fits."""
        sudoku_grid.box_shape(size)  # raises for sides without boxes
        if symbols == "digits" and size > len(DIGITS):
            raise ValueError(f"{len(DIGITS)} digits cannot fill {size} cells of a row")
        if blanks > size * size - (size - 1):
            raise ValueError(f"{size - 1} givens are needed to tell the symbols apart")
        either = symbols == "either" and size <= len(DIGITS)
        lettered = rng.random() < 0.5 if either else symbols != "digits"
        shown = (LETTERS if lettered else DIGITS)[:size]
        names = _names(sudoku_grid.SYMBOLS[:size] + EMPTY, shown + BLANK)
        for _ in range(REDRAWS):
            carved = sudoku.carve(rng, sudoku.random_grid(rng, size), blanks)
            if carved.count(EMPTY) == blanks:
                return cls(carved.translate(names), shown)
        sought = f"{blanks} empty cells and only one solution"
        raise ValueError(f"no board of side {size} was found with {sought}")

    @property
    def size(self) -> int:
        return len(self.symbols)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        size = self.size
        cells, misshapen = read_square(answer or "", size, "symbol", language)
        if misshapen:
            return Verdict(0.0, "shape", misshapen)
        filled = cells.translate(CAPITALS)
        for place, (given, symbol) in enumerate(zip(self.cells, filled, strict=True)):
            if symbol not in self.symbols if given == BLANK else symbol != given:
                return Verdict(0.0, *self._misfilled(self.say(language), place, symbol))
        for unit in _units(size):
            if len(set(unit(filled))) < size:
                return Verdict(0.0, *self._repeated(self.say(language), filled))
        return RIGHT

    def _misfilled(self, say: Say, place: int, symbol: str) -> tuple[str, str]:
        """What is wrong with one cell: its kind and a sentence."""
        row, column = divmod(place, self.size)
        where = {"row": row + 1, "column": column + 1}
        if symbol == BLANK:
            return "blank_left", say(
                "The cell in row {row}, column {column} is still empty.", **where
            )
        if symbol not in self.symbols:
            return "unknown_symbol", say(
                "The cell in row {row}, column {column} contains {symbol}; the symbols are "
                "{symbols}.",
                symbol=repr(symbol),
                symbols=say.list(self.symbols),
                **where,
            )
        return "changed_given", say(
            "The cell in row {row}, column {column} is given as {given}, but you wrote {symbol}.",
            given=self.cells[place],
            symbol=symbol,
            **where,
        )

    def _repeated(self, say: Say, filled: str) -> tuple[str, str]:
        """The first repeated symbol: in a row, otherwise in a column, otherwise in a box."""
        pairs = _pairs(self.size)
        place, kind, again = next(pair for pair in pairs if filled[pair[0]] == filled[pair[2]])
        (row, column), (row2, column2) = (divmod(each, self.size) for each in (place, again))
        values = {"symbol": filled[place], "row": row + 1, "column": column + 1}
        values |= {"row2": row2 + 1, "column2": column2 + 1}
        if UNITS[kind] == "row":
            return "repeated_in_row", say(
                "{symbol} occurs twice in row {row}: in columns {column} and {column2}.", **values
            )
        if UNITS[kind] == "column":
            return "repeated_in_column", say(
                "{symbol} occurs twice in column {column}: in rows {row} and {row2}.", **values
            )
        return "repeated_in_box", say(
            "{symbol} occurs twice in one box: in row {row}, column {column} and in row {row2}, "
            "column {column2}.",
            **values,
        )

    def answer_shape(self) -> Answer:
        return Grid(self.size, self.size, self.symbols)

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        height, width = sudoku_grid.box_shape(self.size)
        return say(
            "You are given a sudoku board with {size} rows and {size} columns, divided into boxes "
            "of {height} rows and {width} columns. Some cells contain a symbol; an empty cell is "
            "shown as {blank}.\n"
            "Fill every empty cell with one of the listed symbols, so that each symbol occurs "
            "exactly once in every row, in every column and in every box. The given cells must "
            "stay as they are.\n"
            "Answer with the whole filled board alone, one row per line. For example, a board of "
            "4 rows with boxes of 2 rows and 2 columns and the symbols W X Y Z could be filled "
            "like this:\nWXYZ\nYZWX\nXWZY\nZYXW",
            size=self.size,
            height=height,
            width=width,
            blank=BLANK,
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        symbols, rows = " ".join(self.symbols), self._rows(self.cells)
        return say("Symbols: {symbols}\nBoard:\n{rows}", symbols=symbols, rows=rows)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The board with its boxes, with the row and column numbers of the feedback."""
        rows = self._rows(self.cells).split("\n")
        cells = [[Cell(fill="mark") if cell == BLANK else cell for cell in row] for row in rows]
        return board(cells, first=1, heavy=sudoku_grid.box_shape(self.size))

    def solution(self) -> str:
        solved = sudoku.solve(self._plain())
        if solved is None:
            raise ValueError("this board has no solution")
        return self._rows(solved.translate(_names(sudoku_grid.SYMBOLS[: self.size], self.symbols)))

    def count_solutions(self) -> int:
        """How many ways to fill the board would be accepted."""
        return sudoku.count(self._plain())

    def sample(self, rng: Random) -> str:
        filled = (rng.choice(self.symbols) if cell == BLANK else cell for cell in self.cells)
        return self._rows("".join(filled))

    def canonical(self) -> Hashable:
        """Equal for boards that differ by a rotation, a reflection or their symbols."""
        return sudoku_grid.canonical(self._plain())

    def _plain(self) -> str:
        """The board in the symbols of the solver."""
        plain = sudoku_grid.SYMBOLS[: self.size] + EMPTY
        return self.cells.translate(_names(self.symbols + BLANK, plain))

    def _rows(self, cells: str) -> str:
        size = self.size
        return "\n".join(cells[start : start + size] for start in range(0, len(cells), size))


@cache
def _names(old: str, new: str) -> dict[int, int]:
    return str.maketrans(old, new)


@cache
def _units(size: int) -> tuple[Callable[[Any], tuple[str, ...]], ...]:
    """Functions that pick the cells of each row, column and box out of a board."""
    chosen: dict[tuple[int, int], list[int]] = {}
    for cell, units in enumerate(sudoku_grid.places(size)):
        for kind, unit in enumerate(units):
            chosen.setdefault((kind, unit), []).append(cell)
    return tuple(itemgetter(*cells) for cells in chosen.values())


@cache
def _pairs(size: int) -> tuple[tuple[int, int, int], ...]:
    """All pairs of cells of a unit, with its kind in between, in the order of checking."""
    cells = tuple(enumerate(sudoku_grid.places(size)))
    return tuple(
        (place, kind, again)
        for place, units in cells
        for kind, unit in enumerate(units)
        for again, others in cells[place + 1 :]
        if others[kind] == unit
    )
