"""PuzzlePlex's own instances of optimal touring."""

from __future__ import annotations

from random import Random

from quandary.puzzles.questions.optimal_touring import OptimalTouring
from quandary.puzzles.questions.optimal_touring.solver.timetable import Site

SEEDS = {"easy": 10, "normal": 10}
SITES = {"easy": 20, "normal": 40}


def instance(level: str, seed: int) -> OptimalTouring:
    """Return the published sites.

    Unlike the published checker, ours allows waiting and checks all opening hours.
    The published code drew for each site when it opens and closes, its avenue and street, the
    minutes of a visit and its value.
    """
    rng = Random(seed)
    return OptimalTouring(tuple(_site(rng) for _ in range(SITES[level])))


def _site(rng: Random) -> Site:
    opens = rng.randint(0, 12)
    closes = rng.randint(opens + 1, 21)
    avenue, street, stay, value = (
        rng.randint(*limits) for limits in ((0, 100), (0, 100), (1, 200), (1, 200))
    )
    return Site(avenue, street, stay, value, opens, closes)
