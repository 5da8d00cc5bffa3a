"""Hidden hands of beat or bomb: hands of equal total, and those that an opponent may hold."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from quandary.core.bounds import Range
from quandary.puzzles.duels._shared.beat_or_bomb.solver import DECK, Hand


@lru_cache
def doubtful_hands(cards: Range, doubt: int) -> list[list[tuple[Hand, ...]]]:
    """Per number of cards the groups of hands with one total, of more than `doubt` hands each."""
    counts, fewest = range(cards[0], cards[1] + 1), max(1, doubt)
    every = [[hands for hands in _totals(count) if len(hands) > fewest] for count in counts]
    return [totals for totals in every if totals]


@lru_cache
def _totals(count: int) -> tuple[tuple[Hand, ...], ...]:
    """Return all hands of so many cards, grouped by their total."""
    grouped: dict[int, list[Hand]] = {}
    for hand in combinations(DECK, count):
        grouped.setdefault(sum(hand), []).append(hand)
    return tuple(map(tuple, grouped.values()))


def fitting_hands(shown: Hand, played: Hand, hand: Hand) -> list[Hand]:
    """Return the hands that a player who has shown some cards may hold.

    `played` and `hand` are the cards of the player who wants to know.
    """
    unseen = [rank for rank in DECK if rank not in shown]
    rest, start = sum(played) + sum(hand) - sum(shown), sorted(played + hand)
    return [
        held
        for held in combinations(unseen, len(hand))
        if sum(held) == rest and sorted(shown + held) != start
    ]
