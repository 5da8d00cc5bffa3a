"""Mutual restriction by putting down every row of cards that the other player may have."""

from __future__ import annotations

from itertools import permutations
from typing import Any

# What each card beats, as the rules list it.
BEATEN = {
    "a": {"A": "CE", "B": "DA", "C": "EB", "D": "AC", "E": "BD"},
    "b": {
        **{"A": "BCDEFG", "B": "CDEFG", "C": "DEFG", "D": "EFG", "E": "FG", "F": "G", "G": "H"},
        "H": "ABCDEF",
    },
    "c": {"A": "B", "B": "C", "C": "D", "D": "A"},
    "d": {
        **{"A": "BCDEFG", "B": "CDEFGH", "C": "DEFGH", "D": "EFGH", "E": "FGH", "F": "GH"},
        **{"G": "H", "H": "A"},
    },
}


def work(instance: Any) -> tuple[list[str], list[list[str]]]:
    left, process = rows(instance), []
    for place in range(len(instance.own)):
        left = [row for row in left if _fits(instance, row, place)]
        seen = [{row[earlier] for row in left} for earlier in range(place + 1)]
        process.append([min(cards) if len(cards) == 1 else "*" for cards in seen])
    (only,) = left  # exactly one row of cards fits
    return list(only), process


def rows(instance: Any) -> list[tuple[str, ...]]:
    return list(permutations(BEATEN[instance.family], len(instance.own)))


def _fits(instance: Any, row: tuple[str, ...], place: int) -> bool:
    mine, theirs = instance.own[place], row[place]
    wins = {
        "win": theirs in BEATEN[instance.family][mine],
        "loss": mine in BEATEN[instance.family][theirs],
    }
    return wins.get(instance.results[place], not any(wins.values()))
