"""How boards of queens and their moves are written."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from itertools import product

from quandary.core.contract import Move
from quandary.core.errors import Unreadable
from quandary.core.moves import half_width

from .solver import Square

NAMED = r"(?:moves left|剩余步数) ?[:=]? ?"
LEFT = re.compile(rf"(?:{NAMED}|(?<=[ ,;|\])`]))([0-9]{{1,9}}) ?[.。]?$")
AS_WRITTEN = str.maketrans("q10_", "QQ..")


def drawn(queens: Collection[Square]) -> list[list[str]]:
    """Return the board row by row, Q for a queen and "." for an empty square."""
    side = len(queens)
    return [
        ["Q" if (row, column) in queens else "." for column in range(side)] for row in range(side)
    ]


def read_state(text: str, side: int) -> tuple[tuple[Square, ...], int]:
    """Return the queens and the number of moves left in `text`."""
    words = " ".join(half_width(text).casefold().split())
    found = LEFT.search(words)
    if not found:
        raise Unreadable("Write the rows of the board and below them the number of moves left.")
    return read_board(words[: found.start()], side), int(found[1])


def read_board(text: str, side: int) -> tuple[Square, ...]:
    """Return the queens of the board in `text`: one row per line, or lists.

    Q or 1 is a queen; "." or 0 or _ is an empty square.
    """
    words = [word for word in re.split(r"[\s,;|\[\]()`]+", text) if word][: side * (side + 2) + 1]
    numbers = [str(number) for number in range(side)]
    # The board as it is shown, with its numbers.
    if words[:side] == numbers and words[side :: side + 1] == numbers:
        words = [word for place, word in enumerate(words[side:]) if place % (side + 1)]
    squares = "".join(word[: side * side + 1] for word in words).translate(AS_WRITTEN)
    if (
        len(squares) != side * side
        or squares.count("Q") != side
        or squares.count(".") != side * side - side
    ):
        raise Unreadable(
            "Write the board as {side} rows of {side} squares with {side} queens: "
            "Q for a queen, . for none.",
            side=side,
        )
    return tuple(divmod(place, side) for place, square in enumerate(squares) if square == "Q")


def write_move(row: int, column: int, to_row: int, to_column: int) -> Move:
    return f"{row} {column} to {to_row} {to_column}"


@cache
def squares_of(move: Move) -> tuple[Square, Square]:
    row, column, _, to_row, to_column = move.split()
    return (int(row), int(column)), (int(to_row), int(to_column))


def moves_to_free_squares(queens: Sequence[Square]) -> list[Move]:
    """Return every move of a queen to a square without one; the queens stand in ascending order."""
    side, moves = len(queens), list[Move]()
    # The last one is taken away first, so that the others keep their places.  A board of side 10
    # has 900 moves, and asking for each whether its square is free takes five times as long.
    standing = [row * side + column for row, column in reversed(queens)]
    for queen in queens:
        free = list(moves_of(side, queen))
        for place in standing:
            del free[place]
        moves += free
    return moves


@cache
def moves_of(side: int, queen: Square) -> tuple[Move, ...]:
    """Return the moves of a queen to every square, row by row."""
    squares = product(range(side), repeat=2)
    return tuple(write_move(*queen, row, column) for row, column in squares)
