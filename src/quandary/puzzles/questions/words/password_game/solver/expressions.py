"""Arithmetic with one-digit numbers, in digits or in English words."""

from __future__ import annotations

from random import Random
from string import digits

SPOKEN = {
    "0": "zero", "1": "one", "2": "two", "3": "three", "4": "four",
    "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
    "+": "plus", "-": "minus", "*": "multiply by", "/": "divided by",
}  # fmt: skip
WRITTEN = {words.removesuffix(" by"): sign for sign, words in SPOKEN.items()}


def random_expression(rng: Random, operators: tuple[int, int]) -> str:
    """Return one-digit numbers and operators whose value is a whole number."""
    while True:
        signs = rng.choices("+-*/", k=rng.randint(*operators))
        first, *others = rng.choices(digits, k=len(signs) + 1)
        steps = [f" {sign} {number}" for sign, number in zip(signs, others, strict=True)]
        text = first + "".join(steps)
        if evaluate(text) is not None:
            return text


def evaluate(text: str) -> int | None:
    """Return the value of numbers and operators between blanks; None if it is not a whole
    number.
    """
    first, *rest = text.split()
    above, below = 0, 1  # the sum so far, as a fraction
    top, bottom = int(first), 1  # the product that is being multiplied out
    for sign, number in zip(rest[::2], map(int, rest[1::2]), strict=True):
        if sign == "*":
            top *= number
        elif sign == "/":
            bottom *= number
        elif sign in ("+", "-"):
            above, below = above * bottom + top * below, below * bottom
            top, bottom = int(sign + "1") * number, 1
        else:
            raise ValueError(f"{sign} is not an operator")
    above, below = above * bottom + top * below, below * bottom
    return above // below if below and above % below == 0 else None


def spoken(text: str) -> str:
    """Return an expression in words."""
    return " ".join(SPOKEN[token] for token in text.split())


def written(words: str) -> str:
    """Return an expression in words as numbers and operators."""
    text = words.lower().replace("multiplied", "multiply").replace(" by", "")
    return " ".join(WRITTEN.get(word, word) for word in text.split())
