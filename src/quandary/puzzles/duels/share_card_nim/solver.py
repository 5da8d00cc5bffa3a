"""Starts and exact play of share card nim.

A set of cards is a number with one bit set per card.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TypeAlias

from quandary.core.bounds import Range

Cards: TypeAlias = tuple[int, ...]  # lowest first
EFFORT = 1 << 17  # positions that finding a start may take
LEAST_EFFORT = 1 << 10  # what the smallest start counts for
MOST_POSITIONS = 1 << 16  # that are worked out, in about a tenth of a second


def random_start(rng: Random, top: Range, dealt: Range | None) -> tuple[int, Cards]:
    """Return the pile and the cards of a start where the first move or the reply can be a mistake.

    Both players are equally likely to have a forced win.  After some effort any winner will do,
    and in the end any start.
    """
    second, effort = rng.random() < 0.5, 0
    while True:
        highest = rng.randint(*top)
        count = highest if dealt is None else min(highest, rng.randint(*dealt))
        cards = tuple(sorted(rng.sample(range(1, highest + 1), count)))
        stones = rng.randint((sum(cards) + 1) // 2, sum(cards))
        effort += max(1 << count, LEAST_EFFORT)
        if effort >= EFFORT:
            return stones, cards
        is_fair = 2 * effort > EFFORT or _wins(_card_bits(cards), stones) != second
        if is_fair and _leaves_a_choice(cards, stones):
            return stones, cards


@lru_cache(maxsize=1024)
def _leaves_a_choice(cards: Cards, stones: int) -> bool:
    """Return whether the first move or the reply can be a mistake."""
    playable = [card for card in cards if card <= stones]
    after = [(tuple(left for left in cards if left != card), stones - card) for card in playable]
    return any(_can_be_a_mistake(*position) for position in [(cards, stones), *after])


def _can_be_a_mistake(cards: Cards, stones: int) -> bool:
    """Return whether some moves win and some do not."""
    playable = sum(card <= stones for card in cards)
    return 0 < len(winning_cards(cards, stones) or ()) < playable


def winning_cards(cards: Cards, stones: int) -> set[int] | None:
    """Return the cards by which the player to move wins; None if that would take too long."""
    if not _can_be_worked_out(cards, stones):
        return None
    bits, playable = _card_bits(cards), (card for card in cards if card <= stones)
    return {card for card in playable if not _wins(bits ^ 1 << card, stones - card)}


@lru_cache(maxsize=MOST_POSITIONS)
def _wins(cards: int, stones: int) -> bool:
    """Return whether the player to move wins."""
    if cards >> stones & 1:
        return True
    playable = left = cards & (1 << stones) - 1
    while left:  # the highest card first: it leaves the fewest replies
        card = left.bit_length() - 1
        if not _wins(playable ^ 1 << card, stones - card):
            return True
        left ^= 1 << card
    return False


def _can_be_worked_out(cards: Cards, stones: int) -> bool:
    """Return whether play meets few enough positions: sets of cards that fit into the pile
    together.
    """
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


def _card_bits(cards: Cards) -> int:
    """Return the set of these cards."""
    return sum(1 << card for card in cards)
