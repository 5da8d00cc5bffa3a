"""Beat or bomb with open hands: the worth of a position, exact or estimated.

A round is a matrix game, and its worth follows by backward induction from the last card.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp
from operator import mul
from typing import TypeAlias

from quandary.algorithms.equilibrium import equilibrium

Hand: TypeAlias = tuple[int, ...]  # ranks, lowest first
DECK = range(1, 14)  # every rank, from the ace to the king


def play_values(own: Hand, other: Hand, lead: int) -> list[float]:
    """Return the worth of each play against an equilibrium reply, with open hands.

    Plays are in the order of the hand: compete, then give up, for each card.
    """
    game = matrix_game(own, other, lead, worth)
    replies = equilibrium(game).columns
    return [sum(map(mul, row, replies)) for row in game]


def matrix_game(
    own: Hand, other: Hand, lead: int, worth: Callable[[Hand, Hand, int], float]
) -> list[list[float]]:
    """Return the matrix game of a round with open hands: one row per own move, one column per
    reply.
    """
    rows: list[list[float]] = []
    for mine in own:
        left, compete, give_up = without(own, mine), list[float](), list[float]()
        for theirs in other:
            rest = without(other, theirs)
            compete += [
                worth(left, rest, lead + duel(mine, theirs)),
                worth(left, rest, lead + mine),
            ]
            give_up += [worth(left, rest, lead - theirs), worth(left, rest, lead)]
        rows += [compete, give_up]
    return rows


def worth(own: Hand, other: Hand, lead: int) -> float:
    """Return the expected score under best play with open hands."""
    return worth_to_depth(own, other, lead, len(own))


@lru_cache(maxsize=1 << 18)
def worth_to_depth(own: Hand, other: Hand, lead: int, rounds: int) -> float:
    """Return the expected score under best play for some rounds, and an estimate after them."""
    if not rounds or lead > sum(other) or -lead > sum(own):
        return estimated_worth(own, other, lead)
    return equilibrium(
        matrix_game(own, other, lead, lambda *after: worth_to_depth(*after, rounds - 1))
    ).value


def estimated_worth(own: Hand, other: Hand, lead: int) -> float:
    """Return an estimate of `worth`, fitted to it for up to four cards and to longer games for
    points.
    """
    if lead > sum(other) or -lead > sum(own):
        return float(lead > 0)
    return 1 / (1 + exp(-(lead + strength(own, other)) / (1.7 + 0.8 * len(own)))) if own else 0.5


@lru_cache(maxsize=1 << 16)
def strength(own: Hand, other: Hand) -> float:
    """Return an estimate of how many more points the first of two open hands will earn."""
    duels = sum(duel(mine, theirs) for mine in own for theirs in other)
    return 0.7 * duels / len(own) + 0.65 * (own[-1] - other[-1])


def without(hand: Hand, rank: int) -> Hand:
    place = hand.index(rank)
    return hand[:place] + hand[place + 1 :]


def duel(mine: int, theirs: int) -> int:
    """Return the change of the lead by two competing cards."""
    return (mine + theirs) * ((mine > theirs) - (mine < theirs))
