"""Expressions of whole numbers and + - * /: reading and joining them.

Arithmetic is exact.  Expressions are stored fully bracketed in a canonical spelling: the greater
side of a sum or product comes first, so expressions that differ only in the order inside sums and
products have the same text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from quandary.core.errors import Unreadable
from quandary.core.moves import HALF_WIDTH

HOW = (
    "Write an expression of whole numbers with +, -, *, / and round brackets, for example: (6 + "
    "2) * 3"
)
SIGNS: Mapping[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
SPELLINGS = HALF_WIDTH | str.maketrans(
    {"×": "*", "·": "*", "∗": "*", "x": "*", "X": "*", "÷": "/", "∕": "/", "−": "-", "–": "-"}
)
LONGEST = 400  # characters of an expression; one with six numbers has about a hundred


class Expression(NamedTuple):
    """An expression that was read."""

    text: str  # fully bracketed, in canonical spelling
    value: Fraction | None  # None if it divides by zero
    sign: str = ""
    parts: tuple[Expression, ...] = ()  # empty for a number


@lru_cache(maxsize=1 << 16)
def read_expression(text: str) -> Expression:
    """The expression in `text`, with the usual precedence.

    Other signs than + - * / must be translated by SPELLINGS first.
    """
    if len(text) > LONGEST or re.search(r"[^-+*/() 0-9]|[0-9]{13}", text):
        raise Unreadable(HOW)
    try:
        return _built(ast.parse(text.strip(), mode="eval").body)  # read as Python, never run
    except (SyntaxError, RecursionError, MemoryError):
        raise Unreadable(HOW) from None


def joined(one: Expression, sign: str, two: Expression) -> Expression:
    """Two expressions joined by a sign, in canonical spelling."""
    if sign in "+*" and (one.value or 0, one.text) < (two.value or 0, two.text):
        one, two = two, one
    a, b, value = one.value, two.value, None
    if a is not None and b is not None and (b or sign != "/"):
        value = a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b
    return Expression(f"({one.text} {sign} {two.text})", value, sign, (one, two))


def joins(one: Expression, two: Expression) -> Iterator[Expression]:
    """The six ways to join two expressions, except those that divide by zero."""
    yield joined(one, "+", two)
    yield joined(one, "-", two)
    yield joined(two, "-", one)
    yield joined(one, "*", two)
    yield from (
        joined(top, "/", bottom) for top, bottom in ((one, two), (two, one)) if bottom.value
    )


def _built(tree: ast.expr) -> Expression:
    match tree:
        case ast.Constant(value=int(number)):
            return Expression(str(number), Fraction(number))
        # An intermediate value, such as -4.
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
            return Expression(str(-number), Fraction(-number))
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SIGNS:
            return joined(_built(left), SIGNS[type(operator)], _built(right))
    raise Unreadable(HOW)
