"""PuzzlePlex's own instances of count maximal cocktails."""

from __future__ import annotations

from itertools import combinations
from random import Random

from quandary.puzzles.questions.count_maximal_cocktails import CountMaximalCocktails

SEEDS = {"easy": 10, "normal": 10}


def instance(level: str, seed: int) -> CountMaximalCocktails:
    """Return the published drugs and clashes; easy asks for the number of cocktails, normal for a
    list.

    The published code drew the number of drugs, then the number of clashing pairs, then the pairs;
    both levels have the same instances.
    Its key counts only the largest cocktails; ours counts those to which no drug can be added, as
    the paper defines them.
    """
    rng = Random(seed)
    drugs = rng.randint(3, 10)
    pairs = list(combinations(range(1, drugs + 1), 2))
    edges = tuple(rng.sample(pairs, rng.randint(0, len(pairs) // 2)))
    return CountMaximalCocktails(drugs, edges, {"easy": "count", "normal": "list"}[level])  # type: ignore[arg-type]
