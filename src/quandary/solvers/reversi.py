"""Reversi boards: what a placed piece flips, random games, and turned boards."""

from __future__ import annotations

from random import Random
from typing import Literal, TypeAlias

Flips: TypeAlias = Literal["cascade", "classic"]
Square: TypeAlias = tuple[int, int]  # row and column, from 1
Board: TypeAlias = tuple[str, ...]  # rows of 0, 1 and *

BLACK, WHITE, EMPTY = "01*"
OTHER = {BLACK: WHITE, WHITE: BLACK}
DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


def after(board: Board, colour: str, place: Square, flips: Flips) -> Board:
    """The board after `colour` is placed on `place`.

    With cascades, the order in which flipped pieces are processed does not matter: a flipped piece
    stays flipped, and what it could enclose before it can enclose later, at once or in parts.
    """
    cells, size, rival = cells_of(board), len(board), OTHER[colour]
    anchors = [(place[0] - 1, place[1] - 1)]
    cells[anchors[0][0]][anchors[0][1]] = colour
    while anchors:
        row, column = anchors.pop()
        flipped: list[Square] = []
        for dy, dx in DIRECTIONS:
            y, x, run = row + dy, column + dx, []
            while 0 <= y < size and 0 <= x < size and cells[y][x] == rival:
                run.append((y, x))
                y, x = y + dy, x + dx
            if run and 0 <= y < size and 0 <= x < size and cells[y][x] == colour:
                flipped += run
        for y, x in flipped:
            cells[y][x] = colour
        anchors += flipped if flips == "cascade" else []
    return tuple(map("".join, cells))


def played(
    board: Board, colour: str, rounds: int, flips: Flips, eager: float, rng: Random
) -> tuple[Board, str, tuple[Square, ...]]:
    """Some rounds in which players try to flip pieces with the chance `eager`.

    The board at the end, the colour of the next round, and the squares.
    """
    places = list[Square]()
    for _ in range(rounds):
        free = [
            (y, x) for y, row in enumerate(board, 1) for x, at in enumerate(row, 1) if at == EMPTY
        ]
        rng.shuffle(free)
        quiet = rng.random() >= eager
        for place in free:
            now = after(board, colour, place, flips)
            if quiet or flips_pieces(board, now, colour):
                break
        board, colour = now, OTHER[colour]
        places.append(place)
    return board, colour, tuple(places)


def opening(size: int, rng: Random) -> Board:
    side = EMPTY * (size // 2 - 1)
    pairs = rng.choice((("01", "10"), ("10", "01")))
    edge = [EMPTY * size] * (size // 2 - 1)
    return (*edge, *(side + pair + side for pair in pairs), *edge)


def images(
    board: Board, first: str, places: tuple[Square, ...]
) -> list[tuple[Board, str, tuple[Square, ...]]]:
    """All equal positions: turned and mirrored in eight ways, in both colourings."""
    size, swap, found = len(board), str.maketrans(BLACK + WHITE, WHITE + BLACK), []
    for _ in range(4):
        board = tuple(map("".join, zip(*board[::-1], strict=True)))
        places = tuple((x, size + 1 - y) for y, x in places)
        mirrored = tuple((size + 1 - y, x) for y, x in places)
        found += [(board, first, places), (board[::-1], first, mirrored)]
    swapped = [
        (tuple(row.translate(swap) for row in image), OTHER[colour], squares)
        for image, colour, squares in found
    ]
    return found + swapped


def flips_pieces(before: Board, now: Board, colour: str) -> bool:
    """Whether a round of `colour` left fewer pieces of the other colour."""
    rival = OTHER[colour]
    return sum(row.count(rival) for row in now) < sum(row.count(rival) for row in before)


def cells_of(board: Board) -> list[list[str]]:
    return [list(row) for row in board]
