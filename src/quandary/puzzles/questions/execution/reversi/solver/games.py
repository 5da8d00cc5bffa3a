"""Reversi in rounds: the boards after each, and random games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from quandary.puzzles.questions._shared.boards import neighbours, places

from .board import BLACK, EMPTY, OTHER, WHITE, Board, Flips, Square, after, flips_pieces

LARGEST = 26  # squares per side


class Placement(NamedTuple):
    """A round: who places a piece where."""

    number: int  # from 1
    colour: str
    place: Square

    def numbers(self) -> dict[str, int]:
        """Return the round and the square, by name."""
        row, column = self.place
        return {"number": self.number, "row": row, "column": column}


class RandomGame(NamedTuple):
    board: Board  # before the first round
    yours: str  # the colour of the player who is asked
    first: str  # the colour of the first round
    places: tuple[Square, ...]  # one per round


class _Played(NamedTuple):
    board: Board  # at the end
    colour: str  # of the next round
    places: tuple[Square, ...]
    flipping: int  # rounds in which pieces flipped


def turns(first: str, places: Sequence[Square]) -> list[Placement]:
    """Return the rounds in order; colours alternate."""
    colours = (OTHER[first], first)
    return [Placement(number, colours[number % 2], place) for number, place in enumerate(places, 1)]


def boards_after(board: Board, first: str, places: Sequence[Square], flips: Flips) -> list[Board]:
    """Return the board after each round; ValueError if the board is not square, or too large."""
    if len(board) > LARGEST or any(len(row) != len(board) for row in board):
        raise ValueError(f"a board is square, with at most {LARGEST} squares per side")
    boards = [board]
    for turn in turns(first, places):
        boards.append(after(boards[-1], turn.colour, turn.place, flips))
    return boards[1:]


def random_game(
    rng: Random, size: int, rounds: int, under_way: bool, flips: Flips, chained: bool
) -> RandomGame | None:
    """Try to play a game in which half of the rounds or more flip pieces.

    If it is `chained`, in one round, drawn beforehand, a flipped piece flips others.
    """
    start, first = _opening(size, rng), rng.choice((BLACK, WHITE))
    eager = 0.3 if chained and not under_way else 0.8  # early cascades need quiet moves
    if under_way:
        room = size * size - 4 - rounds  # squares left for what was played before
        earlier = rng.randint(min(size - 2, room), min(2 * size, room))
        start, first, *_ = _played(start, first, earlier, flips, eager, rng) or (start, first)
    # The first rounds of a game have no cascade.
    chain = rng.randrange(0 if under_way else rounds // 2, rounds) if chained else None
    played = _played(start, first, rounds, flips, eager, rng, chain)
    if played is None or played.flipping < max(1, rounds // 2):
        return None
    return RandomGame(start, rng.choice((BLACK, WHITE)), first, played.places)


def _played(
    board: Board,
    colour: str,
    rounds: int,
    flips: Flips,
    eager: float,
    rng: Random,
    chain: int | None = None,
) -> _Played | None:
    """Return some rounds, each next to a piece, in which players try to flip some with a chance
    `eager`.

    None if no piece sets off a cascade in the round `chain`, counted from 0.
    """
    taken, flipping = list[Square](), 0
    for number in range(rounds):
        quiet = rng.random() >= eager and number != chain
        free = _next_to_pieces(board)
        rng.shuffle(free)
        for place in free:
            now = after(board, colour, place, flips)
            flipped = flips_pieces(board, now, colour)
            if quiet or (flipped and number != chain):
                break
            if flipped and after(board, colour, place, "classic") != now:
                break
        else:
            if number == chain:
                return None
        board, colour = now, OTHER[colour]
        taken.append(place)
        flipping += flipped
    return _Played(board, colour, tuple(taken), flipping)


def _next_to_pieces(board: Board) -> list[Square]:
    """Return the empty squares that touch a piece."""
    text, size = "".join(board), len(board)
    touching = _touching(size)
    pieces = [at for at, cell in enumerate(text) if cell != EMPTY]
    near = {at for piece in pieces for at in touching[piece]}.difference(pieces)
    return [(at // size + 1, at % size + 1) for at in sorted(near)]


@cache
def _touching(size: int) -> list[list[int]]:
    """For each square, row by row: those around it."""
    board = (EMPTY * size,) * size
    return [[y * size + x for y, x in neighbours(board, place)] for place in places(board)]


def _opening(size: int, rng: Random) -> Board:
    side = EMPTY * (size // 2 - 1)
    pairs = rng.choice((("01", "10"), ("10", "01")))
    edge = [EMPTY * size] * (size // 2 - 1)
    return (*edge, *(side + pair + side for pair in pairs), *edge)
