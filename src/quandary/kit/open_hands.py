"""Beat or bomb with open hands: what a position is worth, worked out or guessed.

A round is then a matrix game, and its worth follows backwards from the last card.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp
from operator import mul

from quandary.core.contract import Move

from .beat_or_bomb import Hand, duel, moves, without
from .equilibrium import equilibrium


def judged(own: Hand, other: Hand, lead: int) -> dict[Move, float]:
    """Each play's worth with open hands, against an equilibrium reply."""
    game = matrix_game(own, other, lead, worth)
    replies = equilibrium(game).columns
    return {move: sum(map(mul, row, replies)) for move, row in zip(moves(own), game, strict=True)}


def matrix_game(own: Hand, other: Hand, lead: int, worth: Callable[[Hand, Hand, int], float]) -> list[list[float]]:
    """The matrix game of a round with open hands: a row a move of our own, a column a move of the other's."""
    rows: list[list[float]] = []
    for mine in own:
        left, compete, give_up = without(own, mine), list[float](), list[float]()
        for theirs in other:
            rest = without(other, theirs)
            compete += [worth(left, rest, lead + duel(mine, theirs)), worth(left, rest, lead + mine)]
            give_up += [worth(left, rest, lead - theirs), worth(left, rest, lead)]
        rows += [compete, give_up]
    return rows


def worth(own: Hand, other: Hand, lead: int) -> float:
    """The expected score under best play with open hands."""
    return foreseen(own, other, lead, len(own))


@lru_cache(maxsize=1 << 18)
def foreseen(own: Hand, other: Hand, lead: int, rounds: int) -> float:
    """The same where play is followed for some rounds only, and the worth is guessed then."""
    if not rounds or lead > sum(other) or -lead > sum(own):
        return guess(own, other, lead)
    return equilibrium(matrix_game(own, other, lead, lambda *after: foreseen(*after, rounds - 1))).value


def guess(own: Hand, other: Hand, lead: int) -> float:
    """The same, guessed; the numbers fit `worth` for up to four cards and longer games played for points."""
    if lead > sum(other) or -lead > sum(own):
        return float(lead > 0)
    return 1 / (1 + exp(-(lead + strength(own, other)) / (1.7 + 0.8 * len(own)))) if own else 0.5


@lru_cache(maxsize=1 << 16)
def strength(own: Hand, other: Hand) -> float:
    """About how many points more the first of two open hands will earn than the second."""
    duels = sum(duel(mine, theirs) for mine in own for theirs in other)
    return 0.7 * duels / len(own) + 0.65 * (own[-1] - other[-1])
