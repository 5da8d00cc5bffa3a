"""Search trees of one-seat games: positions on the way to a solution, and dead ends beside it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from quandary.core.contract import CHANCE, Game, solved, veils_of

WALKS = 200  # attempts per instance


def refusal(game: Game) -> str:
    """Why a game has no state tasks; "" if it has them."""
    if game.seats != 1:
        return "it is played by more than one seat"
    if veils_of(type(game)):
        return "it hides something, so positions cannot be judged"
    options = game.options()
    if CHANCE in options:
        return "luck decides on the way"
    if options.get(0) is None:
        return "its moves cannot be listed"
    return ""


def children(position: Game) -> list[Game]:
    return [position.after(0, move) for move in position.options().get(0) or ()]


def walk(start: Game, rng: Random) -> tuple[list[Game], bool]:
    """A path from `start`, and whether its end is solvable; both labels are equally likely."""
    for _ in range(WALKS):
        dead = rng.random() < 0.5
        if path := _path(start, rng, dead):
            return path, not dead
    raise ValueError("no position of this instance fits; take another seed")


def tried_child(position: Game) -> Game | None:
    """The first unsolvable child in the order of moves, as a search would find it."""
    return next(
        (child for child in children(position) if not solved(child) and not child.solvable()), None
    )


def _path(start: Game, rng: Random, dead: bool) -> list[Game] | None:
    """Solvable positions from `start`, then a dead end if `dead`; None if none was found."""
    path = [start]
    for _ in range(rng.randint(1, _longest(start))):
        step = next(
            (child for child in _shuffled(path[-1], rng) if child.options() and child.solvable()),
            None,
        )
        if step is None:
            break
        path.append(step)
    if dead:
        while path:
            if (end := _dead_end(path[-1], rng)) is not None:
                return [*path, end]
            path.pop()
        return None
    return path if len(path) > 1 else None


def _dead_end(position: Game, rng: Random) -> Game | None:
    """An unsolvable child, preferably one with moves left, so that looking ahead is needed."""
    over = None
    for child in _shuffled(position, rng):
        if not solved(child) and not child.solvable():
            if child.options():
                return child
            over = over or child
    return over


@lru_cache(maxsize=1)  # many tasks are drawn on one start until one belongs to a split
def _longest(start: Game) -> int:
    """The length of some solution from `start`, over which positions are spread."""
    position, depth, rng = start, 0, Random(0)
    while not solved(position):
        position = next(child for child in _shuffled(position, rng) if child.solvable())
        depth += 1
    return max(1, depth - 1)


def _shuffled(position: Game, rng: Random) -> Iterator[Game]:
    moves = list(position.options().get(0) or ())
    rng.shuffle(moves)
    return (position.after(0, move) for move in moves)
