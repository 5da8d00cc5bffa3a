"""Cards as moves of card nim and share card nim."""

from __future__ import annotations

from functools import cache

from quandary.core.moves import Notation, Number


@cache
def card_notation(highest: int) -> Notation:
    """Return a move that is the number on a card."""
    return Notation("{card}", card=Number(1, highest))


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards that are left when one of them is played."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
