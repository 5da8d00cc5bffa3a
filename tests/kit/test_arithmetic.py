"""Facts about expressions of numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from quandary.core.errors import Unreadable
from quandary.kit.arithmetic import SPELLINGS, joined, joins, made, ratios, reaches, read_expression


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

    assert (1820, 1362) == (len(sets), sum(reaches(ratios(numbers), (24, 1)) for numbers in sets))


@pytest.mark.parametrize(
    "values",
    [(7,), (0, 0), (0, 5), (2, 3), (3, 3, 8), (0, 1, -4), (3, 3, 8, 8), (1, 1, 1, 1), (-2, 0, 6, 13),
     (Fraction(1, 3), Fraction(-5, 2), 4)],
)  # fmt: skip
def test_made_is_all_that_can_be_made(values: tuple[Fraction | int, ...]) -> None:
    """Trying everything makes the same values, also of zeros, negatives and fractions; each is reached, and no other is."""
    expected = brute(tuple(sorted(map(Fraction, values))))
    near = {Fraction(top, bottom) for top in range(-30, 31) for bottom in range(1, 5)}

    assert expected == {Fraction(*ratio) for ratio in made(ratios(values))}
    assert expected == {value for value in expected | near if reaches(ratios(values), value.as_integer_ratio())}


def test_the_order_of_values_is_of_no_account() -> None:
    """What can be made of shuffled values is what can be made of sorted ones."""
    values, rng = ratios([2, 3, 5, 7]), Random(0)
    for _ in range(5):
        shuffled = tuple(rng.sample(values, 4))

        assert made(values) == made(shuffled)
        assert reaches(shuffled, (24, 1)) == reaches(values, (24, 1))


@pytest.mark.parametrize(
    ("written", "text", "value"),
    [
        ("1 + 2 * 3", "((3 * 2) + 1)", Fraction(7)),
        ("(1 + 2) * 3", "(3 * (2 + 1))", Fraction(9)),
        ("7 - 2 - 1", "((7 - 2) - 1)", Fraction(4)),
        ("8 / 3 / 2", "((8 / 3) / 2)", Fraction(4, 3)),
        ("2 - -4", "(2 - -4)", Fraction(6)),
        (" 12 ", "12", Fraction(12)),
        ("5 / (3 - 3)", "(5 / (3 - 3))", None),
        ("1 + 5 / 0", "(1 + (5 / 0))", None),
    ],
)
def test_expressions_are_read(written: str, text: str, value: Fraction | None) -> None:
    """Precedence is the usual one, and dividing by zero leaves no value."""
    read = read_expression(written)

    assert (text, value) == (read.text, read.value)
    assert read == read_expression(read.text)


def test_order_inside_sums_and_products_is_one_spelling() -> None:
    """Sums and products have one text in either order; differences and quotients keep theirs."""
    assert read_expression("(2 + 6) * 3") == read_expression("3 * (6 + 2)")
    assert read_expression("6 - 2") != read_expression("2 - 6")
    assert read_expression("6 / 2") != read_expression("2 / 6")


@pytest.mark.parametrize(
    "text",
    ["", "6 +", "6 ** 2", "6 // 2", "+6", "-(6 - 2)", "6 6", "3(4)", "()", "1, 2", "1.5 + 2", "x", "٦",
     "9" * 13, "(" * 300, "1+" * 300],
)  # fmt: skip
def test_other_texts_are_unreadable(text: str) -> None:
    """Other signs, calls, endless brackets and huge numbers are refused with an example."""
    with pytest.raises(Unreadable, match=r"\(6 \+ 2\) \* 3"):
        read_expression(text)


def test_spellings_of_signs() -> None:
    """Printed signs become the four that are read."""
    assert "6 * 2 / 3 - 1" == "6 × 2 ÷ 3 − 1".translate(SPELLINGS)


def test_joins_are_the_six_ways() -> None:
    """Two numbers are joined in six ways, of which those that divide by zero are left out."""
    two, six, zero = map(read_expression, ("2", "6", "0"))

    assert ["(6 + 2)", "(2 - 6)", "(6 - 2)", "(6 * 2)", "(2 / 6)", "(6 / 2)"] == [way.text for way in joins(two, six)]
    assert ["(2 + 0)", "(2 - 0)", "(0 - 2)", "(2 * 0)", "(0 / 2)"] == [way.text for way in joins(two, zero)]
    assert (None, "/", (two, zero)) == joined(two, "/", zero)[1:]
