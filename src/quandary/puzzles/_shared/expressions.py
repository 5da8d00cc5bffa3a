"""Expressions of whole numbers and + - * /: reading and joining them.

Arithmetic is exact.  Expressions are stored fully bracketed in a canonical spelling: the greater
side of a sum or product comes first, so expressions that differ only in the order inside sums and
products have the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from quandary.core.errors import Unreadable
from quandary.core.moves import HALF_WIDTH
from quandary.puzzles._shared.lazy_moves import LazyMoves

SPELLINGS = HALF_WIDTH | str.maketrans(
    {"×": "*", "·": "*", "∗": "*", "x": "*", "X": "*", "÷": "/", "∕": "/", "−": "-", "–": "-"}
)
LONGEST = 400  # characters of an expression; one with six numbers has about a hundred
DEEPEST = 100  # brackets within each other
READABLE = re.compile(r"[-+*/() 0-9]*")
TOKEN = re.compile(r"[0-9]+|[-+*/()]")

Exact: TypeAlias = int | Fraction  # whole values are int, which is many times faster


class Expression(NamedTuple):
    """An expression that was read."""

    text: str  # fully bracketed, in canonical spelling
    value: Exact | None  # None if it divides by zero
    sign: str = ""
    parts: tuple[Expression, ...] = ()  # empty for a number

    @property
    def step(self) -> str:
        """The step that makes it from its parts: its text without the outer brackets."""
        return self.text[1:-1]


@lru_cache(maxsize=1 << 13)
def read_expression(text: str) -> Expression:
    """Return the expression in `text`, with the usual precedence.

    Other signs than + - * / must be translated by SPELLINGS first.
    """
    if len(text) > LONGEST or not READABLE.fullmatch(text):
        raise Unreadable()
    tokens = TOKEN.findall(text)
    tokens.append("")  # the end
    tokens.reverse()
    found = _sum(tokens, 0)
    if tokens != [""]:
        raise Unreadable()
    return found


def _sum(tokens: list[str], depth: int) -> Expression:
    """Return the sum that the last tokens begin with; they are taken away."""
    found = _product(tokens, depth)
    while tokens[-1] in ("+", "-"):
        found = joined(found, tokens.pop(), _product(tokens, depth))
    return found


def _product(tokens: list[str], depth: int) -> Expression:
    found = _factor(tokens, depth)
    while tokens[-1] in ("*", "/"):
        found = joined(found, tokens.pop(), _factor(tokens, depth))
    return found


def _factor(tokens: list[str], depth: int) -> Expression:
    """Return a number, an expression in brackets, or an intermediate value such as -4."""
    token = tokens.pop()
    if token.isdigit():
        if len(token) > 12 or (token[0] == "0" and token.strip("0")):
            raise Unreadable()
        number = int(token)
        return Expression(str(number), number)
    if token == "(" and depth < DEEPEST:
        found = _sum(tokens, depth + 1)
        if tokens.pop() == ")":
            return found
    if token == "-":
        ahead = tokens.copy()
        found = _factor(tokens, depth)
        if not found.sign and found.value is not None and "-" not in ahead[len(tokens) :]:
            return Expression(str(-found.value), -found.value)
        raise Unreadable(
            "A minus sign may stand only between two expressions: write 9 - (6 + 2), not "
            "-(6 + 2) + 9."
        )
    raise Unreadable()


def joined(one: Expression, sign: str, two: Expression) -> Expression:
    """Two expressions joined by a sign, in canonical spelling."""
    if sign in "+*" and (one.value or 0, one.text) < (two.value or 0, two.text):
        one, two = two, one
    a, b, value = one.value, two.value, None
    if a is not None and b is not None and (b or sign != "/"):
        value = (
            a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*"
            else _divided(a, b)
        )  # fmt: skip
    return Expression(f"({one.text} {sign} {two.text})", value, sign, (one, two))


def _divided(a: Exact, b: Exact) -> Exact:
    value = Fraction(a, b)
    return value.numerator if value.denominator == 1 else value


def number_text(value: Exact) -> str:
    """Return a value as an expression."""
    return str(value) if value.denominator == 1 else f"({value.numerator} / {value.denominator})"


def joins(one: Expression, two: Expression) -> Iterator[Expression]:
    """Yield the six ways to join two expressions, except those that divide by zero."""
    yield joined(one, "+", two)
    yield joined(one, "-", two)
    yield joined(two, "-", one)
    yield joined(one, "*", two)
    yield from (
        joined(top, "/", bottom) for top, bottom in ((one, two), (two, one)) if bottom.value
    )


@dataclass(frozen=True)
class Steps(LazyMoves):
    """The joins of any two of some expressions, without their outer brackets, each once.

    They are listed only when that is needed; whether a step is one of them follows from its parts.
    """

    expressions: tuple[str, ...]

    @cached_property
    def _listed(self) -> list[str]:
        pairs = combinations(map(read_expression, self.expressions), 2)
        steps = (join.step for one, two in pairs for join in joins(one, two))
        return list(dict.fromkeys(steps))

    def __contains__(self, step: object) -> bool:
        written, left = f"({step})", list(self.expressions)
        try:
            text, value, _, parts = read_expression(written)
        except Unreadable:
            return False
        for part in parts:
            if part.text not in left:
                return False
            left.remove(part.text)
        return bool(parts) and value is not None and text == written


def is_made_of(wanted: Sequence[Expression], left: Sequence[str]) -> bool:
    """Return whether expressions are made of those that are left, each used exactly once."""
    if not wanted or not left:
        return not wanted and not left
    first, *others = wanted
    if first.text in left:
        place = left.index(first.text)
        if is_made_of(others, [*left[:place], *left[place + 1 :]]):
            return True
    return bool(first.parts) and is_made_of([*first.parts, *others], left)
