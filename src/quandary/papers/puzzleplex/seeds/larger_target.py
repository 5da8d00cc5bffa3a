"""PuzzlePlex's own instances of larger target."""

from __future__ import annotations

from random import Random

from quandary.puzzles.duels.larger_target import LargerTarget

SEEDS = {"easy": 50, "normal": 50}
BAGS = {"easy": (3, 5), "normal": (6, 8)}


def instance(level: str, seed: int) -> LargerTarget:
    """Return the published bags; as in the published game, the draws of both players are counted
    together.

    The published code drew the number of bags, then for each bag its length and its coins in the
    order of drawing.
    It then shuffled what it showed; ours is shown sorted, which reveals as much.
    """
    rng = Random(seed)
    return LargerTarget.of(
        tuple(
            tuple(rng.randint(1, 10) for _ in range(rng.randint(1, 10)))
            for _ in range(rng.randint(*BAGS[level]))
        )
    )
