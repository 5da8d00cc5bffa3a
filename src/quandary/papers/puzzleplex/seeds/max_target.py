"""PuzzlePlex's own instances of max target."""

from __future__ import annotations

from random import Random

from quandary.puzzles.solo.max_target import MaxTarget

SEEDS = {"easy": 100, "normal": 100}
BAGS = {"easy": (3, 7), "normal": (8, 12)}


def instance(level: str, seed: int) -> MaxTarget:
    """Return the published bags and number of draws.

    The published code drew the number of bags, then for each bag its length and its coins in the
    order of drawing, then the share of the coins that may be drawn.
    It then shuffled what it showed; ours is shown sorted, which reveals as much.
    """
    rng = Random(seed)
    bags = tuple(
        tuple(rng.randint(1, 10) for _ in range(rng.randint(1, 10)))
        for _ in range(rng.randint(*BAGS[level]))
    )
    return MaxTarget.of(bags, int(sum(map(len, bags)) * rng.uniform(0.5, 0.7)))
