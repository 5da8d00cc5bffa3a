"""Search with hidden information, in sampled worlds: complete positions with the same view.

`perfect_information_monte_carlo` searches each world separately and averages the worth of each
option over the worlds.  It is strong and simple, but within each world it assumes that all seats
know what is hidden, so it puts no value on information.
`information_set_mcts` grows one tree over all worlds, whose nodes are what the seat sees
(single-observer information set MCTS); this avoids the problem at a higher cost.
Neither bluffs deliberately: that needs an equilibrium, see `quandary.algorithms.equilibrium`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeAlias

from quandary.algorithms.exact import highest
from quandary.algorithms.mcts import Uct, favourite
from quandary.core.contract import Game, Move, Seat, Strategy

# (world, seat, luck, budget) -> worths of options
Evaluate: TypeAlias = Callable[[Any, Seat, Random, int], Mapping[Move, float]]


def perfect_information_monte_carlo(evaluate: Evaluate, worlds: int = 20) -> Strategy:
    """A strategy that takes the option of highest mean worth over sampled worlds.

    The worlds share the budget evenly.  An option that `evaluate` leaves out in a world is averaged
    over the others.
    """

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        seen = view.seen_by(seat)  # changes nothing, unless a caller passes a full position
        count = max(1, min(worlds, budget))
        found: dict[Move, list[float]] = {}
        for _ in range(count):
            world = seen.world(rng)
            for move, worth in evaluate(world, seat, rng, max(1, budget // count)).items():
                found.setdefault(move, []).append(worth)
        if not found:
            return rng.choice(list(world.options()[seat] or ()))
        return highest({move: sum(worth) / len(worth) for move, worth in found.items()}, rng)

    return choose


def information_set_mcts(uct: Uct | None = None) -> Strategy:
    """A strategy that searches one tree of what its seat may see, in a new world per descent."""
    how = uct or Uct()

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        seen = view.seen_by(seat)
        arms = how.search(
            lambda: seen.world(rng), lambda world: world.seen_by(seat), seat, rng, budget
        )
        return favourite(arms, rng)

    return choose
