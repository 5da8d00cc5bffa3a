"""New operators: known expressions, how formulas are read, and what has no exact value."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from quandary.catalogue import drawing
from quandary.core.errors import UserError
from quandary.puzzles.questions.execution.new_operator import NewOperator
from quandary.puzzles.questions.execution.new_operator.solver.formulas import (
    NotExact,
    decimal,
    fitting,
    formula,
    parsed,
    worked_out,
)


def worked(expression: str, **formulas: str) -> str:
    """Operators are named by letters here."""
    made = NewOperator("b", 2, tuple(formulas.items()), expression)
    (answer,), process = made.work()
    assert process[-1:] in ([answer], [])
    return " ".join(process)


def test_the_example_of_the_specification() -> None:
    made = NewOperator("a", 2, (("#", "2×x - y"),), "(5 # 3) # 4")

    assert tuple(made.work()) == (["10"], ["7", "10"])


@pytest.mark.parametrize(
    ("expression", "process"),
    [
        ("7 A 2", "9"),
        ("7 A 2 B 3 A 1", "9 27 28"),  # equal ranks, from left to right
        ("7 A (2 B 3)", "6 13"),
        ("(1 A 2) B (3 A 4)", "3 7 21"),
        ("1 A (2 B (3 A 4)) A (5 B 6)", "7 14 30 15 45"),  # the deepest first, wherever it stands
        ("(9 - 2 × 3) A 1", "4"),  # plain signs are not listed
        ("(1 A 2 A 3) B (4 A 5)", "3 6 9 54"),
    ],
)
def test_the_order_of_the_process(expression: str, process: str) -> None:
    assert worked(expression, A="x + y", B="x×y") == process


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x - y - 1", "5"),
        ("x ÷ y ÷ 4", "1"),
        ("2×x - y^3 ÷ 4", "14"),
        ("(x + y)^2 - 1", "99"),
        ("x^2 ÷ (y + 3)", "12.8"),
        ("log_y(x^4)", "12"),
        ("log_x(y)", "0.333"),
        ("log_4(x)", "1.5"),
        ("log_2(y ÷ x)×x", "-16"),
    ],
)
def test_formulas_have_exact_values(text: str, value: str) -> None:
    found = formula(text)({"x": 8, "y": 2})

    assert found == (Fraction(1, 3) if value == "0.333" else Fraction(value))


@pytest.mark.parametrize(
    ("text", "y"),
    [("x ÷ y", 0), ("log_2(x)", 3), ("log_1(x)", 3), ("log_2(y)", 0), ("y^(0 - 1)", 0),
     ("x^(1 ÷ y)", 2), ("x^(9^y)", 9), ("(0 - 9)^(9^y)", 9)],
)  # fmt: skip
def test_what_has_no_exact_value(text: str, y: int) -> None:
    with pytest.raises(NotExact):
        formula(text)({"x": 625, "y": y})


@pytest.mark.parametrize("text", ["", "x +", "(x", "x)", "+ x", "x y", "x ? y", "(" * 99 + "x"])
def test_what_is_no_formula(text: str) -> None:
    with pytest.raises(ValueError, match=r"stands|closed|left over"):
        parsed(text)


def test_decimal_numbers() -> None:
    values = [Fraction(13, 5), 10, -3, Fraction(-1, 8), Fraction(1, 100), 0]

    assert [decimal(value) for value in values] == ["2.6", "10", "-3", "-0.125", "0.01", "0"]
    with pytest.raises(NotExact):
        decimal(Fraction(1, 3))


def test_coefficients_are_those_of_a_plain_search() -> None:
    for seed in range(3):
        made = drawing.instance(f"new_operator/3,family=a#{seed}")
        assert isinstance(made, NewOperator)
        for facts in (made.facts, made.facts[:1], made.facts[1:]):
            plain = [
                dict(zip("mnk", numbers, strict=True))
                for numbers in product(range(1, 10), repeat=3)
                if all(
                    worked_out(fact, made.operators, dict(zip("mnk", numbers, strict=True)))[0]
                    == Fraction(value)
                    for fact, value in facts
                )
            ]
            assert sorted(fitting(made.operators, "mnk", facts), key=str) == sorted(plain, key=str)
            assert (len(plain) == 1) == (facts == made.facts)


def test_other_sizes() -> None:
    made = drawing.instance("new_operator/3,family=b,applications=8#1")

    assert len(made.work().process) == 8  # type: ignore[attr-defined]
    with pytest.raises(UserError, match="made no instance"):
        drawing.instance("new_operator/3,family=b,applications=3#1")


def test_coefficients_out_of_reach_are_refused() -> None:
    with pytest.raises(ValueError, match="50 unknown coefficients"):
        list(fitting((), "n" * 50, ()))
