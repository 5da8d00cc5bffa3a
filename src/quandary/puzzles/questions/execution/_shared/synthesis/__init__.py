"""Synthesis: the base class of questions in which methods turn some kinds of things into others.

A category says which kinds there are and how methods are drawn.  Drawn methods make only kinds that
come after all those that they take, in some order of the kinds; so methods come to an end, also
without some of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, NamedTuple, Self

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.bounds import Range
from quandary.core.contract import Doc, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Worked
from quandary.puzzles.questions.execution._shared.rewriting import Endless

from .solver import (
    MOST,
    Course,
    Method,
    Packed,
    drawn_start,
    near,
    packed,
    unpacked,
)

NEAR = 0.1  # the chance that a sibling's start is tried where there are some for sure


class Run(NamedTuple):
    """What methods do to the counts at the start."""

    methods: Sequence[Method]
    course: Course
    start: Packed
    used: Sequence[int]  # the places of the methods that are used, one after the other
    last: Packed

    @property
    def end(self) -> tuple[int, ...]:
        return unpacked(self.last, self.course.kinds)

    @property
    def states(self) -> list[tuple[int, ...]]:
        """The counts after each use of a method."""
        return self.course.states(self.start, self.used)


@dataclass(frozen=True)
class Synthesis(Worked):
    methods: Annotated[
        tuple[Method, ...], Doc("the methods in order: how many of each kind are taken, and made")
    ]
    counts: Annotated[tuple[int, ...], Doc("how many there are of each kind at the start")]

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names of the kinds."""

    @property
    @abstractmethod
    def tiers(self) -> Sequence[range]:
        """Kinds whose names are alike; at the start, there are things of the first tier only."""

    @abstractmethod
    def amount(self, number: int, kind: int, say: Say) -> str:
        """So many things of a kind, in words."""

    @classmethod
    def started(
        cls,
        rng: Random,
        family: str,
        level: int,
        course: Course,
        given: int,
        amounts: Range,
        steps: Range,
        **fields: Any,
    ) -> Self | None:
        """Try to draw a start for drawn methods, of the first kinds."""
        start = course.start(rng, given, amounts, steps)
        if start is None:
            return None
        return cls(family, level, course.methods, unpacked(start, course.kinds), **fields)

    def redraw(self, rng: Random, *, amounts: Range, steps: Range, **sizes: Any) -> Self | None:
        course, given = Course.of(self.methods, len(self.counts)), len(self.tiers[0])
        if rng.random() < NEAR:
            own = packed(self.counts[:given])
            start = rng.choice([own, *near(own, given, amounts)])
        else:
            start = drawn_start(rng, given, amounts)
        if course.end(start, steps) in (None, self.run().last):
            return None
        return replace(self, counts=unpacked(start, course.kinds))

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.methods))

    def run(self, without: Hashable = None) -> Run:
        """Use the methods, perhaps without one of them."""
        methods = [method for place, method in enumerate(self.methods) if place != without]
        course, start = Course.of(methods, len(self.counts)), packed(self.counts)
        used, end = course.run(start)
        if len(used) > MOST:
            raise Endless(f"the methods can still be used after {MOST:,} steps")
        return Run(methods, course, start, used, end)

    def amounts(self, counts: Sequence[int], say: Say) -> str:
        """Return a list of what there is, in words."""
        return self.listed([self.amount(n, kind, say) for kind, n in enumerate(counts) if n], say)

    def listed(self, items: Sequence[str], say: Say) -> str:
        """Items in a sentence: "A, B and C"."""
        if len(items) < 2:
            return say.list(items)
        return say("{some} and {last}", some=say.list(items[:-1]), last=items[-1])

    def turns(self, say: Say) -> str:
        """Return how the methods follow one another."""
        if len(self.methods) == 1:
            return say("The method is used again and again, until there is not enough for it.")
        return say(
            "The methods have their turns one after the other, in the order of their numbers, and "
            "after the last one the first one again. If there is enough of everything that a "
            "method takes when its turn comes, it is used once, and the next method has its turn; "
            "otherwise it is passed over. What is taken is gone; what is made can be taken from "
            "the next turn on. Stop as soon as no method can be used."
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return what there is at the start, and below it what each method takes and makes."""
        say, methods = self.say(language), range(1, len(self.methods) + 1)
        table = board(
            [
                [*map(str, self.counts)],
                *([_change(*pair) for pair in zip(*one, strict=True)] for one in self.methods),
            ],
            row_names=[say("start"), *(say("method {number}", number=one) for one in methods)],
            column_names=self.names,
        )
        key = say("In the row of a method: what it takes, with -, and what it makes, with +.")
        return stack(table, captions(key, width=max(10.0, table.width)))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "bad": say("what a method takes"),
            "good": say("what a method makes"),
            "yellow": say("what a method takes and makes"),
        }

    def equivalent(self, rng: Random) -> Self:
        """With the kinds of each tier renamed."""
        order = [kind for tier in self.tiers for kind in rng.sample(tier, len(tier))]

        def moved(counts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(counts[kind] for kind in order)

        methods = tuple(Method(moved(one.takes), moved(one.makes)) for one in self.methods)
        return replace(self, methods=methods, counts=moved(self.counts))

    def canonical(self) -> Hashable:
        """Return what happens to each kind, whatever its name."""
        columns = zip(self.counts, *(counts for one in self.methods for counts in one), strict=True)
        return len(self.methods), tuple(sorted(columns))


def _change(taken: int, made: int) -> Cell:
    """Return what a method does to one kind."""
    if taken and made:
        return Cell(f"-{taken}+{made}", "yellow")
    if taken:
        return Cell(f"-{taken}", "bad")
    return Cell(f"+{made}", "good") if made else Cell()
