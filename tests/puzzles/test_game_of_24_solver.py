"""Facts about the values that numbers can make."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from quandary.puzzles.solo.game_of_24.solver import can_reach, good_steps, ratios, reachable_values


@cache
def brute(values: tuple[Fraction, ...]) -> frozenset[Fraction]:
    """All that can be made: join every pair in every way, and go on with what is left."""
    if len(values) == 1:
        return frozenset(values)
    found: set[Fraction] = set()
    for i, j in combinations(range(len(values)), 2):
        a, b = values[i], values[j]
        rest = [value for k, value in enumerate(values) if k not in (i, j)]
        for value in [a + b, a * b, a - b, b - a, *([a / b] if b else []), *([b / a] if a else [])]:
            found |= brute(tuple(sorted([*rest, value])))
    return frozenset(found)


def test_1362_of_1820_sets_make_24() -> None:
    """The known count for four numbers from 1 to 13."""
    sets = list(combinations_with_replacement(range(1, 14), 4))

    assert (1820, 1362) == (len(sets), sum(can_reach(ratios(numbers), (24, 1)) for numbers in sets))


@pytest.mark.parametrize(
    "values",
    [
        (7,),
        (0, 0),
        (0, 5),
        (2, 3),
        (3, 3, 8),
        (0, 1, -4),
        (3, 3, 8, 8),
        (1, 1, 1, 1),
        (-2, 0, 6, 13),
        (Fraction(1, 3), Fraction(-5, 2), 4),
    ],
)
def test_made_is_all_that_can_be_made(values: tuple[Fraction | int, ...]) -> None:
    """Trying everything makes the same values, also of zeros, negatives and fractions; each is
    reached, and no other is."""
    expected = brute(tuple(sorted(map(Fraction, values))))
    near = {Fraction(top, bottom) for top in range(-30, 31) for bottom in range(1, 5)}

    assert expected == {Fraction(*ratio) for ratio in reachable_values(ratios(values))}
    assert expected == {
        value for value in expected | near if can_reach(ratios(values), value.as_integer_ratio())
    }


def test_the_order_of_values_is_of_no_account() -> None:
    """What can be made of shuffled values is what can be made of sorted ones."""
    values, rng = ratios([2, 3, 5, 7]), Random(0)
    for _ in range(5):
        shuffled = tuple(rng.sample(values, 4))

        assert reachable_values(values) == reachable_values(shuffled)
        assert can_reach(shuffled, (24, 1)) == can_reach(values, (24, 1))


@pytest.mark.parametrize("target", [24, 0, 7])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_good_steps_are_those_after_which_the_target_is_in_reach(count: int, target: int) -> None:
    """A zero among the numbers, or as the target, can make every partner fit."""
    sets = list(combinations_with_replacement(range(14), count))
    for numbers in Random(f"{count} {target}").sample(sets, 20):
        joined = set[tuple[Fraction, Fraction]]()  # equal numbers can be exchanged
        good = 0
        for i, j in combinations(range(count), 2):
            a, b = Fraction(numbers[i]), Fraction(numbers[j])
            rest = [Fraction(value) for k, value in enumerate(numbers) if k not in (i, j)]
            # Both orders of a difference or a quotient of equal numbers are one step.
            made = [a + b, a * b, a - b, *([a / b] if b else [])]
            made += [] if a == b else [b - a, *([b / a] if a else [])]
            if (a, b) not in joined:
                joined.add((a, b))
                good += sum(target in brute(tuple(sorted([*rest, value]))) for value in made)
        assert good_steps(ratios(numbers), (target, 1), 99) == good, numbers
