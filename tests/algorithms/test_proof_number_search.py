"""Proof-number search."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from quandary.algorithms.proof_number_search import UNPROVABLE, Node, ProofNumberSearch


class Step(Node):
    """A position of a made-up game: from a number one goes to some smaller ones."""

    __slots__ = ("number",)

    def __init__(self, number: int, moves: int) -> None:
        self.number = number
        super().__init__(moves)


class Game(ProofNumberSearch[Step]):
    def __init__(self, moves: list[list[int]], budget: int) -> None:
        self.moves, self.budget, self.known = moves, budget, dict[int, Step]()

    def node(self, number: int) -> Step:
        if number not in self.known:
            self.known[number] = Step(number, len(self.moves[number]))
            self.budget -= 1
        return self.known[number]

    def children(self, node: Step) -> list[Step]:
        return [self.node(number) for number in self.moves[node.number]]


def _made_up(rng: Random) -> list[list[int]]:
    return [
        [rng.randrange(number) for _ in range(rng.choice((0, 1, 2, 3, 5)))] if number else []
        for number in range(60)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_plain_search(seed: int) -> None:
    """On random games where a player without a move loses, every position is proven to be what it
    is."""
    moves = _made_up(Random(seed))

    @cache
    def wins(number: int) -> bool:
        return any(not wins(after) for after in moves[number])

    for start in range(30, 60):
        game = Game(moves, UNPROVABLE)
        root = game.node(start)
        game.prove(root)

        assert (0, UNPROVABLE) == ((root.win, root.loss) if wins(start) else (root.loss, root.win))


def test_a_spent_budget_proves_nothing_false() -> None:
    """With few positions looked at, what is said to be decided is decided rightly."""
    for seed in range(40):
        moves = _made_up(Random(seed))
        few, all_of_it = Game(moves, 8), Game(moves, UNPROVABLE)
        roots = [game.node(59) for game in (few, all_of_it)]
        few.prove(roots[0])
        all_of_it.prove(roots[1])
        if 0 in (roots[0].win, roots[0].loss):
            assert (roots[0].win == 0) == (roots[1].win == 0)


def test_moves_are_valued_for_the_player_who_makes_them() -> None:
    """A move to a lost position is worth 1; without the budget to decide, nothing is said."""
    moves: list[list[int]] = [[], [0], [0, 1], [1, 1]]  # 0 and 3 are lost, 1 and 2 are won
    game, poor = Game(moves, UNPROVABLE), Game(moves, 1)

    assert {"lost": 1.0, "won": 0.0} == game.values({"lost": game.node(3), "won": game.node(2)})
    assert game.node(3).distance_to_loss == 0
    assert game.node(2).distance_to_loss == float("inf")
    assert poor.values({"open": poor.node(3)}) is None
