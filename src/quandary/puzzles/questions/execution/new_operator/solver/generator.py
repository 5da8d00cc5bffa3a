"""Drawn formulas for new operators, and expressions whose values are all short decimal numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from .formulas import Exact, NotExact, formula

NUMBERS: Sequence[int] = range(1, 16)  # operands
EXPONENTS: Sequence[int] = (2, 3, 4)
BASES = (2, 3, 5)
POWERS = (1, 2, 3, 4)  # of a base, of which a logarithm is taken
LARGEST, PARTS = 10_000, 100  # values: their size, and that they are whole hundredths
CHAINED = 0.4  # how often two operators follow each other without brackets
TRIES = 6  # numbers that are drawn for an operand
# Kinds of formulas by level, one for each operator; p and q are drawn from 2 to 9, b is a base.
KINDS: Mapping[str, Sequence[Sequence[Sequence[str]]]] = {
    "a": [
        [("p×x - q×y", "p×x + q×y", "p×y - q×x")],
        [("(x + p×y) ÷ y - q", "(p×x - q) ÷ y", "(p×x + q×y) ÷ 4", "p×x ÷ y - q")],
        [("p×x×y - (x + q×y)", "x×y - p×(x + y) + q", "p×x - q×x×y", "(x - p)×(y + q)")],
        [
            ("m×x + n×y", "m×x - n×y", "m×x×y + n×y", "m×(x + y) - n×x"),
            ("k×x×y", "k×x + y", "k×(x + y)", "x×y - k×y"),
        ],
    ],
    "b": [
        [("x + p×y + q", "x - p×y + q", "p×y - x - q")],
        [("(x - y + p)×y - q", "(p×x - y)×(y + q)", "(x + p)×(y - q)", "(x + p×y)×q - x")],
        [("x ÷ y + p×(x + y) - q", "(x + p) ÷ y + q×y", "p×x ÷ y - (x - q×y)")],
        [
            ("p×x - y", "x - p×y", "p×x + y"),
            ("(x + y)^2 - p", "(x - y)^2 + p"),
            ("(x + y) - p×(x - y)", "p×(x + y) - (x - y)"),
            ("y^2 ÷ x", "x^2 ÷ y", "(x + p) ÷ y"),
        ],
    ],
    "c": [
        [("p×x^y + q×x", "p×x^2 - q×y", "x^2 + p×y^2 - q", "(x + p×y)^2 - q", "p×(x + y)^2 - q×x")],
        [
            (
                "p×(x - y)^y + q",
                "p×(x - q)^2 - y",
                "(x - p×y)^2 + q×y",
                "(x + y)^2 - p×x^2 + q",
                "(p×x - y)^2 - q×x",
            )
        ],
        [("p×x + q×log_b(y)", "x^2 - p×y^2 + q", "(x - y)^2 + p×x - q", "p×x - x×log_b(y^2) + q")],
        [
            ("x^2 - p×y", "p×x - y^2"),
            ("x + p×log_b(y)", "x - log_b(y^p)", "p×x - log_b(y)"),
            ("p×x ÷ y", "(x - p) ÷ y"),
            ("(x - y)^2 - p", "(x + y)^2 ÷ p", "p - (x - y)^2"),
        ],
    ],
}


def drawn_formulas(rng: Random, kinds: Sequence[Sequence[str]]) -> list[str]:
    """Return one formula of each kind."""
    formulas = []
    for kind in kinds:
        drawn = {"p": rng.randint(2, 9), "q": rng.randint(2, 9), "b": rng.choice(BASES)}
        formulas.append("".join(str(drawn.get(one, one)) for one in rng.choice(kind)))
    return formulas


@dataclass(frozen=True)
class Drawing:
    """Draws expressions with operators whose coefficients, if there are any, are known."""

    rng: Random
    formulas: Mapping[str, str]  # by symbol
    coefficients: Mapping[str, int]

    def expression(self, order: Sequence[str]) -> tuple[str, Exact]:
        """Return one with all operators of `order`, and its value; NotExact if a value does not
        fit.
        """
        here = order[: 1 + (self.rng.random() < CHAINED)]
        inner: list[list[str]] = [[] for _ in range(len(here) + 1)]  # operators of each operand
        # A logarithm is taken of a power that is drawn for it, not of what other operators give.
        free = [0, *(place for place, one in enumerate(here, 1) if not self._is_log(one))]
        for symbol in order[len(here) :]:
            inner[self.rng.choice(free)].append(symbol)
        text, value = self._operand(inner[0], "")
        for symbol, within in zip(here, inner[1:], strict=True):
            right, value = self._applied(symbol, value, within)
            text = f"{text} {symbol} {right}"
        return text, value

    def _applied(self, symbol: str, left: Exact, within: Sequence[str]) -> tuple[str, Exact]:
        """Return what stands on the right of an operator, and the value that it gives."""
        for _ in range(TRIES):
            text, right = self._operand(within, symbol)
            try:
                value = formula(self.formulas[symbol])({**self.coefficients, "x": left, "y": right})
            except NotExact:
                continue
            if -LARGEST <= value <= LARGEST and not PARTS % value.denominator:
                return text, value
        raise NotExact(f"{left} {symbol}")

    def _operand(self, within: Sequence[str], symbol: str) -> tuple[str, Exact]:
        """Operators in brackets, or a number that fits on the right of the symbol."""
        if within:
            text, value = self.expression(within)
            return f"({text})", value
        text = self.formulas.get(symbol, "")
        if self._is_log(symbol):
            number = int(text.partition("log_")[2][0]) ** self.rng.choice(POWERS)
        else:
            number = self.rng.choice(EXPONENTS if "^y" in text else NUMBERS)
        return str(number), number

    def _is_log(self, symbol: str) -> bool:
        return "log_" in self.formulas.get(symbol, "")
