"""New operators by crossing out: the deepest brackets are found and replaced by their value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

RANKS = ("^", "×÷", "+-")  # of plain signs, the first to be worked out first


def work(instance: Any) -> tuple[list[Any], list[Any]]:
    operators = dict(instance.operators)
    if not instance.unknowns:
        steps = list[Fraction]()
        value = _value(_tokens(instance.expression), operators, {}, steps)
        return [_written(value)], [_written(step) for step in steps]
    names = list(instance.unknowns)
    fitting = [
        dict(zip(names, map(Fraction, numbers), strict=True))
        for numbers in product(range(1, 10), repeat=len(names))
    ]
    for fact, value in instance.facts:
        fitting = _true(fact, Fraction(value), operators, fitting)
    (known,) = fitting
    value = _value(_tokens(instance.expression), operators, known, [])
    return [_written(value)], [_written(known[name]) for name in names]


def _true(
    fact: str, value: Fraction, operators: dict[str, str], candidates: list[dict[str, Fraction]]
) -> list[dict[str, Fraction]]:
    """Those with which a fact is true; each of its values is worked out once."""
    used = "".join(formula for symbol, formula in operators.items() if symbol in fact)
    values = dict[tuple[Any, ...], Fraction]()
    left = []
    for known in candidates:
        key = tuple(number for name, number in known.items() if name in used)
        if key not in values:
            values[key] = _value(_tokens(fact), operators, known, [])
        if values[key] == value:
            left.append(known)
    return left


@cache
def _tokens(text: str) -> tuple[Any, ...]:
    found = re.findall(r"\d+|log_|[^ ]", text)
    return tuple(Fraction(one) if one.isdigit() else one for one in found)


def _value(
    given: Sequence[Any],
    operators: dict[str, str],
    known: dict[str, Fraction],
    steps: list[Fraction],
) -> Fraction:
    tokens = [known.get(one, one) if isinstance(one, str) else one for one in given]
    while "(" in tokens:
        depths, depth = [], 0
        for one in tokens:
            depth += {"(": 1, ")": -1}.get(one, 0) if isinstance(one, str) else 0
            depths.append(depth)
        start = depths.index(max(depths))
        end = tokens.index(")", start)
        tokens[start : end + 1] = [_flat(tokens[start + 1 : end], operators, known, steps)]
    return _flat(tokens, operators, known, steps)


def _flat(
    given: Sequence[Any],
    operators: dict[str, str],
    known: dict[str, Fraction],
    steps: list[Fraction],
) -> Fraction:
    """Without brackets: logarithms, then plain signs by rank, then new operators."""
    tokens = list(given)
    while "log_" in tokens:
        place = tokens.index("log_")
        tokens[place : place + 3] = [_logarithm(tokens[place + 1], tokens[place + 2])]
    for signs in (*RANKS, "".join(operators)):
        while places := [
            at for at, one in enumerate(tokens) if isinstance(one, str) and one in signs
        ]:
            place = places[0]
            left, sign, right = tokens[place - 1 : place + 2]
            if sign in operators:
                defined = {**known, "x": left, "y": right}
                value = _value(_tokens(operators[sign]), {}, defined, [])
                steps.append(value)
            else:
                value = _plain(left, sign, right)
            tokens[place - 1 : place + 2] = [value]
    (value,) = tokens
    return Fraction(value)


def _plain(left: Fraction, sign: str, right: Fraction) -> Fraction:
    if sign == "^":
        result = Fraction(1)
        for _ in range(abs(int(right))):
            result = result * left if right > 0 else result / left
        return result
    if sign in "+-":
        return left + right if sign == "+" else left - right
    return left * right if sign == "×" else left / right


def _logarithm(base: Fraction, value: Fraction) -> Fraction:
    """Halves of powers are tried too, as log_4(8) needs."""
    for bottom in range(1, 13):
        for top in range(-200, 201):
            if base**top == value**bottom:
                return Fraction(top, bottom)
    raise AssertionError(f"log_{base}({value})")


def _written(value: Fraction) -> str:
    """By long division."""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    text = f"{'-' if value < 0 else ''}{whole}{'.' if rest else ''}"
    while rest:
        digit, rest = divmod(rest * 10, value.denominator)
        text += str(digit)
    return text
