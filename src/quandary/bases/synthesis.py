"""Synthesis: the base class of questions in which methods turn some kinds of things into others.

A category says which kinds there are and how methods are drawn.  Drawn methods make only kinds that
come after all those that they take, in some order of the kinds; so methods come to an end, also
without some of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Self

from quandary.core.bounds import Range
from quandary.core.words import Say
from quandary.kit.rewriting import Endless, Step, in_circles, needs_all
from quandary.kit.worked import Worked
from quandary.solvers.synthesis import Method, applied

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
        other = self._restarted(rng, amounts)
        is_good = other._is_good(steps) and other._worked.answer != self._worked.answer
        return other if is_good else None

    def started(self, rng: Random, amounts: Range, steps: Range) -> Self | None:
        """These methods with a start, if there are enough others for siblings."""
        found = dict[Hashable, Self]()  # by their answers
        for tried in range(TRIES):
            if tried >= PATIENCE and not found:
                return None
            other = self._restarted(rng, amounts)
            if other._is_good(steps):
                found.setdefault(tuple(other._worked.answer), other)
            if len(found) > OTHERS:
                return next(iter(found.values()))
        return None

    def _restarted(self, rng: Random, amounts: Range) -> Self:
        first = self.tiers[0]
        places = range(len(self.counts))
        return replace(
            self, counts=tuple(rng.randint(*amounts) if at in first else 0 for at in places)
        )

    def _is_good(self, steps: Range) -> bool:
        """Whether every method is needed, in so many steps."""
        try:
            done = in_circles(self.counts, self.methods, applied, steps[1])
        except Endless:
            return False
        return len(done) >= steps[0] and needs_all(self.counts, self.methods, applied, done)

    def rules_in_play(self) -> Sequence[Hashable]:
        return range(len(self.methods))

    def uses(self, without: Hashable = None) -> list[tuple[Method, tuple[int, ...]]]:
        """The methods that are used, one after the other, and the counts after each."""
        methods = [method for place, method in enumerate(self.methods) if place != without]
        steps: list[Step[tuple[int, ...]]] = in_circles(self.counts, methods, applied)
        return [(methods[step.rule], step.state) for step in steps]

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
