"""Game of 24: which values some numbers can make.

Reachable values are found from the last step: it joins what two parts of the numbers make, for each
way to split them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import gcd
from random import Random
from typing import TypeAlias

TRIES = 1_000  # sets drawn before `random_numbers` gives up
ANY = (1, 90)  # six numbers have 90 first steps at most

# In lowest terms with a positive denominator; hashing a Fraction would be the main cost.
Ratio: TypeAlias = tuple[int, int]


def ratios(values: Iterable[Fraction | int]) -> tuple[Ratio, ...]:
    """Return the values in the form of the other functions: sorted, so that cached results are
    found.
    """
    return tuple(sorted(value.as_integer_ratio() for value in values))


@lru_cache(maxsize=1 << 15)
def can_reach(values: tuple[Ratio, ...], target: Ratio) -> bool:
    """Return whether all of `values` can be joined into `target`."""
    return values == (target,) or any(_makes(one, two, target) for one, two in _last_steps(values))


@lru_cache(maxsize=1 << 12)
def good_steps(numbers: tuple[Ratio, ...], target: Ratio, enough: int) -> int:
    """Return how many first steps keep the target in reach, counted up to `enough`.

    Numbers that are equal are exchangeable, so a step on them counts once.
    """
    good = 0
    for one, two in dict.fromkeys(combinations(numbers, 2)):
        left, results = list(numbers), _results(one, two)
        left.remove(one)
        left.remove(two)
        if one == two:  # both orders of a difference or a quotient are the same step
            results = results[:2] + results[3:5]
        partners = _partners(tuple(left), target)
        good += len(results) if partners is None else sum(made in partners for made in results)
        if good >= enough:
            return enough
    return good


def random_numbers(
    rng: Random, count: int, high: int, target: int, openings: tuple[int, int]
) -> list[int]:
    """Numbers up to `high` that make a whole target, with so many good first steps; [] if none of
    TRIES sets does.  All sets are equally likely.
    """
    fewest, most = openings
    for _ in range(TRIES):
        # Stars and bars: every multiset has the same chance.
        bars = sorted(rng.sample(range(high + count - 1), count))
        numbers = [bar - place + 1 for place, bar in enumerate(bars)]
        values = ratios(numbers)
        if openings == ANY:
            is_wanted = can_reach(values, (target, 1))
        else:
            is_wanted = max(fewest, 1) <= good_steps(values, (target, 1), most + 1) <= most
        if is_wanted:
            return numbers
    return []


@lru_cache(maxsize=1 << 10)
def reachable_values(values: tuple[Ratio, ...]) -> frozenset[Ratio]:
    """Return all values that can be made by joining all of `values`."""
    if len(values) == 1:
        return frozenset(values)
    return frozenset(value for one, two in _last_steps(values) for value in _results(one, two))


@lru_cache(maxsize=1 << 12)
def _partners(values: tuple[Ratio, ...], target: Ratio) -> frozenset[Ratio] | None:
    """Return the values each of which makes the target together with all of `values`; None if any
    does.

    They are found backwards from the last step, which joins what a part of `values` makes with what
    the others and the partner make.
    """
    if not values:
        return frozenset([target])
    found = set[Ratio]()
    for deal in range(1, 1 << len(values)):
        part = tuple([value for place, value in enumerate(values) if deal >> place & 1])
        others = tuple([value for place, value in enumerate(values) if not deal >> place & 1])
        for value in reachable_values(part):
            if value[0] == target[0] == 0:
                return None  # whatever the partner makes, 0 times it is 0
            for goal in _joining_to(target, value):
                partners = _partners(others, goal) if others else (goal,)
                if partners is None:
                    return None
                found.update(partners)
    return frozenset(found)


def _joining_to(target: Ratio, value: Ratio) -> list[Ratio]:
    """Return what a step joins with a value to make the target; not both are 0."""
    (t, u), (a, b) = target, value
    tb, au, bu = t * b, a * u, b * u
    found = [_lowest(tb - au, bu), _lowest(tb + au, bu), _lowest(au - tb, bu)]
    found += [_lowest(tb, au), _lowest(t * a, bu)] if a else []
    return found + ([_lowest(au, tb)] if t and a else [])


def _last_steps(values: tuple[Ratio, ...]) -> Iterator[tuple[Ratio, Ratio]]:
    """Yield the pairs of values a last step can join, over all splits of `values` into two
    parts.
    """
    hands = set()
    for deal in range(1, 1 << (len(values) - 1)):
        one = tuple(value for place, value in enumerate(values) if deal >> place & 1)
        two = tuple(value for place, value in enumerate(values) if not deal >> place & 1)
        if (one, two) not in hands:
            hands |= {(one, two), (two, one)}
            yield from ((a, b) for a in reachable_values(one) for b in reachable_values(two))


def _results(one: Ratio, two: Ratio) -> list[Ratio]:
    """Return what the six steps on two values make."""
    (a, b), (c, d) = one, two
    ad, cb, bd = a * d, c * b, b * d
    found = [_lowest(ad + cb, bd), _lowest(ad - cb, bd), _lowest(cb - ad, bd), _lowest(a * c, bd)]
    return found + ([_lowest(ad, cb)] if c else []) + ([_lowest(cb, ad)] if a else [])


def _makes(one: Ratio, two: Ratio, target: Ratio) -> bool:
    """Return whether one of the six steps on two values makes `target`, by cross-multiplication."""
    (a, b), (c, d), (t, u) = one, two, target
    ad, cb = a * d, c * b
    tbd = t * b * d
    if tbd in ((ad + cb) * u, (ad - cb) * u, (cb - ad) * u, a * c * u):
        return True
    return (c != 0 and ad * u == t * cb) or (a != 0 and cb * u == t * ad)


def _lowest(top: int, bottom: int) -> Ratio:
    shared = gcd(top, bottom) if bottom > 0 else -gcd(top, bottom)
    return top // shared, bottom // shared
