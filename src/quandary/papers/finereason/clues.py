"""Turns published conditions into clues of our logic grids."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, permutations
from typing import TypeAlias

from quandary.puzzles.solo.logic_grid.solver.clues import (
    AllDifferent,
    Apart,
    Clue,
    Earlier,
    EarlierBy,
    EitherOr,
    NeitherNor,
    OneOther,
    Thing,
    Together,
    Value,
)

from .conditions import All, Any, Cell, Comparison, Condition

Pair: TypeAlias = tuple[Thing, Thing]


class Reader:
    """Reads the conditions of one puzzle, which has these titles and things by column."""

    def __init__(self, titles: Sequence[str], things: Sequence[Sequence[Value]]) -> None:
        self.titles, self.things = titles, things

    def clues(self, condition: Condition) -> list[Clue]:
        """Return the clue that says the same as a condition; ValueError if no kind of clue does.

        One published condition names another thing than its text does, and tells things apart
        that no single clue tells apart: it becomes several clues.
        """
        parts = _flat(condition)
        choices = [part for part in parts if isinstance(part, Any)]
        others = [part for part in parts if isinstance(part, Comparison)]
        if len(choices) == 1:
            return [self._choice(choices[0], others)]
        if choices:
            raise ValueError("it has several alternatives, which no kind of clue has")
        if len(parts) == 1 and others[0].sign != "!=":
            return [self._single(others[0])]
        begins_with_two = isinstance(condition, All) and isinstance(condition.parts[0], All)
        return self._all_apart(self._apart(others), begins_with_two)

    def _single(self, comparison: Comparison) -> Clue:
        if (
            comparison.sign == "=="
            and comparison.left.only
            and not isinstance(comparison.right.only, Cell | None)
        ):
            return Together(*self._pair(comparison))
        return self._order(comparison)

    def _order(self, comparison: Comparison) -> Clue:
        """Return a comparison of two values of the first column."""
        terms = [*comparison.left.terms, *((-sign, term) for sign, term in comparison.right.terms)]
        cells = {sign: term for sign, term in terms if isinstance(term, Cell)}
        numbers = [sign * n for sign, n in terms if isinstance(n, int | float)]
        if len(cells) != 2 or len(cells) + len(numbers) != len(terms) or len(numbers) > 1:
            raise ValueError("it is not a comparison of two values")
        if {cell.column for cell in cells.values()} != {self.titles[0]}:
            raise ValueError(f"it compares values of another column than {self.titles[0]}")
        greater, lesser = self._thing(cells[1].thing), self._thing(cells[-1].thing)
        if greater == lesser:
            raise ValueError("it compares a thing with itself")
        if comparison.sign == "==" and numbers:  # greater - lesser + number == 0
            if numbers[0] > 0:
                return EarlierBy(greater, lesser, numbers[0])
            return EarlierBy(lesser, greater, -numbers[0])
        if comparison.sign in "<>" and not numbers:
            return Earlier(greater, lesser) if comparison.sign == "<" else Earlier(lesser, greater)
        raise ValueError("no kind of clue compares values like that")

    def _all_apart(self, pairs: Sequence[Pair], begins_with_two: bool) -> list[Clue]:
        things = list(dict.fromkeys(thing for pair in pairs for thing in pair))
        if not things:
            raise ValueError("it is true of every table")
        if len(things) == 2 or _across(things) - set(map(frozenset, pairs)):
            return [Apart(*pair) for pair in dict.fromkeys(pairs)]
        shared = set(pairs[0]) & set(pairs[1])
        if len(things) == 3 and shared and (begins_with_two or len(pairs) == 2):
            [c] = shared
            a, b = (thing for thing in things if thing != c)
            return [NeitherNor(a, b, c)]
        return [AllDifferent(tuple(things))]

    def _choice(self, choice: Any, others: Sequence[Comparison]) -> Clue:
        ways = [[self._together(part) for part in _flat(way)] for way in choice.parts]
        named = {thing for way in ways for pair in way for thing in pair}
        apart = set(map(frozenset, self._apart(others, named)))
        match ways:
            case [[one], [other]]:
                a, b, c = _shared_first(one, other)
                clue: Clue = EitherOr(a, b, c)
                is_complete = apart == _across([b, c])
            case [[_, _], [_, _]]:
                clue = one_other = _one_other(ways)
                first = _across([one_other.a, one_other.b])
                second = _across([one_other.c, one_other.d])
                # If the things of one pair are apart, so are those of the other.
                is_complete = apart <= first | second and bool(apart or not first or not second)
            case _:
                raise ValueError("no kind of clue has such alternatives")
        if not is_complete:
            raise ValueError("it distinguishes other things than its alternatives")
        return clue

    def _together(self, part: Condition) -> Pair:
        if not isinstance(part, Comparison) or part.sign != "==":
            raise ValueError("one of its alternatives does not say that two things go together")
        return self._pair(part)

    def _apart(self, parts: Sequence[Comparison], named: Collection[Thing] = ()) -> list[Pair]:
        """Return the pairs that are told apart, without those of one column, which are so
        anyway.
        """
        if any(part.sign != "!=" for part in parts):
            raise ValueError("it joins comparisons that no kind of clue joins")
        pairs = [self._pair(part, named) for part in parts]
        return [(one, other) for one, other in pairs if one.column != other.column]

    def _pair(self, comparison: Comparison, named: Collection[Thing] = ()) -> Pair:
        """Return the things of `T[r(one)][c(title)] == other`.

        Two published conditions misspell a time that they name rightly before; `named` has it.
        """
        cell, other = comparison.left.only, comparison.right.only
        if not isinstance(cell, Cell) or other is None or isinstance(other, Cell):
            raise ValueError("it does not compare a cell with a thing")
        if cell.column not in self.titles:
            raise ValueError(f"{cell.column!r} is not the title of a column")
        one, column = self._thing(cell.thing), self.titles.index(cell.column)
        if other in self.things[column]:
            two = Thing(column, self.things[column].index(other))
            if one == two:
                raise ValueError("it compares a thing with itself")
            return one, two
        meant = [thing for thing in named if thing.column == column]
        if len(meant) != 1:
            raise ValueError(f"{other!r} is not one of its {cell.column}")
        return one, meant[0]

    def _thing(self, value: Value) -> Thing:
        found = [
            Thing(column, things.index(value))
            for column, things in enumerate(self.things)
            if value in things
        ]
        if len(found) != 1:
            columns = "several columns" if found else "no column"
            raise ValueError(f"{value!r} is in {columns}")
        return found[0]


def _flat(condition: Condition) -> list[Condition]:
    """Return the parts that must all be true."""
    if not isinstance(condition, All):
        return [condition]
    return [inner for part in condition.parts for inner in _flat(part)]


def _across(things: Sequence[Thing]) -> set[frozenset[Thing]]:
    """Return the pairs of things of different columns; others are apart anyway."""
    pairs = combinations(things, 2)
    return {frozenset((one, other)) for one, other in pairs if one.column != other.column}


def _shared_first(one: Pair, other: Pair) -> tuple[Thing, Thing, Thing]:
    """Return the thing that two pairs share, and the others."""
    shared = [thing for thing in one if thing in other]
    if len(shared) != 1:
        raise ValueError("its alternatives are not about one thing")
    [b], [c] = ([thing for thing in pair if thing != shared[0]] for pair in (one, other))
    return shared[0], b, c


def _one_other(ways: Sequence[Sequence[Pair]]) -> OneOther:
    (first, second), crossed = ways[0], set(map(frozenset, ways[1]))
    for b, d in permutations(second):
        a, c = first
        if {frozenset((a, d)), frozenset((b, c))} == crossed:
            return OneOther(a, b, c, d)
    raise ValueError("its alternatives do not exchange two things")
