"""Fills of sudoku and SudoKill: how they are written, and which of them repeat no value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from math import isqrt
from operator import eq, itemgetter
from typing import TypeAlias

from quandary.core.contract import Move
from quandary.core.moves import Choice, Notation, Number
from quandary.core.words import Say
from quandary.puzzles._shared.grid_filling import fill_notation, write_fill

from .grid import BITS, SYMBOLS, places

ValuesSeen: TypeAlias = Callable[[str], tuple[str, ...]]
DIGITS = 9  # values above 9 are letters


@cache
def sudoku_notation(side: int) -> Notation:
    """Return how a fill is written; values above 9 are letters, and are read as numbers too."""
    if side <= DIGITS:
        return fill_notation(side, Number(1, side))
    symbols = SYMBOLS[:side]
    numbers = {str(DIGITS + place): symbol for place, symbol in enumerate(symbols[DIGITS:], 1)}
    return fill_notation(side, Choice(*symbols, spoken=numbers))


def value_range(say: Say, side: int) -> str:
    """Return the values of a grid: "1-9", or "1-9, A-G"."""
    last = SYMBOLS[side - 1]
    return f"1-{last}" if side <= DIGITS else say.list(["1-9", f"A-{last}"])


@lru_cache(maxsize=1 << 16)
def write_fills(side: int, cell: int, values: int) -> tuple[Move, ...]:
    """Return the fills of one cell with each of some values, which are given as bits."""
    return tuple(write_fill(side, cell, symbol) for symbol, bit in BITS.items() if values & bit)


def fills_of(cells: str, among: Iterable[int]) -> list[Move]:
    """Return the fills of some empty cells that repeat no value.

    Faster than `candidates` if few cells matter.
    """
    outlook, found = _outlook(len(cells)), list[Move]()
    for cell in among:
        values_seen, fills = outlook[cell]
        seen = "".join(values_seen(cells))
        for value, fill in fills:
            if value not in seen:
                found.append(fill)
    return found


@cache
def _outlook(count: int) -> list[tuple[ValuesSeen, list[tuple[str, Move]]]]:
    """For each of `count` cells, the values in its row, column and box, and all its fills."""
    side = isqrt(count)
    where = places(side)
    outlook = list[tuple[ValuesSeen, list[tuple[str, Move]]]]()
    for cell, here in enumerate(where):
        seen = [other for other, there in enumerate(where) if any(map(eq, here, there))]
        seen.remove(cell)
        fills = [(value, write_fill(side, cell, value)) for value in SYMBOLS[:side]]
        outlook.append((itemgetter(*seen), fills))
    return outlook
