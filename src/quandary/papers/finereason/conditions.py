"""The published conditions of clues: a small language, parsed and evaluated without Python's own.

`T[r('Guy')][c('times')]` is the value in the column `times` of the row that contains Guy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from quandary.puzzles.solo.logic_grid.solver.clues import Value

TOKEN = re.compile(
    r"\s*(?:(?P<text>'[^'\\]*'|\"[^\"\\]*\")|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<sign>==|!=|<|>|[-+()\[\]]|and\b|or\b|T\b|r\b|c\b)|(?P<end>$))"
)
COMPARISONS = ("==", "!=", "<", ">")
DEEPEST = 20  # brackets within each other
Table: TypeAlias = Sequence[Sequence[Value]]  # rows of a grid, titles first, "" for a gap


class Cell(NamedTuple):
    """The value in a column of the row that contains a thing."""

    thing: Value
    column: str


class Sum(NamedTuple):
    """Cells and constants, each with its sign (1 or -1)."""

    terms: tuple[tuple[int, Cell | Value], ...]

    @property
    def only(self) -> Cell | Value | None:
        """The term, if it is the only one and is not subtracted."""
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == 1 else None


class Comparison(NamedTuple):
    left: Sum
    sign: str  # one of COMPARISONS
    right: Sum


class All(NamedTuple):
    parts: tuple[Condition, ...]


class Any(NamedTuple):
    parts: tuple[Condition, ...]


Condition: TypeAlias = Comparison | All | Any


class NotUnderstood(ValueError):
    """A text that is not a condition; `place` is where it stops being one, from 0."""

    def __init__(self, place: int, expected: str) -> None:
        super().__init__(f"{expected} is expected there")
        self.place = place


def parse(text: str) -> Condition:
    """Return the condition that a text writes, or NotUnderstood."""
    parser = Parser(text)
    found = parser.either(0)
    parser.take("", "the end")
    return found


class Parser:
    """Reads a condition from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.kind, self.token = "", ""  # of the next token, which begins at `place`
        self._next(0)

    def _next(self, place: int) -> None:
        self.place = place + len(self.text[place:]) - len(self.text[place:].lstrip())
        found = TOKEN.match(self.text, place)
        if not found:
            raise NotUnderstood(self.place, "a condition such as T[r('Guy')][c('times')] == 9")
        self.kind, self.token, self.after = str(found.lastgroup), found[0].strip(), found.end()

    def take(self, token: str, expected: str = "") -> None:
        if self.token != token:
            raise NotUnderstood(self.place, expected or repr(token))
        self._next(self.after)

    def either(self, depth: int) -> Condition:
        parts = [self.both(depth)]
        while self.token == "or":
            self.take("or")
            parts.append(self.both(depth))
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def both(self, depth: int) -> Condition:
        parts = [self.one(depth)]
        while self.token == "and":
            self.take("and")
            parts.append(self.one(depth))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def one(self, depth: int) -> Condition:
        if self.token != "(":
            return self.comparison()
        if depth == DEEPEST:
            raise NotUnderstood(self.place, "a comparison")
        self.take("(")
        inner = self.either(depth + 1)
        self.take(")")
        return inner

    def comparison(self) -> Comparison:
        left, sign = self.sum(), self.token
        if sign not in COMPARISONS:
            raise NotUnderstood(self.place, "==, !=, < or >")
        self.take(sign)
        return Comparison(left, sign, self.sum())

    def sum(self) -> Sum:
        sign, terms = 1, list[tuple[int, Cell | Value]]()
        if self.token == "-":
            self.take("-")
            sign = -1
        while True:
            terms.append((sign, self.term()))
            if self.token not in ("+", "-"):
                return Sum(tuple(terms))
            sign = 1 if self.token == "+" else -1
            self.take(self.token)

    def term(self) -> Cell | Value:
        if self.token != "T":
            return self.value()
        for token in ("T", "[", "r", "("):
            self.take(token)
        thing = self.value()
        for token in (")", "]", "[", "c", "("):
            self.take(token)
        if self.kind != "text":
            raise NotUnderstood(self.place, "the title of a column")
        column = str(self.value())
        for token in (")", "]"):
            self.take(token)
        return Cell(thing, column)

    def value(self) -> Value:
        kind, token = self.kind, self.token
        if kind not in ("text", "number"):
            raise NotUnderstood(self.place, "a value or T[r(...)][c(...)]")
        self._next(self.after)
        if kind == "text":
            return token[1:-1]
        return float(token) if "." in token else int(token)


def is_true(condition: Condition, table: Table) -> bool:
    """Return whether a condition is true of a table, as the published grader read it.

    A thing that is not there has a gap in every column; a gap is other than any value, and where a
    number is needed, nothing is true of it.
    """
    try:
        return _holds(condition, table)
    except TypeError:  # a gap where a number is needed
        return False


def _holds(condition: Condition, table: Table) -> bool:
    match condition:
        case All(parts):
            return all(_holds(part, table) for part in parts)
        case Any(parts):
            return any(_holds(part, table) for part in parts)
    left, right = _value(condition.left, table), _value(condition.right, table)
    if condition.sign in ("==", "!="):
        return (left == right) is (condition.sign == "==")
    return left < right if condition.sign == "<" else left > right  # type: ignore[operator]


def _value(side: Sum, table: Table) -> Value:
    if side.only is not None:
        return _term(side.only, table)
    return sum(sign * _term(term, table) for sign, term in side.terms)  # type: ignore[misc]


def _term(term: Cell | Value, table: Table) -> Value:
    if not isinstance(term, Cell):
        return term
    titles, *rows = table
    row = next((row for row in rows if term.thing in row), None)
    if row is None or term.column not in titles:
        return ""
    return row[list(titles).index(term.column)]


def values_in(condition: Condition) -> list[Value]:
    """Return the values that a condition names as things, in order; offsets are none."""
    if not isinstance(condition, Comparison):
        return [value for part in condition.parts for value in values_in(part)]
    sides = condition.left, condition.right
    found = [term.thing for side in sides for _, term in side.terms if isinstance(term, Cell)]
    if any(isinstance(side.only, Cell) for side in sides):
        found += [side.only for side in sides if not isinstance(side.only, Cell | None)]
    return list(dict.fromkeys(found))
