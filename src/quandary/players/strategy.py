"""How players play that need no model and no person: at random, by a puzzle's own strategies, by a question's solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from quandary.core.contract import Move, Strategy
from quandary.matches.player import Turn


def random_move(turn: Turn, rng: Random) -> Move:
    """Any legal move, all equally likely."""
    options = turn.options
    if options is None:
        return turn.position.sample(rng)
    moves = options if isinstance(options, Sequence) else list(options)
    return moves[int(rng.random() * len(moves))]


def by_strategy(strategy: Strategy, budget: int) -> Callable[[Turn, Random], Move]:
    """Plays a strategy that looks at no more than `budget` positions a move."""
    return lambda turn, rng: strategy(turn.position, turn.seat, rng, budget)
