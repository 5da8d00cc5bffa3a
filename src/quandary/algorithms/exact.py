"""Exact play: the worth of each option under best play, for games small enough to search fully.

Such games end, hide nothing and let one seat move at a time; the outcomes of luck must be listed.
Every seat maximises its own score only.  Of equally good options (within TIE) it takes the one
listed first, which matters to the others only if scores are not zero-sum.  The search keeps its own
stack, so long games do not reach Python's recursion limit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Generator, Mapping
from math import fsum
from random import Random
from typing import Any, TypeAlias

from quandary.core.contract import CHANCE, Game, Move, Options, Seat
from quandary.core.mixins.objectives import judge
from quandary.core.secrecy import hidden_fields

Value: TypeAlias = tuple[float, ...]  # the expected final score of each seat

TIE = 1e-9  # closer worths count as equal, because sums of probabilities are rounded
KEPT = 1 << 18  # positions in the cache; dropping the oldest costs time but not correctness

_known: OrderedDict[Any, Value] = OrderedDict()


def value(position: Game) -> Value:
    """Return the expected final score of each seat under best play."""
    found = _known.get(position)
    if found is not None:
        return found
    walk, path = [(position, _weigh(position))], {position}
    while True:
        above, weighing = walk[-1]
        try:
            below = weighing.send(found)  # type: ignore[arg-type]  # a fresh generator takes None
        except StopIteration as done:
            found = _remember(above, done.value)
            walk.pop()
            path.discard(above)
            if not walk:
                return found
            continue
        found = _known.get(below)
        if found is None:
            if below in path:
                raise ValueError(
                    f"positions can repeat, so there is no exact worth: {below!r:.200}"
                )
            walk.append((below, _weigh(below)))
            path.add(below)


def worths(position: Game, seat: Seat) -> dict[Move, float]:
    """Return the expected final score of `seat` after each of its options; it must be the seat to
    move.
    """
    return {move: value(position.after(seat, move))[seat] for move in moves_of(position, seat)}


def best(position: Game, seat: Seat, rng: Random, budget: int) -> Move:
    """Return an option of highest worth; this strategy ignores its budget."""
    refuse_hidden(position)
    return highest(worths(position, seat), rng)


def highest(worth: Mapping[Move, float], rng: Random) -> Move:
    """Return a move of highest worth; ties are broken by luck."""
    top = max(worth.values())
    return rng.choice([move for move, own in worth.items() if own >= top - TIE])


def stubborn(position: Game, seat: Seat, worth: Mapping[Move, float], rng: Random) -> Move:
    """Return a move of highest worth; if all lose, one that leaves the fewest winning replies."""
    if any(worth.values()):
        return highest(worth, rng)
    replies = {move: (judge(position.after(seat, move), 1 - seat) or {}).values() for move in worth}
    return highest({move: -sum(right) / max(1, len(right)) for move, right in replies.items()}, rng)


def mover(options: Options) -> tuple[Seat, Collection[Move]]:
    """Return the one seat to move and its listed moves; ValueError if there is anything else."""
    if len(options) != 1:
        raise ValueError(f"this search needs one seat to move at a time, not {sorted(options)}")
    [(seat, moves)] = options.items()
    if seat == CHANCE:
        raise ValueError("this search does not support luck")
    if moves is None:
        raise ValueError(
            f"this search needs the moves of seat {seat} listed, but they are free text"
        )
    return seat, moves


def moves_of(position: Game, seat: Seat) -> list[Move]:
    """Return the options of `seat`, which must be the only one to move."""
    options = position.options()
    if seat not in options:
        raise ValueError(f"seat {seat} is not to move")
    return list(mover(options)[1])


def shares(outcomes: Collection[Move] | None) -> list[tuple[Move, float]]:
    """Return the listed outcomes of chance with their probabilities, without impossible ones."""
    if outcomes is None:
        raise ValueError(
            "this search needs the outcomes of chance listed, but there are too many: {CHANCE: "
            "None}"
        )
    weighted = (
        list(outcomes.items())
        if isinstance(outcomes, Mapping)
        else [(outcome, 1) for outcome in outcomes]
    )
    total = fsum(weight for _, weight in weighted)
    return [(outcome, weight / total) for outcome, weight in weighted if weight]


def refuse_hidden(view: Game) -> None:
    """Raise ValueError if a game hides something, because it then needs sampled worlds."""
    hidden = [name for name, mark in hidden_fields(type(view)) if mark != "nested"]
    if hidden:
        raise ValueError(
            f"{type(view).__name__} hides {', '.join(hidden)}: search imagined worlds, see "
            f"quandary.algorithms.hidden_information"
        )


def _weigh(position: Game) -> Generator[Game, Value, Value]:
    """Yield the positions after this one, receive their values, and return its own value."""
    options = position.options()
    if not options:
        return tuple(position.scores())
    if CHANCE in options:
        weighed = []
        for move, share in shares(options[CHANCE]):
            after = yield position.after(CHANCE, move)
            weighed.append([share * score for score in after])
        return tuple(fsum(scores) for scores in zip(*weighed, strict=True))
    seat, moves = mover(options)
    chosen: Value | None = None
    for move in moves:
        after = yield position.after(seat, move)
        if chosen is None or after[seat] > chosen[seat] + TIE:
            chosen = after
        if chosen[seat] >= 1.0:  # nothing is worth more
            break
    if chosen is None:
        raise ValueError(f"seat {seat} is to move but has no option: {position!r:.200}")
    return chosen


def _remember(position: Game, found: Value) -> Value:
    _known[position] = found
    if len(_known) > KEPT:
        _known.popitem(last=False)
    return found
