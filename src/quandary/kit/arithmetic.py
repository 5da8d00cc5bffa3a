"""Expressions of whole numbers and + - * /: reading and joining them, and what some numbers can make.

Arithmetic is exact.  An expression is kept fully bracketed and in one spelling: of the two sides of a sum or a product
the greater comes first, so expressions that differ in the order inside sums and products alone have the same text.

What can be made is found from the last step: it joins what two hands of the numbers make, however they are dealt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import NamedTuple, TypeAlias

from quandary.core.errors import Unreadable

HOW = "Write an expression of whole numbers with +, -, *, / and round brackets, for example: (6 + 2) * 3"
SIGNS: Mapping[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
SPELLINGS = str.maketrans({"×": "*", "·": "*", "∗": "*", "x": "*", "X": "*", "÷": "/", "∕": "/", "−": "-", "–": "-"})
LONGEST = 400  # characters of an expression; one of six numbers takes a hundred or so

Ratio: TypeAlias = tuple[int, int]  # lowest terms, the denominator positive; hashing a Fraction would be the main cost


class Expression(NamedTuple):
    """An expression that was read."""

    text: str  # fully bracketed, in its one spelling
    value: Fraction | None  # None where it divides by zero
    sign: str = ""
    parts: tuple[Expression, ...] = ()  # none in a bare number


@lru_cache(maxsize=1 << 16)
def read_expression(text: str) -> Expression:
    """The expression `text` writes, with the usual precedence; other signs than + - * / are for SPELLINGS to translate first."""
    if len(text) > LONGEST or re.search(r"[^-+*/() 0-9]|[0-9]{13}", text):
        raise Unreadable(HOW)
    try:
        return _built(ast.parse(text.strip(), mode="eval").body)  # read as Python, never run
    except (SyntaxError, RecursionError, MemoryError):
        raise Unreadable(HOW) from None


def joined(one: Expression, sign: str, two: Expression) -> Expression:
    """Two expressions with a sign between them, in the one spelling."""
    if sign in "+*" and (one.value or 0, one.text) < (two.value or 0, two.text):
        one, two = two, one
    a, b, value = one.value, two.value, None
    if a is not None and b is not None and (b or sign != "/"):
        value = a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b
    return Expression(f"({one.text} {sign} {two.text})", value, sign, (one, two))


def joins(one: Expression, two: Expression) -> Iterator[Expression]:
    """The six ways to join two expressions, less those that divide by zero."""
    yield joined(one, "+", two)
    yield joined(one, "-", two)
    yield joined(two, "-", one)
    yield joined(one, "*", two)
    yield from (joined(top, "/", bottom) for top, bottom in ((one, two), (two, one)) if bottom.value)


def ratios(values: Iterable[Fraction | int]) -> tuple[Ratio, ...]:
    """The values as `made` and `reaches` take them: sorted, so that what was found out about them is found again."""
    return tuple(sorted(value.as_integer_ratio() for value in values))


@lru_cache(maxsize=1 << 18)
def reaches(values: tuple[Ratio, ...], target: Ratio) -> bool:
    """Whether all of `values` can be joined into `target`."""
    return values == (target,) or any(_makes(one, two, target) for one, two in _last_steps(values))


@lru_cache(maxsize=1 << 10)
def made(values: tuple[Ratio, ...]) -> frozenset[Ratio]:
    """All that can be made by joining all of `values`."""
    if len(values) == 1:
        return frozenset(values)
    return frozenset(value for one, two in _last_steps(values) for value in _results(one, two))


def _built(tree: ast.expr) -> Expression:
    match tree:
        case ast.Constant(value=int(number)):
            return Expression(str(number), Fraction(number))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):  # a value on the way, such as -4
            return Expression(str(-number), Fraction(-number))
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SIGNS:
            return joined(_built(left), SIGNS[type(operator)], _built(right))
    raise Unreadable(HOW)


def _last_steps(values: tuple[Ratio, ...]) -> Iterator[tuple[Ratio, Ratio]]:
    """The two values a last step can join: every deal of `values` into two hands, and all that each hand can make."""
    hands = set()
    for deal in range(1, 1 << (len(values) - 1)):
        one = tuple(value for place, value in enumerate(values) if deal >> place & 1)
        two = tuple(value for place, value in enumerate(values) if not deal >> place & 1)
        if (one, two) not in hands:
            hands |= {(one, two), (two, one)}
            yield from ((a, b) for a in made(one) for b in made(two))


def _results(one: Ratio, two: Ratio) -> list[Ratio]:
    """What the six steps on two values make."""
    (a, b), (c, d) = one, two
    ad, cb, bd = a * d, c * b, b * d
    found = [_lowest(ad + cb, bd), _lowest(ad - cb, bd), _lowest(cb - ad, bd), _lowest(a * c, bd)]
    return found + ([_lowest(ad, cb)] if c else []) + ([_lowest(cb, ad)] if a else [])


def _makes(one: Ratio, two: Ratio, target: Ratio) -> bool:
    """Whether one of the six steps on two values makes `target`; crosswise products need no lowest terms."""
    (a, b), (c, d), (t, u) = one, two, target
    ad, cb = a * d, c * b
    tbd = t * b * d
    if tbd in ((ad + cb) * u, (ad - cb) * u, (cb - ad) * u, a * c * u):
        return True
    return (c != 0 and ad * u == t * cb) or (a != 0 and cb * u == t * ad)


def _lowest(top: int, bottom: int) -> Ratio:
    shared = gcd(top, bottom) if bottom > 0 else -gcd(top, bottom)
    return top // shared, bottom // shared
