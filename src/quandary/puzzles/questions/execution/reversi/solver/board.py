"""Reversi boards: what a placed piece flips, and turned boards."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Literal, TypeAlias

from quandary.puzzles.questions._shared.boards import IMAGES

Flips: TypeAlias = Literal["cascade", "classic"]
Square: TypeAlias = tuple[int, int]  # row and column, from 1
Board: TypeAlias = tuple[str, ...]  # rows of 0, 1 and *

BLACK, WHITE, EMPTY = "01*"
OTHER = {BLACK: WHITE, WHITE: BLACK}
DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


def after(board: Board, colour: str, place: Square, flips: Flips) -> Board:
    """Return the board after `colour` is placed on `place`.

    With cascades, the order in which flipped pieces are processed does not matter: a flipped piece
    stays flipped, and what it could enclose before it can enclose later, at once or in parts.
    """
    size, rival, cells = len(board), OTHER[colour], list("".join(board))
    start = (place[0] - 1) * size + place[1] - 1
    cells[start] = colour
    rays, anchors = _rays(size), [start]
    while anchors:
        flipped = list[int]()
        for ray in rays[anchors.pop()]:
            for steps, at in enumerate(ray):
                if cells[at] != rival:
                    if steps and cells[at] == colour:
                        flipped += ray[:steps]
                    break
        for at in flipped:
            cells[at] = colour
        anchors += flipped if flips == "cascade" else []
    text = "".join(cells)
    return tuple(text[row : row + size] for row in range(0, size * size, size))


@cache
def _rays(size: int) -> list[list[list[int]]]:
    """For each square, row by row: the squares on from it in each of the eight directions.

    Those of length 1 are left out, because nothing is enclosed on them.
    """
    found = []
    for start in product(range(size), repeat=2):
        ways = list[list[int]]()
        for down, right in DIRECTIONS:
            (y, x), ray = start, list[int]()
            while 0 <= (y := y + down) < size and 0 <= (x := x + right) < size:
                ray.append(y * size + x)
            ways.append(ray)
        found.append([ray for ray in ways if len(ray) > 1])
    return found


def images(
    board: Board, first: str, places: tuple[Square, ...]
) -> list[tuple[Board, str, tuple[Square, ...]]]:
    """Return all equal positions: turned and mirrored in eight ways, in both colourings."""
    size, swap, found = len(board), str.maketrans(BLACK + WHITE, WHITE + BLACK), []
    for image in IMAGES:
        laid = tuple(map("".join, image.board(board)))
        moved = (image.place((row - 1, column - 1), size) for row, column in places)
        squares = tuple((row + 1, column + 1) for row, column in moved)
        swapped = tuple(row.translate(swap) for row in laid)
        found += [(laid, first, squares), (swapped, OTHER[first], squares)]
    return found


def flips_pieces(before: Board, now: Board, colour: str) -> bool:
    """Return whether a round of `colour` left fewer pieces of the other colour."""
    rival = OTHER[colour]
    return "".join(now).count(rival) < "".join(before).count(rival)
