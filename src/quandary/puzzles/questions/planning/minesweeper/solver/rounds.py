"""Minesweeper in rounds: random mines, as few clues as are enough, and the order of these."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from quandary.core.bounds import Range

from .deduction import (
    TOWARDS,
    UNKNOWN,
    Board,
    Square,
    board_of,
    forced,
    needed_clues,
    squares_of,
    watched,
)

Boards: TypeAlias = tuple[Board, ...]  # one per round, each with all clues so far

TRIES = 500  # minefields that are tried for an instance; most need one or two
ORDERS = 6  # orders of the clues that are tried for one that reveals the mines gradually


def certain_mines(boards: Sequence[Board], total: int | None) -> list[tuple[Square, ...]]:
    """Return the mines that are certain after each round; ValueError where no arrangement fits."""
    return [forced(board, total)[0] for board in boards]


def entries(rounds: Sequence[Sequence[Square]]) -> list[list[list[str]]]:
    """Return the mines after each round as entries of a process: pairs of texts, [[]] for
    no mine.
    """
    return [[[str(x), str(y)] for x, y in squares] or [[]] for squares in rounds]


def random_rounds(
    rng: Random, size: int, mines: Range, rounds: int, *, directed: bool
) -> tuple[Boards, int | None]:
    """Return the boards of each round and, where clues are `directed`, the total number of
    mines.
    """
    if mines[1] >= size * size:
        raise ValueError(f"{size} x {size} squares have no room for {mines[1]} mines and a clue")
    sides = range(1, size + 1)
    squares = [(x, y) for x in sides for y in sides]
    for _ in range(TRIES):
        laid = set(rng.sample(squares, rng.randint(*mines)))
        total = len(laid) if directed else None
        dry = [square for square in rng.sample(squares, len(squares)) if square not in laid]
        clues = {square: _clue(square, laid, size, directed, rng) for square in dry}
        needed = needed_clues(clues, size, total)
        if len(needed) >= rounds:
            orders = [_in_rounds(needed, size, rounds, rng) for _ in range(ORDERS)]
            return max(orders, key=lambda boards: len(set(certain_mines(boards, total)))), total
    raise ValueError(
        f"no {mines[0]} to {mines[1]} mines on {size} x {size} squares take {rounds} rounds "
        f"of clues to find"
    )


def guessed_mines(boards: Boards, total: int | None, rng: Random) -> list[list[Square]]:
    """Mines by guess, of which each round makes some more certain."""
    unknown = [square for square, cell in squares_of(boards[-1]) if cell == UNKNOWN]
    guess = rng.sample(unknown, total or rng.randint(1, len(unknown)))
    shown = [*sorted(rng.randint(0, len(guess)) for _ in boards[1:]), len(guess)]
    return [sorted(guess[:count]) for count in shown]


def _clue(square: Square, laid: set[Square], size: int, directed: bool, rng: Random) -> str:
    """Return what a safe square shows; a direction is drawn among those that have squares."""
    letter = ""
    if directed:
        letter = rng.choice([letter for letter in TOWARDS if watched(square, letter, size)])
    return letter + str(len(laid.intersection(watched(square, letter, size))))


def _in_rounds(clues: Sequence[tuple[Square, str]], size: int, rounds: int, rng: Random) -> Boards:
    """Return the boards of rounds that reveal the clues in a random order."""
    order = rng.sample(clues, len(clues))
    ends = [*sorted(rng.sample(range(1, len(clues)), rounds - 1)), len(clues)]
    return tuple(board_of(order[:end], size) for end in ends)
