"""Search trees of one-seat games: solvable positions, and dead ends that look like them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from math import inf
from random import Random
from typing import NamedTuple, TypeVar

from quandary.core.bounds import Range
from quandary.core.contract import CHANCE, Game, Move, StateTasks, solved
from quandary.core.errors import UserError
from quandary.core.secrecy import hidden_fields

from .delegation import Fits

G = TypeVar("G", bound=Game)


class Pair(NamedTuple):
    """Two children of a solvable position, with equally many legal moves (at least one) and the
    same appearance.

    One of them can still be solved, the other cannot; nothing but the puzzle tells which.
    """

    path: tuple[StateTasks, ...]  # from the start to their parent
    solvable: StateTasks
    dead: StateTasks


def refusal(game: Game) -> str:
    """Return why a game has no state tasks; "" if it has them."""
    if game.seats != 1:
        return "it is played by more than one seat"
    if hidden_fields(type(game)):
        return "it hides something, so positions cannot be judged"
    options = game.options()
    if CHANCE in options:
        return "luck decides on the way"
    if options.get(0) is None:
        return "its moves cannot be listed"
    if not isinstance(game, StateTasks):
        return "it is no `StateTasks`, which says what positions can be solved"
    return ""


def children(position: G) -> list[G]:
    return [position.after(0, move) for move in position.options().get(0) or ()]


def is_dead(position: StateTasks) -> bool:
    """Return whether a position is no solution, and cannot become one."""
    return not position.solvable() and not solved(position)


def pairs(
    start: StateTasks, rng: Random, fits: Fits, depth: Range | None = None, is_alike: bool = True
) -> Iterator[Pair]:
    """Yield fitting pairs along one solution while there are some; `depth` is theirs, in moves.

    All follow one solution, because finding it takes most of the time.  Both positions of a pair
    have the same appearance, unless they need not be alike.
    """
    if depth is not None and depth[0] > deepest(start):
        return
    line = _to_a_solution(start, rng)
    low, high = depth or (1, len(line))
    places = list(range(low - 1, min(high, len(line))))
    while places:
        rng.shuffle(places)
        fruitful = []
        for place in places:
            if matched := _matched(line[place], rng, fits, is_alike):
                fruitful.append(place)
                yield Pair(tuple(line[: place + 1]), *matched)
        places = fruitful


def deepest(start: Game) -> float:
    """Return how deep a position of a pair can be; infinity for a puzzle that does not fill cells.

    Each move fills a cell or more, and a position of a pair has a move left.
    """
    gaps = start.gaps() if isinstance(start, StateTasks) else None
    if gaps is None:
        return inf
    if not isinstance(gaps, int):
        name = type(start).__name__
        raise UserError(f"`gaps` of {name} must return a whole number or None, not {gaps!r}.")
    return gaps - 1


def random_dead_place(position: StateTasks, rng: Random) -> int | None:
    """Return the place of a move to a dead end among the legal moves; None if there is none."""
    moves = list(position.options().get(0) or ())
    places = rng.sample(range(len(moves)), len(moves))
    return next((place for place in places if is_dead(position.after(0, moves[place]))), None)


def child_at(position: G, place: int) -> G:
    """Return the position after one of the legal moves, by its place among them."""
    return position.after(0, list(position.options()[0] or ())[place])


def tree_size(position: Game, cap: int) -> int:
    """Return how many distinct positions lie below a position, counted up to `cap`."""
    seen, waiting = {position}, [position]
    while waiting and len(seen) <= cap:
        for child in children(waiting.pop()):
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    return min(len(seen) - 1, cap)


def _matched(
    position: StateTasks, rng: Random, fits: Fits, is_alike: bool
) -> tuple[StateTasks, StateTasks] | None:
    """Return a solvable and a dead child with equally many legal moves and the same appearance.

    Both must fit: if only the one that is asked about had to, a kind of position that is rare in a
    split could tell the label.  Whether one fits takes long to find out, so it is asked last.
    """
    found = defaultdict[tuple[bool, Hashable], list[StateTasks]](list)
    for move in _shuffled(position, rng):
        child = position.after(0, move)
        if not (moves := len(child.options().get(0) or ())):
            continue
        look = moves, _appearance(child) if is_alike else None
        found[position.solvable_after(move), look].append(child)
        solvable, dead = found[True, look], found[False, look]
        if solvable and dead and _first_fits(solvable, fits) and _first_fits(dead, fits):
            return solvable[0], dead[0]
    return None


def _appearance(position: StateTasks) -> Hashable:
    look = position.appearance()
    try:
        hash(look)
    except TypeError:
        raise UserError(
            f"`appearance` of {type(position).__name__} must return something that can be hashed, "
            f"such as a tuple, not a {type(look).__name__}."
        ) from None
    return look


def _first_fits(positions: list[StateTasks], fits: Fits) -> bool:
    """Remove positions up to the first that fits; return False if there is none."""
    while positions and not fits(positions[0]):
        del positions[0]
    return bool(positions)


def _to_a_solution(start: StateTasks, rng: Random) -> list[StateTasks]:
    """Return solvable positions from `start` up to the last one before a solution."""
    line = [start]
    while move := next(filter(line[-1].solvable_after, _shuffled(line[-1], rng)), None):
        step = line[-1].after(0, move)
        if solved(step):
            break
        line.append(step)
    return line


def _shuffled(position: Game, rng: Random) -> list[Move]:
    moves = list(position.options().get(0) or ())
    rng.shuffle(moves)
    return moves
