"""PuzzlePlex's own instances of card nim."""

from __future__ import annotations

from random import Random

from quandary.puzzles.duels.card_nim import CardNim

SEEDS = {"easy": 5, "normal": 5}
STONES = {"easy": (20, 40), "normal": (40, 80)}


def instance(level: str, seed: int) -> CardNim:
    """Return the published pile and hands.

    Unlike the published game, ours ends when a player is stuck.
    The published code drew the pile, then numbers up to it, until two hands of all lower cards can
    clear the pile.
    """
    rng = Random(seed)
    stones, above = rng.randint(*STONES[level]), 0
    while above * (above - 1) < stones:  # twice the sum of all cards below
        above = rng.randint(1, stones)
    hand = tuple(range(1, above))
    return CardNim(stones, (hand, hand))
