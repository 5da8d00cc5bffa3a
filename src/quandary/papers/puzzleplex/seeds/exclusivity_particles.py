"""PuzzlePlex's own instances of exclusivity particles."""

from __future__ import annotations

from random import Random

from quandary.puzzles.duels.exclusivity_particles import ExclusivityParticles

SEEDS = {"easy": 5, "normal": 5}
DIMENSIONS = {"easy": (3, 7), "normal": (8, 12)}


def instance(level: str, seed: int) -> ExclusivityParticles:
    """Return the published dimension and distance, on an empty cube.

    The published code drew the dimension, then a number from 2 to the dimension that only limits
    the distance, then the distance.
    Its games never ended; ours end when no place is left.
    """
    rng = Random(seed)
    dimension = rng.randint(*DIMENSIONS[level])
    limit = dimension + 1 - rng.randint(2, dimension)
    return ExclusivityParticles(dimension, rng.randint(1, limit))
