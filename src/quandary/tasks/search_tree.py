"""Search trees of one-seat games: positions on the way to a solution, and dead ends beside it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from quandary.core.contract import CHANCE, Game, solved, veils_of

WALKS = 200  # per solution


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


def walks(start: Game, rng: Random) -> Iterator[tuple[list[Game], bool]]:
    """Paths from `start`, and whether their ends are solvable; both labels are equally likely.

    All follow one solution, because finding it takes most of the time.
    """
    line = _to_a_solution(start, rng)
    for _ in range(WALKS):
        dead = rng.random() < 0.5
        path = line[: 1 + rng.randint(1, max(1, len(line) - 1))]
        if dead:
            path = _into_a_dead_end(path, rng)
        if len(path) > 1:
            yield path, not dead


def tried_child(position: Game) -> Game | None:
    """The first unsolvable child in the order of moves, as a search would find it."""
    return next(
        (child for child in children(position) if not solved(child) and not child.solvable()), None
    )


def _to_a_solution(start: Game, rng: Random) -> list[Game]:
    """Solvable positions from `start` up to the last one before a solution."""
    line = [start]
    while step := next((child for child in _shuffled(line[-1], rng) if child.solvable()), None):
        if solved(step):
            break
        line.append(step)
    return line


def _into_a_dead_end(path: list[Game], rng: Random) -> list[Game]:
    """As much of a path as leads to a dead end, and that one; empty if there is none."""
    while path:
        if (end := _dead_end(path[-1], rng)) is not None:
            return [*path, end]
        path = path[:-1]
    return []


def _dead_end(position: Game, rng: Random) -> Game | None:
    """An unsolvable child, preferably one with moves left, so that looking ahead is needed."""
    over = None
    for child in _shuffled(position, rng):
        if not solved(child) and not child.solvable():
            if child.options():
                return child
            over = over or child
    return over


def _shuffled(position: Game, rng: Random) -> Iterator[Game]:
    moves = list(position.options().get(0) or ())
    rng.shuffle(moves)
    return (position.after(0, move) for move in moves)
