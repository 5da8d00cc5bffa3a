"""Beat or bomb with open hands: cards by their names, and what a position is worth."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from matrix_games import value_of

Hand = tuple[int, ...]
NAMES = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def hand_of(names: str) -> Hand:
    return tuple(NAMES.index(name) for name in names.split())


@cache
def worth_by_brute_force(first: Hand, second: Hand, lead: int) -> Fraction:
    """The first player's expected score: every play and every reply, in fractions."""
    if not first:
        return Fraction((lead > 0) + (lead >= 0), 2)
    game: list[list[Fraction]] = []
    for card in first:
        for fights in (True, False):
            line: list[Fraction] = []
            for other in second:
                for resists in (True, False):
                    gained = (card if fights else 0) - (other if resists else 0)
                    if fights and resists:
                        gained = (
                            0 if card == other else card + other if card > other else -card - other
                        )
                    rest = (
                        tuple(held for held in first if held != card),
                        tuple(held for held in second if held != other),
                    )
                    line.append(worth_by_brute_force(*rest, lead + gained))
            game.append(line)
    return value_of(game)
