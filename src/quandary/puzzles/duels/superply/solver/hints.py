"""Hints of superply: which cells each one allows, and how they are drawn.

Sets of cells are bits as in `Race`: a row is one bit wider than the board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Annotated, Literal

from quandary.core.descriptions import Doc
from quandary.core.errors import Illegal

RECKONINGS = ("sum", "product", "difference")
TESTS = ("less", "greater", "digit", "even", "odd", "between")
LIMIT = "(0|[1-9][0-9]{0,8})"
FORM = re.compile(
    rf"(sum|product|difference) "
    rf"(?:(less|greater) {LIMIT}|(digit) ([0-9])|(even|odd)|(between) {LIMIT} {LIMIT})"
)


@dataclass(frozen=True)
class Hint:
    """What the row and the column of a cell must satisfy for it to be claimed."""

    reckoning: Annotated[
        Literal["sum", "product", "difference"],
        Doc(
            "which number of a cell the hint is about: the sum of its row and its column, both "
            "counted from 1, their product, or their difference, which is never negative"
        ),
    ]
    test: Annotated[
        Literal["less", "greater", "digit", "even", "odd", "between"],
        Doc(
            "what must be true of that number: it is less than a limit, is greater than a limit, "
            "contains a digit, is even, is odd, or is between two limits, both included"
        ),
    ]
    limits: Annotated[
        tuple[int, ...],
        Doc(
            "for less and greater, the limit; for digit, the digit; for between, the smaller and "
            "the larger limit; [] for even and odd"
        ),
    ] = ()

    def allows(self, number: int) -> bool:
        """Return whether a cell can be claimed whose row and column come to this number."""
        low, high = (*self.limits, 0, 0)[:2]
        return {
            "less": number < low,
            "greater": number > low,
            "digit": str(low) in str(number),
            "even": number % 2 == 0,
            "odd": number % 2 == 1,
            "between": low <= number <= high,
        }[self.test]


def reckoned(reckoning: str, row: int, column: int) -> int:
    """Return what the row and the column of a cell, counted from 1, come to."""
    return {"sum": row + column, "product": row * column, "difference": abs(row - column)}[
        reckoning
    ]


def draw(rng: Random, size: int) -> str:
    """Return the text of a random hint, whether a cell matches it or not: "sum between 3 7"."""
    luck, numbers = rng.random, size * size + 1  # limits are 0 to size * size
    reckoning = RECKONINGS[int(luck() * len(RECKONINGS))]
    test = TESTS[int(luck() * len(TESTS))]
    if test == "between":
        low = int(luck() * (numbers - 1))
        high = low + 1 + int(luck() * (numbers - 1 - low))
        return f"{reckoning} {test} {low} {high}"
    if test == "digit":
        return f"{reckoning} {test} {int(luck() * 10)}"
    if test in ("even", "odd"):
        return f"{reckoning} {test}"
    return f"{reckoning} {test} {int(luck() * numbers)}"


@lru_cache(maxsize=1 << 14)
def drawn_hint(text: str, size: int) -> tuple[Hint, int]:
    """Return the hint that a text of `draw` names, and the cells it allows; Illegal for other
    texts.
    """
    found = FORM.fullmatch(text)
    if not found:
        raise Illegal(f"{text!r} is not a hint")
    reckoning, test, *written = filter(None, found.groups())
    limits = tuple(map(int, written))
    if test != "digit" and not all(limit <= size * size for limit in limits):
        raise Illegal(f"the limits of the hint {text!r} exceed {size * size}")
    if test == "between" and limits[0] >= limits[1]:
        raise Illegal(f"the limits of the hint {text!r} do not ascend")
    hint = Hint(reckoning, test, limits)
    return hint, allowed_cells(size, hint)


@lru_cache(maxsize=1 << 14)
def allowed_cells(size: int, hint: Hint) -> int:
    """Return the cells of a board that a hint allows."""
    by_number = _cells_by_number(size, hint.reckoning)
    return sum(cells for number, cells in by_number.items() if hint.allows(number))


@lru_cache(maxsize=64)
def _cells_by_number(size: int, reckoning: str) -> dict[int, int]:
    """Return the cells whose row and column come to each number."""
    found: dict[int, int] = {}
    for index in range(size * size):
        row, column = divmod(index, size)
        number = reckoned(reckoning, row + 1, column + 1)
        found[number] = found.get(number, 0) | 1 << row * (size + 1) + column
    return found
