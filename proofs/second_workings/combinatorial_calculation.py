"""Combinatorial calculation by trying all operators and all ways to put brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, TypeAlias, cast

Pair: TypeAlias = tuple[int, int]  # the first and the last number between two brackets
Exact: TypeAlias = Fraction | int  # whole numbers stay int until something is divided: much faster
OTHERS = [(101, 211, 307, 401, 503), (17, 2003, 5, 1009, 61), (7, 3, 911, 13, 2)]


def work(instance: Any) -> tuple[list[str], list[str]]:
    """The shortest right answer, and of several the first in the order of their tokens."""
    answer = list(min(right_answers(instance), key=lambda tokens: (len(tokens), tokens)))
    return answer, answer


def right_answers(instance: Any) -> set[tuple[str, ...]]:
    """All right answers in which every pair of brackets makes a difference."""
    numbers, found = instance.numbers, set()
    brackets = list(all_pairs(len(numbers)))
    for signs in product("+-*/", repeat=len(numbers) - 1):
        if set(signs) & set(instance.forbidden) or not set(instance.required) <= set(signs):
            continue
        for pairs in brackets:
            if value(numbers, signs, pairs) == instance.target and _needs_all(signs, pairs):
                found.add(_tokens(numbers, signs, pairs))
    return found


def all_pairs(count: int) -> Iterator[tuple[Pair, ...]]:
    """All ways to put brackets around several numbers, but not all, at most once each."""
    places = [(a, b) for a, b in combinations(range(count), 2) if b - a < count - 1]
    for size in range(count - 1):
        for pairs in combinations(places, size):
            if not any(a < c <= b < d for (a, b), (c, d) in product(pairs, pairs)):
                yield pairs


def _needs_all(signs: Sequence[str], pairs: tuple[Pair, ...]) -> bool:
    """Whether any pair of brackets changes the value for some other numbers, if left out."""
    for pair in pairs:
        fewer = tuple(one for one in pairs if one != pair)
        if all(value(other, signs, pairs) == value(other, signs, fewer) for other in OTHERS):
            return False
    return True


def value(numbers: Sequence[int], signs: Sequence[str], pairs: tuple[Pair, ...]) -> Exact | None:
    """The value of an expression; None if it divides by zero."""
    try:
        return _value(numbers, signs, pairs, 0, len(signs))
    except ZeroDivisionError:
        return None


def _value(
    numbers: Sequence[int], signs: Sequence[str], pairs: tuple[Pair, ...], start: int, end: int
) -> Exact:
    """Of the part from one number to another: a sum of products of numbers and brackets."""
    total, term, sign, place = cast(Exact, 0), cast(Exact, 1), "+*", start
    while place <= end:
        last = max(
            (b for a, b in pairs if a == place and b <= end and (a, b) != (start, end)),
            default=place,
        )
        if last > place:
            factor = _value(numbers, signs, pairs, place, last)
        else:
            factor = numbers[place]
        term = term * factor if sign[1] == "*" else Fraction(term) / factor
        following = signs[last] if last < end else "+"
        if following in "+-":
            total, term = total + term if sign[0] == "+" else total - term, 1
            sign = following + "*"
        else:
            sign = sign[0] + following
        place = last + 1
    return total


def _tokens(
    numbers: Sequence[int], signs: Sequence[str], pairs: tuple[Pair, ...]
) -> tuple[str, ...]:
    tokens = list[str]()
    for place, number in enumerate(numbers):
        tokens += signs[place - 1 : place] if place else []
        tokens += ["("] * sum(first == place for first, _ in pairs)
        tokens.append(str(number))
        tokens += [")"] * sum(last == place for _, last in pairs)
    return tuple(tokens)
