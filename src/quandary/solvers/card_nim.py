"""Exact play of card nim.  A hand is a number with one bit set per card: bit 7 for card 7."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


def winning_cards(own: Sequence[int], other: Sequence[int], stones: int) -> set[int]:
    """The cards by which the player to move wins; `own` are the cards of that player."""
    mine, theirs = _hand_bits(own), _hand_bits(other)
    playable = (card for card in own if card <= stones)
    return {card for card in playable if not wins(theirs, mine & ~(1 << card), stones - card)}


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


def _hand_bits(cards: Sequence[int]) -> int:
    """The hand with these cards."""
    return sum(1 << card for card in cards)
