"""Expressions are read as Python reads them; steps are known without listing them."""

from __future__ import annotations

import ast
from fractions import Fraction
from random import Random

from quandary.core.errors import Unreadable
from quandary.puzzles._shared.expressions import Expression, Steps, joined, read_expression

SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
PIECES = ["1", "12", "(3)", "-4", "(-0)", "00", "07", "7 ", "(", ")", "-", " + ", "*", "/", " "]


def _as_python(tree: ast.expr) -> Expression:
    match tree:
        case ast.Constant(value=int(number)):
            return Expression(str(number), Fraction(number))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return Expression(str(-number), Fraction(-number))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in SIGNS:
            return joined(_as_python(left), SIGNS[type(sign)], _as_python(right))
    raise Unreadable()


def test_expressions_are_read_as_python_reads_them() -> None:
    rng, read = Random(1), 0
    for _ in range(4_000):
        text = "".join(rng.choices(PIECES, k=rng.randint(1, 7)))
        try:
            expected = _as_python(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, Unreadable):
            expected = None
        try:
            found = read_expression(text)
        except Unreadable:
            found = None
        assert expected == found, text
        read += found is not None
    assert read > 100


def test_steps_are_those_that_are_listed() -> None:
    """Two equal expressions are there twice; another spelling is not a step."""
    steps = Steps(("(3 + 3)", "3", "3"))

    assert all(step in Steps(steps.expressions) for step in list(steps))
    assert "3 - 3" in steps and "3 / 3" in steps
    for other in ("3 + (3 + 3)", "(3) + (3)", "(3 + 3) - (3 + 3)", "3", "3 + 4", "", "3) + (3"):
        assert other not in steps and other not in list(steps)
    assert "3 / (2 - 2)" not in Steps(("(2 - 2)", "3"))
