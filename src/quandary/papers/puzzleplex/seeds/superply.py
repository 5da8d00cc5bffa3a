"""PuzzlePlex's own instances of superply."""

from __future__ import annotations

from random import Random

from quandary.puzzles.duels.superply import Superply
from quandary.puzzles.duels.superply.solver.cells import FREE
from quandary.puzzles.duels.superply.solver.hints import RECKONINGS, TESTS, Hint, allowed_cells

SEEDS = {"easy": 5, "normal": 5}
SIZES = {"easy": 6, "normal": 9}
ERRORS = 15  # the number that loses a match


def instance(level: str, seed: int) -> Superply:
    """Return the empty board with the published first hint.

    The published code drew hints until some cell matched.
    Further hints are drawn by the luck of the match: in the published game they came from a
    generator from which the players drew, too.
    """
    rng, size = Random(seed), SIZES[level]
    hint = _hint(rng, size)
    while not allowed_cells(size, hint):
        hint = _hint(rng, size)
    return Superply((FREE * size,) * size, ERRORS, hint=hint)


def _hint(rng: Random, size: int) -> Hint:
    reckoning, test = rng.choice(RECKONINGS), rng.choice(TESTS)
    return Hint(reckoning, test, _limits(rng, test, size * size))  # type: ignore[arg-type]


def _limits(rng: Random, test: str, most: int) -> tuple[int, ...]:
    if test in ("even", "odd"):
        return ()
    if test == "digit":
        return (rng.randint(0, 9),)
    if test == "between":
        low = rng.randint(0, most - 1)
        return (low, rng.randint(low + 1, most))
    return (rng.randint(0, most),)
