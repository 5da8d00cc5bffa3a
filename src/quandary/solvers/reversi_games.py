"""Reversi in rounds: the boards after each, random games, and guesses at the boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from .reversi import (
    BLACK,
    OTHER,
    WHITE,
    Board,
    Flips,
    Square,
    after,
    cells_of,
    flips_pieces,
    opening,
    played,
)

LARGEST = 26  # squares per side
SIZES = {  # family -> squares per side and rounds, per level
    "a": ((4, 1), (4, 2), (4, 3), (4, 4)),
    "b": ((4, 1), (6, 2), (8, 2), (10, 2)),
}
TRIES = 5_000  # games that are tried for an instance; the rarest kind comes up once in thirty


class Turn(NamedTuple):
    """A round: who places a piece where."""

    number: int  # from 1
    colour: str
    place: Square

    def numbers(self) -> dict[str, int]:
        """The round and the square, by name."""
        row, column = self.place
        return {"number": self.number, "row": row, "column": column}


class RandomGame(NamedTuple):
    board: Board  # before the first round
    yours: str  # the colour of the player who is asked
    first: str  # the colour of the first round
    places: tuple[Square, ...]  # one per round


def turns(first: str, places: Sequence[Square]) -> list[Turn]:
    """The rounds in order; colours alternate."""
    colours = (OTHER[first], first)
    return [Turn(number, colours[number % 2], place) for number, place in enumerate(places, 1)]


def boards_after(board: Board, first: str, places: Sequence[Square], flips: Flips) -> list[Board]:
    """The board after each round."""
    boards = [board]
    for turn in turns(first, places):
        boards.append(after(boards[-1], turn.colour, turn.place, flips))
    return boards[1:]


def random_game(
    rng: Random,
    family: str,
    level: int,
    size: int | None,
    rounds: int | None,
    flips: Flips,
    chained: bool,
) -> RandomGame:
    """Half of the rounds or more flip pieces; `chained` adds a flipped piece that flips others.

    A size or number of rounds that is None is that of SIZES.
    """
    usual_size, usual_rounds = SIZES[family][level]
    size, rounds, under_way = size or usual_size, rounds or usual_rounds, family == "b"
    room = size * size - 4 - rounds  # squares left for what was played before
    if size % 2:
        raise ValueError(f"{size} x {size} squares have no centre; take an even size")
    if room < 0:
        raise ValueError(f"{size} x {size} squares have no room; take fewer than {rounds} rounds")
    chained = chained and flips == "cascade"
    eager = 0.3 if chained and not under_way else 0.8  # early cascades need quiet moves
    for attempt in range(TRIES):
        if attempt % 10 == 0:  # a position under way costs more than the rounds from it
            earlier = rng.randint(min(2, room), min(2 * size, room)) if under_way else 0
            centre, starter = opening(size, rng), rng.choice((BLACK, WHITE))
            start, first, _ = played(centre, starter, earlier, flips, eager, rng)
        _, _, places = played(start, first, rounds, flips, eager, rng)
        game = RandomGame(start, rng.choice((BLACK, WHITE)), first, places)
        if _is_lively(game, flips, chained):
            return game
    raise ValueError(
        f"no cascade was found in {rounds} rounds on {size} x {size} squares; take more rounds"
    )


def _is_lively(game: RandomGame, flips: Flips, chained: bool) -> bool:
    """Whether half of the rounds flip pieces and, if `chained`, one of them is a cascade."""
    flipping = chains = 0
    boards = pairwise([game.board, *boards_after(game.board, game.first, game.places, flips)])
    for turn, (before, now) in zip(turns(game.first, game.places), boards, strict=True):
        flipping += flips_pieces(before, now, turn.colour)
        chains += after(before, turn.colour, turn.place, "classic") != now
    return flipping >= max(1, len(game.places) // 2) and (chains > 0 or not chained)


def guessed_boards(
    board: Board, first: str, places: Sequence[Square], rng: Random
) -> list[list[list[str]]]:
    """Boards on which pieces are placed, and in each round one piece flips by guess."""
    guesses = [cells_of(board)]
    for _, colour, (row, column) in turns(first, places):
        cells = [list(cells) for cells in guesses[-1]]
        rivals = [
            (y, x)
            for y, line in enumerate(cells)
            for x, at in enumerate(line)
            if at == OTHER[colour]
        ]
        for y, x in [(row - 1, column - 1), *rng.sample(rivals, min(1, len(rivals)))]:
            cells[y][x] = colour
        guesses.append(cells)
    return guesses[1:]
