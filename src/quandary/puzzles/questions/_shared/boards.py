"""Boards as rows of cells: turned, mirrored, and looked at in lines and windows.

A board is a tuple of rows; a row is a tuple of cells, or a text with one character per cell.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias, TypeVar

Cell = TypeVar("Cell")
Step = TypeVar("Step")
Board: TypeAlias = tuple[tuple[Cell, ...], ...]
Place: TypeAlias = tuple[int, int]  # row and column, from 0

CLOCKWISE = ("up", "right", "down", "left")
DIRECTIONS: dict[str, Place] = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def board_of(rows: Iterable[Iterable[Cell]]) -> Board[Cell]:
    return tuple(tuple(row) for row in rows)


def written(board: Iterable[Iterable[object]]) -> list[list[str]]:
    """As an answer shows a board: a list of rows, each a list of strings."""
    return [[str(cell) for cell in row] for row in board]


def shown(board: Iterable[Iterable[object]], blank: str = " ") -> str:
    """Return a board as text, one row per line, its columns in line."""
    rows = written(board)
    width = max((len(cell) for row in rows for cell in row), default=0)
    return "\n".join(blank.join(f"{cell:>{width}}" for cell in row) for row in rows)


def transposed(board: Iterable[Iterable[Cell]]) -> Board[Cell]:
    return tuple(zip(*board, strict=True))


def mirrored(board: Iterable[Sequence[Cell]]) -> Board[Cell]:
    """Left and right exchanged."""
    return tuple(tuple(row[::-1]) for row in board)


def flipped(board: Sequence[Iterable[Cell]]) -> Board[Cell]:
    """Top and bottom exchanged."""
    return board_of(board[::-1])


def turned(board: Sequence[Iterable[Cell]], quarters: int = 1) -> Board[Cell]:
    """Turned clockwise by so many quarters."""
    result = board_of(board)
    for _ in range(quarters % 4):
        result = transposed(result[::-1])
    return result


class Image(NamedTuple):
    """One of the eight ways to lay a square board: perhaps mirrored, then turned clockwise."""

    is_mirrored: bool
    quarters: int

    def board(self, board: Sequence[Sequence[Cell]]) -> Board[Cell]:
        return turned(mirrored(board) if self.is_mirrored else board, self.quarters)

    def place(self, place: Place, size: int) -> Place:
        """Return where a place of a board of that size goes."""
        row, column = place
        column = size - 1 - column if self.is_mirrored else column
        for _ in range(self.quarters):
            row, column = column, size - 1 - row
        return row, column

    def direction(self, name: str) -> str:
        """Return what becomes of a direction: up, right, down or left."""
        at = CLOCKWISE.index(name)
        return CLOCKWISE[((-at if self.is_mirrored else at) + self.quarters) % 4]

    def commands(self, commands: str, directions: dict[str, str]) -> str:
        """Commands for the same steps there; `directions` says what each of them means."""
        letters = {direction: letter for letter, direction in directions.items()}
        return "".join(letters[self.direction(directions[letter])] for letter in commands)


IMAGES = tuple(Image(mirror, quarters) for mirror in (False, True) for quarters in range(4))


def places(board: Sequence[Sequence[Any]]) -> Iterator[Place]:
    """Return all places, row by row."""
    return ((row, column) for row, cells in enumerate(board) for column in range(len(cells)))


def places_of(board: Sequence[Sequence[Any]], cell: object) -> list[Place]:
    """Return the places with such a cell, row by row."""
    rows = [(row, cells) for row, cells in enumerate(board) if cell in cells]
    return [(row, column) for row, cells in rows for column, one in enumerate(cells) if one == cell]


def is_on(board: Sequence[Sequence[Any]], place: Place) -> bool:
    row, column = place
    return 0 <= row < len(board) and 0 <= column < len(board[row])


def stepped(place: Place, direction: str) -> Place:
    """Return the place next to one: above, below, to the left or to the right."""
    down, right = DIRECTIONS[direction]
    return place[0] + down, place[1] + right


def next_places(place: Place, size: int) -> dict[str, Place]:
    """Return where steps lead that do not leave a square board of that size, by their
    directions.
    """
    steps = {name: stepped(place, name) for name in DIRECTIONS}
    return {name: at for name, at in steps.items() if min(at) >= 0 and max(at) < size}


def neighbours(board: Sequence[Sequence[Any]], place: Place) -> Iterator[Place]:
    """Return the places that touch one, also at a corner: up to eight."""
    row, column = place
    around = ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
    return (other for other in around if other != place and is_on(board, other))


def with_cells(board: Iterable[Iterable[Cell]], changed: Mapping[Place, Cell]) -> Board[Cell]:
    """Return the board with some of its cells changed."""
    rows = {row for row, _ in changed}
    return tuple(
        tuple(changed.get((row, column), cell) for column, cell in enumerate(cells))
        if row in rows
        else tuple(cells)
        for row, cells in enumerate(board)
    )


def numbered(board: Iterable[Iterable[Hashable]]) -> Board[int]:
    """Equal cells as equal numbers, in the order in which they come: the same for other letters."""
    numbers = dict[Hashable, int]()
    return tuple(tuple(numbers.setdefault(cell, len(numbers)) for cell in row) for row in board)


def diagonals(board: Sequence[Sequence[Any]]) -> list[list[Place]]:
    """From top left to bottom right, the lowest first: the places of each, from its top."""
    found: dict[int, list[Place]] = {}
    for row, column in places(board):
        found.setdefault(column - row, []).append((row, column))
    return [found[offset] for offset in sorted(found)]


def windows(
    board: Sequence[Sequence[Cell]], height: int, width: int, stride: int = 1
) -> Iterator[tuple[Place, Board[Cell]]]:
    """Yield every part of that size, row by row, with the place of its top left cell."""
    for row in range(0, len(board) - height + 1, stride):
        for column in range(0, len(board[0]) - width + 1, stride):
            cut = (cells[column : column + width] for cells in board[row : row + height])
            yield (row, column), board_of(cut)


def ring(height: int, width: int, depth: int = 0) -> list[Place]:
    """Return the places of a ring, clockwise from its top left corner; depth 0 is the outermost."""
    top, left, bottom, right = depth, depth, height - 1 - depth, width - 1 - depth
    if top > bottom or left > right:
        return []
    if top == bottom:
        return [(top, column) for column in range(left, right + 1)]
    if left == right:
        return [(row, left) for row in range(top, bottom + 1)]
    return [
        *((top, column) for column in range(left, right)),
        *((row, right) for row in range(top, bottom)),
        *((bottom, column) for column in range(right, left, -1)),
        *((row, left) for row in range(bottom, top, -1)),
    ]


def trace(start: Cell, steps: Iterable[Step], after: Callable[[Cell, Step], Cell]) -> list[Cell]:
    """Return what stands there after each of the steps, without the start."""
    return list(accumulate(steps, after, initial=start))[1:]
