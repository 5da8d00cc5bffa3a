"""Operators that are defined by formulas: reading and exact values, without SymPy and `eval`.

A formula is about x and y, and perhaps coefficients named by other letters.  An expression joins
numbers with new operators; these bind less than + - × ÷ ^ and log, and from left to right.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import log
from operator import add, itemgetter, mul, sub
from typing import Any, NamedTuple, TypeAlias

TOKEN = re.compile(r"\d+|log_|\S")
SIGNS = {"+": 2, "-": 2, "×": 3, "÷": 3, "^": 4}  # how tightly they bind; new operators: 1
COEFFICIENTS = range(1, 10)  # values that an unknown coefficient may have
MOST_UNKNOWN = 5
LARGEST = 10_000  # bits of a power
DEEPEST = 50  # brackets within each other

NOTHING_KNOWN: Mapping[str, int] = {}

Exact: TypeAlias = int | Fraction  # whole values are int, which is many times faster
Formula: TypeAlias = Callable[[Mapping[str, Exact]], Exact]
Step: TypeAlias = tuple[int, int, Exact]  # minus the brackets around it, its place, its value
Steps: TypeAlias = list[Step] | deque[Step]
Operators: TypeAlias = tuple[tuple[str, str], ...]  # symbols and their formulas
Fact: TypeAlias = tuple[str, str]  # an expression and its value


class NotExact(ArithmeticError):
    """A value that does not exist or that no decimal number is equal to."""


class Node(NamedTuple):
    """A part of a formula or an expression."""

    sign: str  # of an operator, "log", "number" or "name"
    parts: tuple[Any, ...] = ()  # two nodes
    depth: int = 0  # brackets around it
    place: int = 0  # among the tokens
    number: int = 0
    name: str = ""


def applications(expression: str, symbols: str) -> Iterator[Node]:
    """Yield the uses of new operators."""
    nodes = [parsed(expression, symbols)]
    while nodes:
        node = nodes.pop()
        nodes += node.parts
        if node.sign in symbols:
            yield node


def worked_out(
    expression: str,
    operators: Operators,
    coefficients: Mapping[str, int] = NOTHING_KNOWN,
    without: object = None,
) -> tuple[Exact, list[Exact]]:
    """Return the value of an expression, and those of its operators in the order of working them
    out.

    The deepest in brackets come first, and equally deep ones from left to right.  An operator that
    is left out (`without`) gives what stands on its left.
    """
    steps = list[Step]()
    value = _value_of(expression, operators, steps, without)(coefficients)
    return value, [found for _, _, found in sorted(steps)]


def fitting(
    operators: Operators,
    unknowns: str,
    facts: Sequence[Fact],
    known: Mapping[str, int] = NOTHING_KNOWN,
) -> Iterator[Mapping[str, int]]:
    """Yield all coefficients with which every fact is true."""
    if facts:
        (expression, value), *later = facts
        used = "".join(formula for symbol, formula in operators if symbol in expression)
        wanted, value_of = Fraction(value), _value_of(expression, operators, deque(maxlen=0))
        for more in _extended(known, [one for one in unknowns if one in used]):
            if value_of(more) == wanted:
                yield from fitting(operators, unknowns, later, more)
    else:
        yield from _extended(known, unknowns)


def _extended(known: Mapping[str, int], names: Iterable[str]) -> Iterator[Mapping[str, int]]:
    missing = [name for name in names if name not in known]
    if len(missing) > MOST_UNKNOWN:
        raise ValueError(f"{len(missing)} unknown coefficients have too many values to try")
    for values in product(COEFFICIENTS, repeat=len(missing)):
        yield {**known, **dict(zip(missing, values, strict=True))}


@lru_cache(maxsize=1 << 12)
def formula(text: str) -> Formula:
    """Return what a formula gives for values of x, y and its coefficients."""
    return _compiled(parsed(text), {}, [])


def _value_of(
    expression: str, operators: Operators, steps: Steps, without: object = None
) -> Formula:
    formulas = {symbol: formula(text) for symbol, text in operators if symbol != without}
    return _compiled(parsed(expression, "".join(one for one, _ in operators)), formulas, steps)


def _compiled(node: Node, formulas: Mapping[str, Formula], steps: Steps) -> Formula:
    """Functions within functions, which are some times as fast as a walk over the nodes.

    What each new operator gives is added to the steps.
    """
    if node.sign == "number":
        return lambda names: node.number
    if node.sign == "name":
        return itemgetter(node.name)
    left, right = (_compiled(part, formulas, steps) for part in node.parts)
    if node.sign in SIGNS or node.sign == "log":
        join = JOINED[node.sign]
        return lambda names: join(left(names), right(names))
    if node.sign not in formulas:
        return left
    define = formulas[node.sign]

    def applied(names: Mapping[str, Exact]) -> Exact:
        value = define({**names, "x": left(names), "y": right(names)})
        steps.append((-node.depth, node.place, value))
        return value

    return applied


def decimal(value: Exact) -> str:
    """Return a value as a decimal number, without zeros at its end; NotExact where there is
    none.
    """
    places = next((places for places in range(10) if not 10**places % value.denominator), None)
    if places is None:
        raise NotExact(f"{value} is not a decimal number of at most 9 places")
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}}"
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if value < 0 else "") + whole + (f".{part}" if part else "")


def _quotient(one: Exact, other: Exact) -> Exact:
    if other == 0:
        raise NotExact(f"{one} ÷ 0")
    return _whole(Fraction(one) / other)


def _power(base: Exact, exponent: Exact) -> Exact:
    bits = max(abs(base.numerator), base.denominator).bit_length()
    too_large = abs(exponent.numerator) * bits > LARGEST
    if exponent.denominator != 1 or (base == 0 and exponent < 0) or too_large:
        raise NotExact(f"{base}^{exponent}")
    return _whole(Fraction(base) ** exponent.numerator)


def _logarithm(base: Exact, value: Exact) -> Exact:
    """It is rational if and only if some power of the value is a power of the base.

    If so, both are powers of one number, and of the base that power is at most its bits.
    """
    if base > 0 and base != 1 and value > 0:
        for bottom in range(1, max(base.numerator, base.denominator).bit_length() + 1):
            top = round(bottom * _log(value) / _log(base))
            if Fraction(base) ** top == Fraction(value) ** bottom:
                return _whole(Fraction(top, bottom))
    raise NotExact(f"log_{base}({value})")


def _whole(value: Exact) -> Exact:
    return value.numerator if value.denominator == 1 else value


def _log(value: Exact) -> float:
    return log(value.numerator) - log(value.denominator)


JOINED: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": add, "-": sub, "×": mul, "÷": _quotient, "^": _power, "log": _logarithm,
}  # fmt: skip


@lru_cache(maxsize=1 << 12)
def parsed(text: str, symbols: str = "") -> Node:
    """Return a formula, or an expression of new operators; ValueError if it is neither."""
    tokens = TOKEN.findall(text)
    node, end = _chain(tokens, 0, 0, symbols, 1)
    if end != len(tokens):
        raise ValueError(f"{''.join(tokens[end:])!r} is left over in {text!r}")
    return node


def _chain(
    tokens: list[str], place: int, depth: int, symbols: str, tightest: int
) -> tuple[Node, int]:
    """Operators that bind at least so tightly, from left to right."""
    left, place = _atom(tokens, place, depth, symbols)
    while place < len(tokens):
        sign = tokens[place]
        binds = SIGNS.get(sign, 1 if sign in symbols else 0)
        if binds < tightest:
            break
        right, end = _chain(tokens, place + 1, depth, symbols, binds + 1)
        left, place = Node(sign, (left, right), depth, place), end
    return left, place


def _atom(tokens: list[str], place: int, depth: int, symbols: str) -> tuple[Node, int]:
    token = tokens[place] if place < len(tokens) else ""
    if token.isdecimal():
        return Node("number", number=int(token)), place + 1
    if token.isascii() and token.isalpha():
        return Node("name", name=token), place + 1
    if token == "log_":
        base, place = _atom(tokens, place + 1, depth, symbols)
        argument, place = _atom(tokens, place, depth, symbols)
        return Node("log", (base, argument)), place
    if token != "(" or depth == DEEPEST:
        raise ValueError(f"{token!r} stands where a number should be")
    inner, place = _chain(tokens, place + 1, depth + 1, symbols, 1)
    if tokens[place : place + 1] != [")"]:
        raise ValueError("a bracket is not closed")
    return inner, place + 1
