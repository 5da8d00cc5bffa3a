"""Sudoku boards in digits or letters, with "_" for an empty cell."""

from __future__ import annotations

from random import Random
from string import ascii_uppercase
from typing import Literal, TypeAlias

from quandary.kit.square_grid import EMPTY

from .sudoku_grid import SYMBOLS

SymbolSet: TypeAlias = Literal["either", "digits", "letters"]
BLANK = "_"
DIGITS, LETTERS = "123456789", ascii_uppercase


def symbols_for(size: int) -> list[str]:
    """The letters and, if there are enough, the digits that fill a row of this size."""
    return [symbols[:size] for symbols in (LETTERS, DIGITS) if size <= len(symbols)]


def random_symbols(rng: Random, size: int, allowed: SymbolSet) -> str:
    """The symbols that fill a row of this size."""
    if allowed == "digits" and size > len(DIGITS):
        raise ValueError(f"{len(DIGITS)} digits cannot fill {size} cells of a row")
    either = allowed == "either" and size <= len(DIGITS)
    lettered = rng.random() < 0.5 if either else allowed != "digits"
    return (LETTERS if lettered else DIGITS)[:size]


def in_symbols(cells: str, symbols: str) -> str:
    """A grid of the solver in these symbols."""
    return cells.translate(str.maketrans(SYMBOLS[: len(symbols)] + EMPTY, symbols + BLANK))


def from_symbols(cells: str, symbols: str) -> str:
    """The grid of the solver that `in_symbols` wrote."""
    return cells.translate(str.maketrans(symbols + BLANK, SYMBOLS[: len(symbols)] + EMPTY))
