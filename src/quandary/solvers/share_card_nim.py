"""Exact play of share card nim.  A set of cards is a number with one bit set per card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

MOST_POSITIONS = 1 << 16  # solved in about a tenth of a second


def card_bits(cards: Iterable[int]) -> int:
    """The set of these cards."""
    return sum(1 << card for card in cards)


def wins_by_playing(card: int, cards: int, stones: int) -> bool:
    """Whether the player to move wins by playing this card."""
    return not wins(cards ^ 1 << card, stones - card)


@lru_cache(maxsize=MOST_POSITIONS)
def wins(cards: int, stones: int) -> bool:
    """Whether the player to move wins."""
    if cards >> stones & 1:
        return True
    playable = left = cards & (1 << stones) - 1
    while left:  # the highest card first: it leaves the fewest replies
        card = left.bit_length() - 1
        if not wins(playable ^ 1 << card, stones - card):
            return True
        left ^= 1 << card
    return False


def can_be_worked_out(cards: Sequence[int], stones: int) -> bool:
    """Whether few enough positions can occur: sets of cards that together fit into the pile."""
    if 1 << len(cards) <= MOST_POSITIONS:
        return True
    sums = {0: 1}  # number of stones -> number of sets that take as many
    for card in cards:
        for total, ways in list(sums.items()):
            if total + card <= stones:
                sums[total + card] = sums.get(total + card, 0) + ways
        if sum(sums.values()) > MOST_POSITIONS:
            return False
    return True
