"""Expressions: reading them, their one spelling, and the ways to join two."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quandary.core.errors import Unreadable
from quandary.puzzles._shared.expressions import SPELLINGS, joined, joins, read_expression


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
    [
        "",
        "6 +",
        "6 ** 2",
        "6 // 2",
        "+6",
        "-(6 - 2)",
        "6 6",
        "3(4)",
        "()",
        "1, 2",
        "1.5 + 2",
        "x",
        "٦",
        "9" * 13,
        "(" * 300,
        "1+" * 300,
    ],
)
def test_other_texts_are_unreadable(text: str) -> None:
    """Other signs, calls, endless brackets and huge numbers; puzzles say how to write instead.

    Only a minus sign before brackets is named.
    """
    with pytest.raises(Unreadable) as refused:
        read_expression(text)
    assert text.startswith("-(") == refused.value.phrase.startswith("A minus sign may stand only")
    assert text.startswith("-(") or refused.value.phrase == ""


def test_spellings_of_signs() -> None:
    """Printed signs become the four that are read."""
    assert "6 * 2 / 3 - 1" == "6 × 2 ÷ 3 − 1".translate(SPELLINGS)


def test_joins_are_the_six_ways() -> None:
    """Two numbers are joined in six ways, of which those that divide by zero are left out."""
    two, six, zero = map(read_expression, ("2", "6", "0"))

    assert ["(6 + 2)", "(2 - 6)", "(6 - 2)", "(6 * 2)", "(2 / 6)", "(6 / 2)"] == [
        way.text for way in joins(two, six)
    ]
    assert ["(2 + 0)", "(2 - 0)", "(0 - 2)", "(2 * 0)", "(0 / 2)"] == [
        way.text for way in joins(two, zero)
    ]
    assert (None, "/", (two, zero)) == joined(two, "/", zero)[1:]
