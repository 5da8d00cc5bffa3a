"""How grids and fills are written in sudoku, SudoKill and takuzu."""

from __future__ import annotations

import re

from quandary.core.contract import Move
from quandary.core.errors import Unreadable
from quandary.kit.reading import outside_brackets
from quandary.kit.square_grid import EMPTY
from quandary.solvers.sudoku_grid import SYMBOLS
from quandary.solvers.takuzu import VALUES

BRACKETED = re.compile(  # the published form, anywhere in a text: [(0, 3), 2]
    r"[\[(]\s{0,9}([0-9]{1,4})\s{0,9},\s{0,9}([0-9]{1,4})\s{0,9}[\])]\s{0,9},\s{0,9}([0-9]{1,4}|[a-z])\b(?!\.[0-9])",
    re.I,
)
PLAIN = re.compile(  # a text that is nothing but a fill: 0 3 2, (0, 3) = 2, row 0 column 3 value 2
    r"[\s\[(`]{0,9}(?:row\s{0,9})?([0-9]{1,4})[\s,)\]]{1,9}(?:col(?:umn)?\s{0,9})?([0-9]{1,4})[\s,:=)\]]{1,9}"
    r"(?:value\s{0,9})?([0-9]{1,4}|[a-z])\b[\s)\]`.]{0,9}",
    re.I,
)
BLANKS = {"-1": EMPTY, "_": EMPTY, "?": EMPTY, "x": EMPTY}  # as players write an empty cell


def write_fill(side: int, cell: int, value: str) -> Move:
    return f"{cell // side} {cell % side} {value}"


def read_fill(said: str, side: int) -> Move:
    """The only fill in `said`, as "row column value".

    Also reads "[(0, 3), 2]" and "operation = [(0, 3), 2]".
    """
    found = [match.groups() for match in (PLAIN.fullmatch(said.strip()),) if match]
    if not found and (found := BRACKETED.findall(said)):
        found += PLAIN.findall(outside_brackets(said, BRACKETED))
    fills = {f"{int(row)} {int(column)} {_symbol(value, side)}" for row, column, value in found}
    if len(fills) != 1:
        raise Unreadable("Write the cell and its value as: row column value, counted from 0, for example: 0 3 2")
    return fills.pop()


def read_sudoku_grid(said: str, side: int) -> str:
    """The sudoku grid in `said`: one row per line, or lists; "." or 0 or _ for an empty cell."""
    words = [word for word in re.split(r"[\s,;|\[\]()]+", said) if word.strip("-+=`")]
    cells = "".join(_row(word, side) for word in words[: side * side + 1])
    if len(cells) != side * side or any(cell not in SYMBOLS[:side] + EMPTY for cell in cells):
        raise Unreadable(f"Write the grid as {side} rows of {side} values, with . for an empty cell.")
    return cells


def _symbol(value: str, side: int) -> str:
    """A value as it stands in a cell: on large boards 12 is C."""
    if value.isdigit():
        number = int(value)
        return SYMBOLS[number - 1] if 9 < number <= side else str(number)
    if side <= 9:
        raise Unreadable(f"Values are the numbers 1 to {side}.")
    return value.upper()


def _row(word: str, side: int) -> str:
    """The cells of one word: a single value, or several values without blanks between them."""
    if side > 9 and len(word) == 2 and word.isascii() and word.isdigit() and 9 < int(word) <= side:
        return SYMBOLS[int(word) - 1]
    return word[: side * side + 1].upper().replace("0", EMPTY).replace("_", EMPTY)


def read_takuzu_grid(said: str, side: int) -> str:
    """The takuzu grid in `said`: one row per line, or lists; "." or -1 or _ for an empty cell."""
    words = [word for word in re.split(r"[\s,;|\[\]()]+", said) if word.strip("=`") and word.strip("-+")]
    cells = "".join(BLANKS.get(word.casefold(), word[: side * side + 1].replace("_", EMPTY)) for word in words[: side * side + 1])
    if len(cells) != side * side or any(cell not in VALUES + EMPTY for cell in cells):
        raise Unreadable(f"Write the grid as {side} rows of {side} values, with . for an empty cell.")
    return cells
