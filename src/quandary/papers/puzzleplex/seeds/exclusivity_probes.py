"""PuzzlePlex's own instances of exclusivity probes."""

from __future__ import annotations

from random import Random

from quandary.puzzles._shared.bit_strings import write_places
from quandary.puzzles.solo.exclusivity_probes import ExclusivityProbes
from quandary.puzzles.solo.exclusivity_probes.solver import OPEN

SEEDS = {"easy": 100, "normal": 100}
DIMENSIONS = {"easy": (6, 10), "normal": (11, 15)}


def instance(level: str, seed: int) -> ExclusivityProbes:
    """Return the published places of the particles.

    Ours allows as many probes as there are places, half as many as the published game.
    The published code drew the dimension, the number of particles and their distance, then the bits
    of the first particle; every other one is an earlier one with exactly `distance` bits flipped,
    drawn bit by bit until it is far from all.
    Our rules call all sets equally likely, which these are not: a player who knows how they were
    drawn finds them sooner.
    """
    rng = Random(seed)
    bits = rng.randint(*DIMENSIONS[level])
    count, distance = rng.randint(2, bits // 2), rng.randint(1, bits // 2)
    particles = [sum(rng.randint(0, 1) << bit for bit in reversed(range(bits)))]
    while len(particles) < count:
        near, flipped = rng.choice(particles), 0
        while flipped.bit_count() < distance:
            flipped |= 1 << bits - 1 - rng.randint(0, bits - 1)
        if all((near ^ flipped ^ other).bit_count() >= distance for other in particles):
            particles.append(near ^ flipped)
    return ExclusivityProbes(
        bits, count, distance, write_places(particles, bits), OPEN * (1 << bits)
    )
