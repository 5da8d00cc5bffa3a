"""Text sudoku: fill a sudoku board of digits or letters.

From TextGames.  Readings: a board always has exactly one solution, but where a board from elsewhere has several, each is right;
small letters count as capital ones; the symbols of a row may be written with or without blanks between them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from random import Random
from string import ascii_lowercase, ascii_uppercase
from typing import Any, Literal

from quandary.core.boards import Cell, board
from quandary.core.contract import Language, Question, Seat, Verdict
from quandary.core.scene import Scene
from quandary.kit import sudoku
from quandary.kit.squares import square

BLANK = "_"
DIGITS, LETTERS = "123456789", ascii_uppercase
CAPITALS = str.maketrans(ascii_lowercase, ascii_uppercase)
UNITS = ("row", "column", "box")
REDRAWS = 20  # boards tried before so many blanks are given up; at the levels the first one does
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
        cls, rng: Random, *, size: int = 4, blanks: int = 4, symbols: Literal["either", "digits", "letters"] = "either"
    ) -> TextSudoku:
        """A full board with cells emptied in random order, as long as only one solution fits."""
        sudoku.box_shape(size)  # refuses sides that have no boxes
        if symbols == "digits" and size > len(DIGITS):
            raise ValueError(f"{len(DIGITS)} digits cannot fill {size} cells of a row")
        if not 1 <= blanks <= size * size - (size - 1):
            raise ValueError(f"at least one cell is empty, and {size - 1} givens are needed to tell the symbols apart")
        lettered = rng.random() < 0.5 if symbols == "either" and size <= len(DIGITS) else symbols != "digits"
        shown = (LETTERS if lettered else DIGITS)[:size]
        for _ in range(REDRAWS):
            carved = sudoku.carve(rng, sudoku.random_grid(rng, size), blanks)
            if carved.count(sudoku.EMPTY) == blanks:
                return cls(carved.translate(_names(sudoku.SYMBOLS[:size] + sudoku.EMPTY, shown + BLANK)), shown)
        raise ValueError(f"no board of side {size} was found that has {blanks} empty cells and only one solution")

    @property
    def size(self) -> int:
        return len(self.symbols)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        size = self.size
        cells, misshapen = square(answer or "", size, "symbol", language)
        if misshapen:
            return Verdict(0.0, "shape", misshapen)
        filled = cells.translate(CAPITALS)
        for place, (given, symbol) in enumerate(zip(self.cells, filled, strict=True)):
            if symbol not in self.symbols if given == BLANK else symbol != given:
                return self._misfilled(place, given, symbol)
        for unit in _units(size):
            if len(set(unit(filled))) < size:
                return self._repeated(filled)
        return RIGHT

    def _misfilled(self, place: int, given: str, symbol: str) -> Verdict:
        """What is wrong with one cell taken by itself."""
        where = _cell(place, self.size)
        if symbol == BLANK:
            return Verdict(0.0, "blank_left", f"The cell in {where} is still empty.")
        if symbol not in self.symbols:
            known = f"{', '.join(self.symbols[:-1])} and {self.symbols[-1]}"
            return Verdict(0.0, "unknown_symbol", f"The cell in {where} holds {symbol!r}; the symbols are {known}.")
        return Verdict(0.0, "changed_given", f"The cell in {where} is given as {given}, but you write {symbol}.")

    def _repeated(self, filled: str) -> Verdict:
        """The first cell whose symbol stands again further on: in its row, else in its column, else in its box."""
        place, kind, again = next(pair for pair in _pairs(self.size) if filled[pair[0]] == filled[pair[2]])
        unit = "one box" if UNITS[kind] == "box" else f"{UNITS[kind]} {sudoku.places(self.size)[place][kind] + 1}"
        where = f"in {_cell(place, self.size)} and in {_cell(again, self.size)}"
        return Verdict(0.0, f"repeated_in_{UNITS[kind]}", f"{filled[place]} stands twice in {unit}: {where}.")

    def solution(self) -> str:
        solved = sudoku.solve(self._plain())
        if solved is None:
            raise ValueError("this board has no solution")
        return self._rows(solved.translate(_names(sudoku.SYMBOLS[: self.size], self.symbols)))

    def count_solutions(self) -> int:
        """How many ways to fill the board would be accepted."""
        return sudoku.count(self._plain())

    def sample(self, rng: Random) -> str:
        return self._rows("".join(rng.choice(self.symbols) if cell == BLANK else cell for cell in self.cells))

    def canonical(self) -> Hashable:
        """Boards that differ by a rotation, a reflection or the names of their symbols are the same."""
        return sudoku.canonical(self._plain())

    def rules(self, language: Language = "en") -> str:
        height, width = sudoku.box_shape(self.size)
        return (
            f"You are given a sudoku board with {self.size} rows and {self.size} columns, divided into boxes of {height} rows and "
            f"{width} columns. Some of its cells hold a symbol; an empty cell is shown as {BLANK}.\n"
            "Fill every empty cell with one of the symbols listed, so that each symbol stands exactly once in every row, "
            "in every column and in every box. The cells that are given must stay as they are.\n"
            "Answer with the whole filled board alone, one row a line. For example, a board of 4 rows with boxes of 2 rows and "
            "2 columns and the symbols W X Y Z could be filled like this:\nWXYZ\nYZWX\nXWZY\nZYXW"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        return f"Symbols: {' '.join(self.symbols)}\nBoard:\n{self._rows(self.cells)}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The board with its boxes, numbered as the feedback counts."""
        rows = self._rows(self.cells).split("\n")
        cells = [[Cell(fill="mark") if cell == BLANK else cell for cell in row] for row in rows]
        return board(cells, first=1, heavy=sudoku.box_shape(self.size))

    def _plain(self) -> str:
        """The board in the symbols of the solver."""
        return self.cells.translate(_names(self.symbols + BLANK, sudoku.SYMBOLS[: self.size] + sudoku.EMPTY))

    def _rows(self, cells: str) -> str:
        return "\n".join(cells[start : start + self.size] for start in range(0, len(cells), self.size))


@cache
def _names(old: str, new: str) -> dict[int, int]:
    return str.maketrans(old, new)


@cache
def _units(size: int) -> tuple[Callable[[Any], tuple[str, ...]], ...]:
    """What picks the cells of each row, column and box out of a board."""
    chosen: dict[tuple[int, int], list[int]] = {}
    for cell, units in enumerate(sudoku.places(size)):
        for kind, unit in enumerate(units):
            chosen.setdefault((kind, unit), []).append(cell)
    return tuple(itemgetter(*cells) for cells in chosen.values())


@cache
def _pairs(size: int) -> tuple[tuple[int, int, int], ...]:
    """Every two cells of one unit: the first, the kind of unit, the second, in the order in which repeats are looked for."""
    cells = tuple(enumerate(sudoku.places(size)))
    return tuple(
        (place, kind, again)
        for place, units in cells
        for kind, unit in enumerate(units)
        for again, others in cells[place + 1 :]
        if others[kind] == unit
    )


def _cell(place: int, size: int) -> str:
    return f"row {place // size + 1}, column {place % size + 1}"
