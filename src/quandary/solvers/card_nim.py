"""Exact play of card nim.  A hand is a number with one bit set per card: bit 7 for card 7."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


def hand_bits(cards: Iterable[int]) -> int:
    """The hand with these cards."""
    return sum(1 << card for card in cards)


def wins_by_playing(card: int, own: int, other: int, stones: int) -> bool:
    """Whether the player to move wins by playing this card of their own."""
    return not wins(other, own & ~(1 << card), stones - card)


@lru_cache(maxsize=1 << 18)
def wins(own: int, other: int, stones: int) -> bool:
    """Whether the player to move wins."""
    if own >> stones & 1:
        return True
    playable = own & ((1 << stones) - 1)
    while playable:  # the highest card first: it leaves the fewest replies
        card = playable.bit_length() - 1
        if not wins(other, own & ~(1 << card), stones - card):
            return True
        playable &= ~(1 << card)
    return False
