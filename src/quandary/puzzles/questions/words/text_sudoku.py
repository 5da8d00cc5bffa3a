"""Text sudoku: fill a sudoku board of digits or letters.

From TextGames.  Readings: a board always has exactly one solution, but where a board from elsewhere
has several, each is right; lower case counts as upper case; the symbols of a row may be written
with or without blanks between them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase
from typing import Annotated, Literal, TypeAlias

from quandary.core.answers import Answer, Grid
from quandary.core.boards import Cell, board
from quandary.core.bounds import Between
from quandary.core.contract import (
    Doc,
    InstanceCount,
    Language,
    PartlyGiven,
    Question,
    Seat,
    Verdict,
)
from quandary.core.control_characters import printable
from quandary.core.moves import half_width
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles._shared.reading import uppered
from quandary.puzzles._shared.square_grid import EMPTY, lines_of, rows_of
from quandary.puzzles._shared.sudoku import grid as sudoku_grid
from quandary.puzzles._shared.sudoku import solver as sudoku
from quandary.puzzles._shared.sudoku import symmetry as sudoku_symmetry
from quandary.puzzles._shared.sudoku.grid import SYMBOLS
from quandary.puzzles.questions.words import text_sudoku as sudoku_symbols
from quandary.puzzles.questions.words._shared.square_answers import read_square

SymbolSet: TypeAlias = Literal["either", "digits", "letters"]
BLANK = "_"
DIGITS, LETTERS = "123456789", ascii_uppercase


@dataclass(frozen=True)
class TextSudoku(PartlyGiven, Question):
    cells: Annotated[str, Doc("the grid row by row in one string, _ for an empty cell")]
    symbols: Annotated[str, Doc("the symbols that fill each row")]

    version = 2
    levels = {
        "easy": {"size": 4, "blanks": 4},
        "medium": {"size": 4, "blanks": 8},
        "hard": {"size": 9, "blanks": 32},
    }
    form = "block"
    distinct_instances = {
        "easy": InstanceCount(
            210, "boards of side 4 with other lines first count as one", published=198
        ),
        "medium": InstanceCount(
            1_040, "boards of side 4 with other lines first count as one", published=529
        ),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        size: int = 4,
        blanks: Annotated[int, Between(1)] = 4,
        symbols: SymbolSet = "either",
    ) -> TextSudoku:
        """Return a full board with cells emptied in random order, as long as only one solution
        fits.
        """
        sudoku_grid.box_shape(size)  # refuses sides that have no boxes
        shown = sudoku_symbols.random_symbols(rng, size, symbols)
        cells = sudoku.random_puzzle(rng, size, blanks)
        return cls(sudoku_symbols.in_symbols(cells, shown), shown)

    @property
    def size(self) -> int:
        return len(self.symbols)

    def check(self, answer: str, language: Language = "en") -> Verdict:
        text = half_width(answer or "")
        cells, misshapen = read_square(text, self.size, "symbol", language)
        if misshapen:
            return Verdict(0.0, "shape", misshapen)
        filled = uppered(cells)
        for place, (given, symbol) in enumerate(zip(self.cells, filled, strict=True)):
            if symbol not in self.symbols if given == BLANK else symbol != given:
                return Verdict(0.0, *self._misfilled(self.say(language), place, symbol))
        repeat = sudoku_grid.first_repeat(filled)
        if repeat:
            return Verdict(0.0, *self._repeated(self.say(language), filled, repeat))
        return Verdict(1.0)

    def _misfilled(self, say: Say, place: int, symbol: str) -> tuple[str, str]:
        """Return what is wrong with one cell by itself: its kind and a sentence."""
        row, column = divmod(place, self.size)
        where = {"row": row + 1, "column": column + 1}
        if symbol == BLANK:
            return "blank_left", say(
                "The cell in row {row}, column {column} is still empty.", **where
            )
        if symbol not in self.symbols:
            return "unknown_symbol", say(
                "The cell in row {row}, column {column} contains '{symbol}'; the symbols are "
                "{symbols}.",
                symbol=printable(symbol),
                symbols=say.list(self.symbols),
                **where,
            )
        return "changed_given", say(
            "The cell in row {row}, column {column} is given as {given}, but you wrote {symbol}.",
            given=self.cells[place],
            symbol=symbol,
            **where,
        )

    def _repeated(self, say: Say, filled: str, repeat: sudoku_grid.Repeat) -> tuple[str, str]:
        """Return what is wrong with a symbol that occurs again: its kind and a sentence."""
        values = {"symbol": filled[repeat.cell], **repeat.places(self.size)}
        if repeat.unit == "row":
            return "repeated_in_row", say(
                "{symbol} occurs twice in row {row}: in columns {column} and {column2}.", **values
            )
        if repeat.unit == "column":
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

    def given_parts(self) -> Mapping[str, str]:
        places = (divmod(place, self.size) for place in range(self.size**2))
        return {
            f"answer.{row + 1}.{column + 1}": symbol
            for (row, column), symbol in zip(places, self.cells, strict=True)
            if symbol != BLANK
        }

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
        symbols, rows = " ".join(self.symbols), lines_of(self.cells)
        return say("Symbols: {symbols}\nBoard:\n{rows}", symbols=symbols, rows=rows)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the board with its boxes, numbered as the feedback counts."""
        blank = Cell(fill="mark")
        cells = [[blank if cell == BLANK else cell for cell in row] for row in rows_of(self.cells)]
        return board(cells, first=1, heavy=sudoku_grid.box_shape(self.size))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("empty cells")}

    def solution(self) -> str:
        solved = sudoku.solve(self._plain())
        if solved is None:
            raise ValueError("this board has no solution")
        return lines_of(sudoku_symbols.in_symbols(solved, self.symbols))

    def count_solutions(self) -> int:
        """Return how many ways to fill the board would be accepted."""
        return sudoku.count(self._plain())

    def sample(self, rng: Random) -> str:
        filled = (rng.choice(self.symbols) if cell == BLANK else cell for cell in self.cells)
        return lines_of("".join(filled))

    def equivalent(self, rng: Random) -> TextSudoku:
        """With lines that change places, in other symbols."""
        shown = rng.choice(sudoku_symbols.symbols_for(self.size))
        cells = sudoku_symmetry.random_turn(rng, self.size).grid(self._plain())
        return TextSudoku(sudoku_symbols.in_symbols(cells, shown), shown)

    def canonical(self) -> Hashable:
        return sudoku_symmetry.canonical(self._plain())

    def _plain(self) -> str:
        """Return the board in the symbols of the solver."""
        return sudoku_symbols.from_symbols(self.cells, self.symbols)


def symbols_for(size: int) -> list[str]:
    """Return the letters and, if there are enough, the digits that fill a row of this size."""
    return [symbols[:size] for symbols in (LETTERS, DIGITS) if size <= len(symbols)]


def random_symbols(rng: Random, size: int, allowed: SymbolSet) -> str:
    """Return the symbols that fill a row of this size."""
    if allowed == "digits" and size > len(DIGITS):
        raise ValueError(f"{len(DIGITS)} digits cannot fill {size} cells of a row")
    either = allowed == "either" and size <= len(DIGITS)
    lettered = rng.random() < 0.5 if either else allowed != "digits"
    return (LETTERS if lettered else DIGITS)[:size]


def in_symbols(cells: str, symbols: str) -> str:
    """Return a grid of the solver in these symbols."""
    return cells.translate(str.maketrans(SYMBOLS[: len(symbols)] + EMPTY, symbols + BLANK))


def from_symbols(cells: str, symbols: str) -> str:
    """Return the grid of the solver that `in_symbols` wrote."""
    return cells.translate(str.maketrans(symbols + BLANK, SYMBOLS[: len(symbols)] + EMPTY))
