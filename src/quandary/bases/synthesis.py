"""Synthesis: the base class of questions in which methods turn some kinds of things into others.

A category says which kinds there are and how methods are drawn.  Drawn methods make only kinds that
come after all those that they take, in some order of the kinds; so methods come to an end, also
without some of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Self

from quandary.core.bounds import Range
from quandary.core.words import Say
from quandary.kit.rewriting import Endless
from quandary.kit.worked import Worked
from quandary.solvers.synthesis import MOST, Course, Method

OTHERS, TRIES = 2, 24  # methods are taken if so many other starts are found in so many tries
PATIENCE = 6  # tries after which there must be a first one


@dataclass(frozen=True)
class Synthesis(Worked):
    methods: tuple[Method, ...]
    counts: tuple[int, ...]  # at the start, one per kind

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

    def redraw(self, rng: Random, *, amounts: Range, steps: Range, **sizes: Any) -> Self | None:
        other = replace(self, counts=next(self._starts(rng, amounts)))
        is_good = Course(self.methods).end(other.counts, steps) is not None
        return other if is_good and other._worked.answer != self._worked.answer else None

    def started(self, rng: Random, amounts: Range, steps: Range) -> Self | None:
        """These methods with a start, if there are enough others for siblings."""
        course, chosen, others = Course(self.methods), None, set[tuple[int, ...]]()
        for tried, counts in zip(range(TRIES), self._starts(rng, amounts), strict=False):
            if tried >= PATIENCE and not chosen:
                return None
            end = course.end(counts, steps)
            if end and not chosen:
                chosen, answer = counts, end
            elif end and end != answer:
                others.add(counts)
            if chosen and len(others) == OTHERS:
                return replace(self, counts=chosen)
        return None

    def _starts(self, rng: Random, amounts: Range) -> Iterator[tuple[int, ...]]:
        """Drawn numbers of the first tier, again and again."""
        first, numbers = len(self.tiers[0]), range(amounts[0], amounts[1] + 1)
        none = [0] * (len(self.counts) - first)
        while True:
            yield (*rng.choices(numbers, k=first), *none)

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.methods))

    def uses(self, without: Hashable = None) -> list[tuple[Method, tuple[int, ...]]]:
        """The methods that are used, one after the other, and the counts after each."""
        methods = [method for place, method in enumerate(self.methods) if place != without]
        steps = Course(methods).steps(self.counts)
        if len(steps) > MOST:
            raise Endless(f"the methods can still be used after {MOST:,} steps")
        return [(methods[place], after) for place, after in steps]

    def amounts(self, counts: Sequence[int], say: Say) -> str:
        """A list of what there is, in words."""
        return self.listed([self.amount(n, kind, say) for kind, n in enumerate(counts) if n], say)

    def listed(self, items: Sequence[str], say: Say) -> str:
        """Items in a sentence: "A, B and C"."""
        if len(items) < 2:
            return say.list(items)
        return say("{some} and {last}", some=say.list(items[:-1]), last=items[-1])

    def turns(self, say: Say) -> str:
        """How the methods follow one another."""
        if len(self.methods) == 1:
            return say("The method is used again and again, until there is not enough for it.")
        return say(
            "The methods have their turns one after the other, in the order of their numbers, and "
            "after the last one the first one again. If there is enough of everything that a "
            "method takes when its turn comes, it is used once, and the next method has its turn; "
            "otherwise it is passed over. What is taken is gone; what is made can be taken from "
            "the next turn on. Stop as soon as no method can be used."
        )

    def alike(self, rng: Random) -> Self:
        """With the kinds of each tier renamed."""
        order = [kind for tier in self.tiers for kind in rng.sample(tier, len(tier))]

        def moved(counts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(counts[kind] for kind in order)

        methods = tuple(Method(moved(one.takes), moved(one.makes)) for one in self.methods)
        return replace(self, methods=methods, counts=moved(self.counts))

    def canonical(self) -> Hashable:
        """What happens to each kind, whatever its name."""
        columns = zip(self.counts, *(counts for one in self.methods for counts in one), strict=True)
        return len(self.methods), tuple(sorted(columns))
