"""What is only a name in a logic grid: the order of things, of columns but the first, of clues.

The rows keep their places.  What the first column measures counts only where a clue asks for an
amount, by the pairs of rows that it allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from quandary.algorithms.canonical_labelling import Colours, Order, Structure, least_image, ranked

from .clues import (
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
)
from .rules import Rows, rule_of

Image: TypeAlias = tuple[Any, ...]


class Renaming(NamedTuple):
    """Another order of columns, things and clues; each place holds the old one that goes there."""

    columns: tuple[int, ...]
    things: tuple[tuple[int, ...], ...]  # by old column
    clues: tuple[int, ...]

    def clue(self, clue: Clue) -> Clue:
        """Return a clue about the same things under their new numbers."""
        if isinstance(clue, AllDifferent):
            return AllDifferent(tuple(map(self._thing, clue.things)))
        parts = msgspec.structs.asdict(clue).items()
        renamed = {name: self._thing(part) for name, part in parts if isinstance(part, Thing)}
        return msgspec.structs.replace(clue, **renamed)

    def line(self, line: Sequence[int]) -> tuple[int, ...]:
        """Return a row of the table; what is no thing stays."""
        places = [(self.things[column], line[column]) for column in self.columns]
        return tuple(things.index(one) if one in things else one for things, one in places)

    def _thing(self, thing: Thing) -> Thing:
        place = self.things[thing.column].index(thing.index)
        return Thing(self.columns.index(thing.column), place)


def random_renaming(rng: Random, size: int, columns: int, clues: int) -> Renaming:
    """Return a random order of the columns but the first, of their things, and of the clues."""
    return Renaming(
        (0, *rng.sample(range(1, columns), columns - 1)),
        (tuple(range(size)), *(tuple(rng.sample(range(size), size)) for _ in range(columns - 1))),
        tuple(rng.sample(range(clues), clues)),
    )


def canonical_form(clues: Sequence[Clue], measures: tuple[float, ...], rows: Rows) -> Image:
    """Return the clues and where things stand, under names that do not depend on their own."""
    size = len(measures)
    facts = [_fact(clue, measures) for clue in clues]
    return size, least_image([_Things(size, facts, rows)], len(rows) - size)


class _Fact(NamedTuple):
    """A clue without its words: things that can change places without changing it form a group."""

    kind: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    is_even: bool = False  # whether the groups can change places too


def _fact(clue: Clue, measures: tuple[float, ...]) -> _Fact:
    rule = rule_of(clue, measures)
    things = rule.things
    match clue:
        case Together():
            return _Fact((0,), (things,))
        case Apart() | NeitherNor() | AllDifferent():
            return _Fact((1,), (things,))
        case Earlier() | EarlierBy():
            [(_, _, onto, _)] = rule.links
            return _Fact((2, *onto), (things[:1], things[1:]))
        case EitherOr():
            return _Fact((3,), (things[:1], things[1:]))
        case OneOther():
            return _Fact((4,), (things[:2], things[2:]), is_even=True)


class _Things(Structure[Image]):
    """The things of all columns but the first; those of the first are known by their rows."""

    def __init__(self, size: int, facts: Sequence[_Fact], rows: Rows) -> None:
        self.size, self.facts, self.rows = size, facts, rows[size:]

    def refined(self, colours: Colours, fixed: Order) -> list[int]:
        """Things by what clues say of them, by their rows, and by the others of their column."""
        found = ranked(list(zip(colours, self.rows, strict=True)))
        kinds = len(set(found))
        while kinds < len(found):
            found = ranked(self._seen_from(found))
            before, kinds = kinds, max(found) + 1
            if kinds == before:
                break
        return found

    def _seen_from(self, colours: list[int]) -> list[Any]:
        """For each thing its colour, those of its column, and those in the clues that name it."""
        size = self.size
        shown = [*range(-size, 0), *colours]  # the first column is told apart by its rows
        in_clues: list[list[Any]] = [[] for _ in colours]
        for kind, groups, is_even in self.facts:
            seen = [tuple(sorted([shown[thing] for thing in group])) for group in groups]
            for place, group in enumerate(groups):
                role = 0 if is_even else place
                about = kind, role, seen[place], *seen[:place], *seen[place + 1 :]
                for thing in group:
                    if thing >= size:
                        in_clues[thing - size].append(about)
        columns = [tuple(sorted(colours[at : at + size])) for at in range(0, len(colours), size)]
        return [
            (colour, columns[point // size], tuple(sorted(in_clues[point])))
            for point, colour in enumerate(colours)
        ]

    def image(self, order: Order) -> Image:
        size = self.size
        name = [*range(-size, 0), *([0] * len(order))]
        for place, point in enumerate(order):
            name[size + point] = place
        columns = dict[int, int]()
        shape = [columns.setdefault(point // size, len(columns)) for point in order]
        facts = []
        for kind, groups, is_even in self.facts:
            named = [tuple(sorted([name[thing] for thing in group])) for group in groups]
            facts.append((kind, *(sorted(named) if is_even else named)))
        return tuple(shape), tuple([self.rows[point] for point in order]), tuple(sorted(facts))

    def interchangeable(self, one: int, other: int) -> bool:
        return False  # of two that are, each is tried; with a single solution that is rare
