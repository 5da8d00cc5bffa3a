"""Calculations with numbers in a fixed order: all of them, and whether a list of tokens is one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from quandary.core.errors import Unreadable
from quandary.puzzles._shared.expressions import LONGEST, SPELLINGS, Exact, read_expression

Tokens: TypeAlias = tuple[str, ...]
SIGNS = "+-*/"
MOST_NUMBERS = 6  # with more, there are millions of calculations


class Calculation(NamedTuple):
    """An expression without superfluous brackets."""

    tokens: Tokens
    value: Exact
    sign: str  # of what is calculated last; "" for a number alone

    @property
    def brackets(self) -> int:
        """How many pairs it has."""
        return self.tokens.count("(")


@lru_cache(maxsize=8)
def reached(numbers: tuple[int, ...]) -> Mapping[int, Sequence[Calculation]]:
    """Return the whole numbers that calculations with these numbers reach, and how each is
    reached.
    """
    found = dict[int, list[Calculation]]()
    for one in calculations(numbers):
        if one.value.denominator == 1:
            found.setdefault(int(one.value), []).append(one)
    return found


@lru_cache(maxsize=32)
def calculations(numbers: tuple[int, ...]) -> Sequence[Calculation]:
    """Return all calculations with these numbers that never divide by zero, each once."""
    if len(numbers) > MOST_NUMBERS:
        raise ValueError(f"calculations with more than {MOST_NUMBERS} numbers take too long")
    if len(numbers) == 1:
        return [Calculation((str(numbers[0]),), numbers[0], "")]
    return [
        joined
        for cut in range(1, len(numbers))
        for one, two in product(calculations(numbers[:cut]), calculations(numbers[cut:]))
        for joined in _joins(one, two)
    ]


def _joins(one: Calculation, two: Calculation) -> Iterator[Calculation]:
    a, b = one.value, two.value
    one_in_product, two_in_product = _tokens(one, "+-"), _tokens(two, "+-")
    if two.sign not in ("+", "-"):  # a + (b - c) is written a + b - c, which is (a + b) - c
        yield Calculation((*one.tokens, "+", *two.tokens), a + b, "+")
    yield Calculation((*one.tokens, "-", *two_in_product), a - b, "-")
    if two.sign not in ("*", "/"):  # likewise
        yield Calculation((*one_in_product, "*", *two_in_product), a * b, "*")
    if b:
        yield Calculation((*one_in_product, "/", *_tokens(two, SIGNS)), _divided(a, b), "/")


def _tokens(part: Calculation, bracketed: str) -> Tokens:
    """Return a part of an expression, in brackets if it ends with one of these signs."""
    if part.sign and part.sign in bracketed:
        return ("(", *part.tokens, ")")
    return part.tokens


def _divided(a: Exact, b: Exact) -> Exact:
    value = Fraction(a, b)
    return value.numerator if value.denominator == 1 else value


def obeys(tokens: Collection[str], forbidden: str, required: str) -> bool:
    """Return whether the signs of an expression are those that it may and must have."""
    return not any(sign in tokens for sign in forbidden) and all(
        sign in tokens for sign in required
    )


def value_of(tokens: Sequence[str], numbers: Sequence[int]) -> Exact | None:
    """Return the value of an expression with the given numbers in their order and one sign between
    each two; None if the tokens are no such expression, or divide by zero.
    """
    if len(tokens) > LONGEST:
        return None
    in_ours = spelled(tokens)
    others = [token for token in in_ours if token not in ("(", ")")]
    if others[::2] != [str(number) for number in numbers] or len(others) % 2 == 0:
        return None
    if not all(sign in tuple(SIGNS) for sign in others[1::2]):
        return None
    try:
        return read_expression(" ".join(in_ours)).value
    except Unreadable:
        return None


def spelled(tokens: Sequence[str]) -> list[str]:
    """Return the tokens with our signs: * and / for × and ÷."""
    return [token.translate(SPELLINGS) for token in tokens]
