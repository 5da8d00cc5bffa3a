"""Logical equations by trying every way to give the letters numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any


def work(instance: Any) -> tuple[list[str], list[str]]:
    (only,) = solutions(instance)
    answer = [str(number) for number in only]
    return answer, answer


def solutions(instance: Any) -> list[tuple[int, ...]]:
    """All ways that make every relation true."""
    ways = dict.fromkeys(permutations(instance.numbers))
    return [way for way in ways if all(is_true(one, way) for one in instance.relations)]


def is_true(relation: Any, values: Sequence[int]) -> bool:
    kind, left, right = relation
    one, other = _sum(left, values), _sum(right, values)
    if kind == "divides":
        return any(one * times == other for times in range(1, other + 1))
    if kind == "not_largest":
        return any(value > one for value in values)
    if kind == "not_smallest":
        return any(value < one for value in values)
    return {"=": one == other, "≠": one != other, ">": one > other}[kind]


def _sum(side: Any, values: Sequence[int]) -> int:
    total = 0
    for factor, letters in side:
        term = factor
        for letter in letters:
            term *= values[letter]
        total += term
    return total
