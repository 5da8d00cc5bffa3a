"""PuzzlePlex's own instances of count maximal cocktails."""

from __future__ import annotations

from itertools import combinations
from random import Random

from quandary.puzzles.questions.count_maximal_cocktails import CountMaximalCocktails


def instance(level: str, seed: int) -> CountMaximalCocktails:
    """The published drugs and clashes; easy asks for the number of cocktails, normal for all of
    them.

    The published code drew the number of drugs, then how many of their pairs clash, then these;
    both levels have the same.
    Its key counts the largest cocktails only; ours are those to which no drug can be added, as the
    paper defines them.
    """
    rng = Random(seed)
    drugs = rng.randint(3, 10)
    pairs = list(combinations(range(1, drugs + 1), 2))
    edges = tuple(rng.sample(pairs, rng.randint(0, len(pairs) // 2)))
    return CountMaximalCocktails(drugs, edges, {"easy": "count", "normal": "list"}[level])  # type: ignore[arg-type]
