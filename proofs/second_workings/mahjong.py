"""Mahjong by trying all: every way of taking three tiles out of a hand, until a pair is left."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "123456789"


def work(instance: Any) -> tuple[list[str], list[str]]:
    hand, codes = sorted(instance.hand), []
    for number, tile in enumerate(instance.added):
        codes.append(_code(instance, hand, tile))
        hand = sorted([*hand, tile])
        if number < len(instance.removed):
            del hand[hand.index(instance.removed[number])]
    return [codes[-1]], codes


def _code(instance: Any, hand: list[str], tile: str) -> str:
    threes = [(*two, tile) for two in combinations(hand, 2)]
    equal = any(_is_equal(three) for three in threes)
    run = any(_is_run(three) for three in threes)
    if instance.family == "a":
        if instance.calls >= 3 and wins(tuple(sorted([*hand, tile]))):
            return "3"
        if equal:
            return "1"
        return "2" if run and instance.calls >= 2 else "0"
    if instance.calls >= 4 and wins(tuple(sorted([*hand, tile]))):
        return "4"
    if instance.calls >= 2 and any(set(three) == {tile} for three in threes):
        return "2"
    if equal:
        return "1"
    return "3" if run and instance.calls >= 3 else "0"


def _is_equal(three: tuple[str, ...]) -> bool:
    return len({tile[-1] for tile in three}) == 1


def _is_run(three: tuple[str, ...]) -> bool:
    written = "".join(sorted(tile[-1] for tile in three))
    return written in ALPHABET or written in DIGITS


@cache
def wins(tiles: tuple[str, ...]) -> bool:
    if len(tiles) == 2:
        return tiles[0] == tiles[1]
    if len(tiles) < 2:
        return False
    for places in combinations(range(len(tiles)), 3):
        three = tuple(tiles[place] for place in places)
        if _is_equal(three) or _is_run(three):
            rest = tuple(tile for place, tile in enumerate(tiles) if place not in places)
            if wins(rest):
                return True
    return False
