"""PuzzlePlex's own instances of max maximal cocktails."""

from __future__ import annotations

from random import Random

from quandary.puzzles.duels.max_maximal_cocktails import MaxMaximalCocktails

SEEDS = {"easy": 5, "normal": 5}
DRUGS = {"easy": (4, 8), "normal": (8, 12)}


def instance(level: str, seed: int) -> MaxMaximalCocktails:
    """Return the published number of drugs, without clashes.

    The published code drew nothing else.  It counts only the largest cocktails and lets a drug
    clash with itself; ours counts those to which no drug can be added, as the paper defines them,
    and a clash needs two drugs.
    """
    return MaxMaximalCocktails(Random(seed).randint(*DRUGS[level]))
