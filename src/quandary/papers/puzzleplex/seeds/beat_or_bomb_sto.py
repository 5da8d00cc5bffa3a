"""PuzzlePlex's own instances of beat or bomb with hidden hands."""

from __future__ import annotations

from itertools import combinations
from random import Random

from quandary.puzzles.duels.beat_or_bomb_sto import BeatOrBombSto

SEEDS = {"easy": 50, "normal": 50}
CARDS = {"easy": (5, 8), "normal": (9, 12)}


def instance(level: str, seed: int) -> BeatOrBombSto:
    """Return the published hands; 12 cards, for which the published code crashed, are refused.

    The published code drew the number of cards, reset its generator to the same seed, and drew one
    of the totals that two or more hands have, and then two of these hands.
    """
    cards = Random(seed).randint(*CARDS[level])
    alike: dict[int, list[tuple[int, ...]]] = {}
    for hand in combinations(range(1, 14), cards):
        alike.setdefault(sum(hand), []).append(hand)
    totals = [hands for hands in alike.values() if len(hands) > 1]
    if not totals:
        raise ValueError(
            f"seed {seed} has {cards} cards per hand, and no two such hands have the same total"
        )
    rng = Random(seed)
    first, second = rng.sample(rng.choice(totals), 2)
    return BeatOrBombSto((first, second))
