"""PuzzlePlex's own instances of tidy tower."""

from __future__ import annotations

from random import Random

from quandary.puzzles.solo.tidy_tower import COLOURS, TidyTower

SEEDS = {"easy": 10, "normal": 10}
HEIGHTS = {"easy": 6, "normal": 10}


def instance(level: str, seed: int) -> TidyTower:
    """Return the published tower, with twenty turns as in turn-by-turn play.

    The published code drew every cube but the top one, bottom first; the top one has the first
    colour that the cube below lacks.
    Ours follows the rules in the published prompt, by which a cube can be held; the argument
    `variant=published` selects the rules of the published code.
    """
    rng = Random(seed)
    cubes = "".join(COLOURS[rng.randint(0, 3)] for _ in range(HEIGHTS[level] - 1))
    return TidyTower(cubes + ("Y" if cubes[-1] == "R" else "R"))
