"""Cards of which some beat others: who wins, and what results tell of the other player's cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Literal, TypeAlias

from quandary.algorithms.entailment import Candidates, any_of

Result: TypeAlias = Literal["win", "loss", "draw"]
RESULTS: tuple[Result, ...] = ("win", "loss", "draw")  # for whoever has the first of two cards
CARDS = {"a": "ABCDE", "b": "ABCDEFGH", "c": "ABCD", "d": "ABCDEFGH"}
# Families whose cards lie in a circle -> how many places further on those lie that a card beats.
CIRCLES = {"a": (2, 4), "c": (1,)}
# In the others the earlier card wins, except for these pairs.
EXCEPTIONS = {"b": ("GH", "HA", "HB", "HC", "HD", "HE", "HF"), "d": ("HA",)}


def beaten(family: str, card: str) -> list[str]:
    """Return the cards that a card beats, in their order."""
    return [other for other in CARDS[family] if result(family, card, other) == "win"]


def result(family: str, one: str, other: str) -> Result:
    if _beats(family, one, other):
        return "win"
    return "loss" if _beats(family, other, one) else "draw"


def turned(family: str, cards: str) -> list[str]:
    """Return the cards moved on in their circle, by all numbers of places; as they are if there is
    none.

    What beats what stays the same.
    """
    circle = CARDS[family]
    if family not in CIRCLES:
        return [cards]
    return [
        cards.translate(str.maketrans(circle, circle[by:] + circle[:by]))
        for by in range(len(circle))
    ]


@lru_cache(maxsize=16)
def rows_of(family: str, rounds: int) -> Candidates[str]:
    """Return the cards that a player may put down one after the other."""
    return Candidates(permutations(CARDS[family], rounds))


def left_after(
    family: str, own: str, results: Sequence[Result], without: object = None
) -> list[int]:
    """Return the rows of the other player's cards that fit the results so far, after each round.

    `without` is the number of a round whose result is not told.
    """
    rows = rows_of(family, len(own))
    return rows.left_after(
        rows.everything if at == without else _fitting(family, len(own), at, *played)
        for at, played in enumerate(zip(own, results, strict=True))
    )


@lru_cache(maxsize=1 << 10)
def _fitting(family: str, rounds: int, at: int, own: str, outcome: Result) -> int:
    """Return the rows in which a card of one's own has a result in a round."""
    rows = rows_of(family, rounds)
    return any_of(
        rows.having(at, card) for card in CARDS[family] if result(family, own, card) == outcome
    )


def _beats(family: str, one: str, other: str) -> bool:
    cards = CARDS[family]
    if family in CIRCLES:
        return (cards.index(other) - cards.index(one)) % len(cards) in CIRCLES[family]
    if other + one in EXCEPTIONS[family]:
        return False
    return one < other or one + other in EXCEPTIONS[family]
