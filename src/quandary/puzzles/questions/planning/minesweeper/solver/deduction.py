"""Exact deduction on minesweeper boards: which squares must have a mine, and which cannot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

Board: TypeAlias = tuple[tuple[str, ...], ...]  # rows from the top: "*", "3" or "A3"
Square: TypeAlias = tuple[int, int]  # (x, y): columns from the left, rows from the bottom, from 1
Needs: TypeAlias = tuple[int, ...]  # how many more mines each clue counts

UNKNOWN = "*"
AROUND = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]
TOWARDS = {"A": (0, 1), "B": (0, -1), "C": (-1, 0), "D": (1, 0)}
LETTERS = {step: letter for letter, step in TOWARDS.items()}


class Clue(NamedTuple):
    square: Square
    watched: tuple[Square, ...]  # where it counts the mines
    number: int


def squares_of(board: Board) -> list[tuple[Square, str]]:
    """Return every square and what it shows."""
    return [
        ((x, len(board) - row), cell)
        for row, cells in enumerate(board)
        for x, cell in enumerate(cells, start=1)
    ]


def clues_of(board: Board) -> list[Clue]:
    return [
        Clue(
            square, watched(square, cell.rstrip("0123456789"), len(board)), int(cell.lstrip("ABCD"))
        )
        for square, cell in squares_of(board)
        if cell != UNKNOWN
    ]


def board_of(clues: Iterable[tuple[Square, str]], size: int) -> Board:
    """Return the board that shows some clues."""
    shown, columns = dict(clues), range(1, size + 1)
    return tuple(tuple(shown.get((x, y), UNKNOWN) for x in columns) for y in reversed(columns))


@lru_cache(maxsize=1 << 12)
def watched(square: Square, letter: str, size: int) -> tuple[Square, ...]:
    """Return the squares in which a clue counts mines: those around it, or all in one direction."""
    steps = AROUND
    if letter:
        dx, dy = TOWARDS[letter]
        steps = [(dx * length, dy * length) for length in range(1, size)]
    found = ((square[0] + dx, square[1] + dy) for dx, dy in steps)
    return tuple((x, y) for x, y in found if 1 <= x <= size and 1 <= y <= size)


@lru_cache(maxsize=1 << 12)
def forced(board: Board, mines: int | None) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """Return the squares that have a mine in every arrangement that fits, and those that have one
    in none.

    Exact; ValueError if no arrangement fits.  `mines` is their total, None if it is unknown.
    Squares watched by the same clues form a group, of which only the number of mines matters.
    A forward pass over the groups finds what the clues may still need after each group; a backward
    pass keeps only what leads to satisfied clues.
    """
    unknown = [square for square, cell in squares_of(board) if cell == UNKNOWN]
    sums = [(set(clue.watched), clue.number) for clue in clues_of(board)]
    sums += [] if mines is None else [(set(unknown), mines)]
    groups: dict[tuple[int, ...], list[Square]] = {}
    for square in sorted(unknown):
        watching = tuple(i for i, (squares, _) in enumerate(sums) if square in squares)
        groups.setdefault(watching, []).append(square)
    reached = _reached(groups, sums, unknown)
    met = reached.pop()
    if not met:
        raise ValueError("no arrangement of mines fits the clues")
    certain, safe = list[Square](), list[Square]()
    for (watching, squares), before in zip(
        reversed(groups.items()), reversed(reached), strict=True
    ):
        ways = [
            (needs, count)
            for needs in before
            for count in range(len(squares) + 1)
            if _less(needs, watching, count) in met
        ]
        met = {needs for needs, _ in ways}
        counts = {count for _, count in ways}
        certain += squares if counts == {len(squares)} else []
        safe += squares if counts == {0} else []
    return tuple(sorted(certain)), tuple(sorted(safe))


def needed_clues(
    clues: dict[Square, str], size: int, total: int | None
) -> list[tuple[Square, str]]:
    """Return the clues without superfluous ones; none if even all of them do not determine the
    mines.
    """

    def tell_all(shown: dict[Square, str]) -> bool:
        certain, safe = forced(board_of(shown.items(), size), total)
        return len(certain) + len(safe) + len(shown) == size * size

    if not tell_all(clues):
        return []
    for square in list(clues):
        fewer = {other: clue for other, clue in clues.items() if other != square}
        if tell_all(fewer):
            clues = fewer
    return list(clues.items())


def images(boards: Sequence[Board]) -> list[tuple[Board, ...]]:
    """Return the boards of all rounds, turned and mirrored in eight ways."""
    return [
        tuple(_image(board, *symmetry) for board in boards)
        for symmetry in product((False, True), repeat=3)
    ]


def _image(board: Board, swap: bool, flip_x: bool, flip_y: bool) -> Board:
    """Return the board with its axes exchanged or flipped, and the directions of clues along with
    them.
    """
    size = len(board)

    def moved(x: int, y: int, span: int) -> Square:
        x, y = span - x if flip_x else x, span - y if flip_y else y
        return (y, x) if swap else (x, y)

    letters = {letter: LETTERS[moved(*step, 0)] for letter, step in TOWARDS.items()}
    names = str.maketrans(letters)
    clues = ((square, cell) for square, cell in squares_of(board) if cell != UNKNOWN)
    return board_of(
        ((moved(*square, size + 1), cell.translate(names)) for square, cell in clues), size
    )


def _reached(
    groups: dict[tuple[int, ...], list[Square]],
    sums: list[tuple[set[Square], int]],
    unknown: list[Square],
) -> list[set[Needs]]:
    """Return what the clues may still need before the first group, and after each one."""
    room = [sum(square in squares for square in unknown) for squares, _ in sums]
    start = tuple(number for _, number in sums)
    possible = all(need <= most for need, most in zip(start, room, strict=True))
    reached: list[set[Needs]] = [{start} if possible else set()]
    for watching, squares in groups.items():
        for i in watching:
            room[i] -= len(squares)
        counts = range(len(squares) + 1)
        given = (_less(needs, watching, count) for needs in reached[-1] for count in counts)
        kept = {needs for needs in given if all(0 <= needs[i] <= room[i] for i in watching)}
        reached.append(kept)
    return reached


def _less(needs: Needs, watching: tuple[int, ...], count: int) -> Needs:
    """Return what is needed after `count` mines are placed where some clues watch."""
    left = list(needs)
    for i in watching:
        left[i] -= count
    return tuple(left)
