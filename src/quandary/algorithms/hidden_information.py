"""Search with hidden information, in sampled worlds: complete positions with the same view.

`information_set_mcts` grows one tree over all worlds, whose nodes are what the seat sees
(single-observer information set MCTS).  A search of each world separately would assume that all
seats know what is hidden, and put no value on information.
It does not bluff deliberately: that needs an equilibrium, see `quandary.algorithms.equilibrium`.
"""

from __future__ import annotations

from random import Random

from quandary.core.contract import Game, Move, Seat, Strategy
from quandary.core.secrecy import possible_position

from .mcts import Uct, favourite


def information_set_mcts(uct: Uct | None = None) -> Strategy:
    """Return a strategy that searches one tree of what its seat may see, in a new world per
    descent.
    """
    how = uct or Uct()

    def choose(view: Game, seat: Seat, rng: Random, budget: int) -> Move:
        seen = view.seen_by(seat)
        arms = how.search(
            lambda: possible_position(seen, rng),
            lambda world: world.seen_by(seat),
            seat,
            rng,
            budget,
        )
        return favourite(arms, rng)

    return choose
