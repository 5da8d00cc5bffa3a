"""Numbers as they are written: in five ways, changed part by part, and drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Literal, TypeAlias

Format: TypeAlias = Literal["integer", "decimal", "fraction", "percentage", "complex"]
FORMATS: tuple[Format, ...] = ("integer", "decimal", "fraction", "percentage", "complex")
MARKS: dict[str, Format] = {"i": "complex", "%": "percentage", "/": "fraction", ".": "decimal"}
DIGITS = "0123456789"
NEGATIVE = 0.3  # the chance of a minus sign before a number


def format_of(number: str) -> Format:
    return next((way for mark, way in MARKS.items() if mark in number), "integer")


def parts_reversed(number: str) -> str:
    """Return the number with the digits of each part in reverse order."""
    return _by_parts(number, lambda digits: digits[::-1])


def parts_added(number: str) -> str:
    """Return the number with the sum of its digits for each part."""
    return _by_parts(number, lambda digits: str(sum(map(int, digits))))


def _by_parts(number: str, change: Callable[[str], str]) -> str:
    """Return the number with each row of digits changed; of complex ones, also the sign between."""
    changed = re.sub("[0-9]+", lambda row: change(row[0]), number)
    if format_of(number) != "complex":
        return changed
    at = max(changed.rfind("+"), changed.rfind("-"))
    return f"{changed[:at]}{'-' if changed[at] == '+' else '+'}{changed[at + 1 :]}"


def drawn(rng: Random, way: Format, digits: tuple[int, int]) -> str:
    """Return a number whose parts have so many digits, from least to most."""
    sign = "-" if rng.random() < NEGATIVE else ""
    whole = _whole(rng, digits)
    if way == "decimal":
        return f"{sign}{whole}.{_row(rng, digits)}"
    if way == "fraction":
        return f"{sign}{whole}/{_whole(rng, digits)}"
    if way == "percentage":
        return f"{sign}{whole}%"
    if way == "complex":
        real, imaginary = (
            drawn(rng, rng.choice(FORMATS[:2]), digits).removeprefix("-") for _ in range(2)
        )
        return f"{sign}{real}{rng.choice('+-')}{imaginary}i"
    return sign + whole


def _row(rng: Random, size: tuple[int, int]) -> str:
    return "".join(rng.choices(DIGITS, k=rng.randint(*size)))


def _whole(rng: Random, size: tuple[int, int]) -> str:
    """Digits of which the first is not 0."""
    return rng.choice(DIGITS[1:]) + _row(rng, (size[0] - 1, size[1] - 1))
