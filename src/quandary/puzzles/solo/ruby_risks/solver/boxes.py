"""Rubies in boxes: how they are hidden, and what requests reveal about them, counted exactly.

How they are hidden.  A layout puts at least one ruby into each box.  All layouts whose fullest box
holds at least four rubies more than their emptiest are equally likely; those with all spare rubies
in one box that is not the last are left out.  Then these two boxes (the first ones, in a tie) share
their rubies so that they differ by four, or by five if their sum is odd.

How they are counted.  The boxes are processed in order, separately for each pair of least and most
rubies in a box, and by which of the two ends (the emptiest and the fullest box) have been met.  A
box between them keeps the rubies of the layout, and the final contents of the ends follow from the
pair; so a request gives bounds for the layout of one box.  Layouts are not listed: counts are kept
by the sum of the boxes so far, all sums packed into one wide integer, so that one more box takes
one multiplication.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import comb
from random import Random
from typing import NamedTuple, TypeAlias

Contents: TypeAlias = tuple[int, ...]
Bounds: TypeAlias = tuple[int, int]  # the least and the most a box may hold
Ways: TypeAlias = tuple[int, ...]  # packed counts by which ends were met
GAP = 4
EMPTIEST, FULLEST, BOTH = 1, 2, 3  # the ends, as bits
# Layouts that are drawn before counting is used instead; with many rubies nearly all are valid.
TRIES = 100


def shares(both: int) -> tuple[int, int]:
    """Return the final contents of the emptiest and the fullest box, given their sum."""
    return both // 2 - GAP // 2, both // 2 + GAP // 2 + both % 2


def final_contents(layout: Sequence[int]) -> Contents:
    """Return the final contents of the boxes."""
    contents = list(layout)
    low, high = layout.index(min(layout)), layout.index(max(layout))
    contents[low], contents[high] = shares(layout[low] + layout[high])
    return tuple(contents)


def random_contents(rng: Random, boxes: int, rubies: int) -> Contents:
    """Contents drawn uniformly; there must be at least four rubies more than boxes."""
    for _ in range(TRIES):
        cuts = (0, *sorted(rng.sample(range(1, rubies), boxes - 1)), rubies)
        layout = [end - start for start, end in pairwise(cuts)]
        if max(layout) - min(layout) >= GAP and max(layout[:-1]) <= rubies - boxes:
            return final_contents(layout)
    return Belief(boxes, rubies).deal(rng)


class Case(NamedTuple):
    """All layouts with this least and this most in a box, given the boxes opened so far."""

    low: int
    high: int
    # By the sum of the rubies above `low` in the opened boxes, without the fullest one.
    ways: Ways = (1, 0, 0, 0)

    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the ends and their final contents."""
        empty, full = shares(self.low + self.high)
        return (EMPTIEST, empty), (FULLEST, full)

    def between(self, met: int) -> Bounds:
        """Return the bounds of a box that is not an end; before the ends, it may not equal them."""
        return self.low + (not met & EMPTIEST), self.high - (not met & FULLEST)


class Belief:
    """What is known after some boxes are opened."""

    def __init__(
        self,
        boxes: int,
        rubies: int,
        bounds: tuple[Bounds, ...] = (),
        cases: list[Case] | None = None,
    ) -> None:
        self.boxes, self.rubies, self.bounds = boxes, rubies, bounds
        self.width = comb(rubies - 1, boxes - 1).bit_length() + 1  # bits that hold any count
        self.cases = cases if cases is not None else list(self._all_cases())
        # The one layout with all spare rubies in one box, which belongs to no case.
        lone = final_contents((*[1] * (boxes - 1), rubies - boxes + 1))
        fits = all(least <= held <= most for held, (least, most) in zip(lone, bounds, strict=False))
        self.lone = lone if fits and rubies - boxes >= GAP else None

    def _all_cases(self) -> Iterator[Case]:
        for low in range(1, self.rubies // self.boxes + 1):
            for high in range(
                low + GAP, min(self.rubies - self.boxes, self.rubies - (self.boxes - 1) * low) + 1
            ):
                if low + (self.boxes - 1) * high >= self.rubies:
                    yield Case(low, high)

    def opened(self, least: int, most: int) -> Belief:
        """Return the belief once it is known that the next box holds `least` to `most`."""
        after = (Case(case.low, case.high, self._step(case, (least, most))) for case in self.cases)
        return Belief(
            self.boxes,
            self.rubies,
            (*self.bounds, (least, most)),
            [case for case in after if any(case.ways)],
        )

    def chances(self) -> list[int]:
        """In how many layouts the next box holds 0, 1, 2 and so on."""
        counts, inner = [0] * (self.rubies + 1), 0
        free, width = self.boxes - len(self.bounds) - 1, self.width
        for case in self.cases:
            spare, ends = self._spare(case), case.ends()
            for met, way in enumerate(case.ways):
                if not way:
                    continue
                for end, share in ends:
                    if not met & end:
                        counts[share] += self._at(way * self._rest(case, free, met | end), spare)
                least, most = case.between(met)
                # sums of the other boxes
                first, last = max(0, spare + case.low - most), spare + case.low - least
                if first <= last:
                    packed = way * self._rest(case, free, met) >> first * width & _mask(
                        last - first + 1, width
                    )
                    inner += packed << (self.rubies - spare - case.low + first) * width
        for held in range(self.rubies + 1):
            counts[held] += self._at(inner, self.rubies - held)
        if self.lone:
            counts[self.lone[len(self.bounds)]] += 1
        return counts

    def deal(self, rng: Random) -> Contents:
        """Contents drawn uniformly from all that fit."""
        if not self.total:
            raise ValueError("no contents of the boxes fit what is known about them")
        chosen = bisect_right(self._totals, rng.randrange(self.total))
        return (
            self.lone
            if self.lone and chosen == len(self.cases)
            else final_contents(self._layout(self.cases[chosen], rng))
        )

    @property
    def total(self) -> int:
        """How many layouts fit."""
        return self._totals[-1]

    @cached_property
    def _totals(self) -> list[int]:
        """The cumulative numbers of layouts that fit, by case."""
        free, counts = self.boxes - len(self.bounds), list[int]()
        for case in self.cases:
            ways = [way * self._rest(case, free, met) for met, way in enumerate(case.ways) if way]
            counts.append(self._at(sum(ways), self._spare(case)))
        return list(accumulate([*counts, int(self.lone is not None)]))

    def _layout(self, case: Case, rng: Random) -> list[int]:
        """Return a layout of this case that fits, drawn from its last box to its first."""
        bounds = [*self.bounds, *[(1, self.rubies)] * (self.boxes - len(self.bounds))]
        steps = [Case(case.low, case.high)]
        for bound in bounds[:-1]:
            steps.append(Case(case.low, case.high, self._step(steps[-1], bound)))
        met, left, layout = BOTH, self._spare(case), list[int]()
        for (least, most), step in zip(reversed(bounds), reversed(steps), strict=True):
            lowest, highest = case.between(met)
            inner = range(max(least, lowest), min(most, highest, left + case.low) + 1)
            choices = [(held, met, left - held + case.low) for held in inner]
            for (end, share), held in zip(case.ends(), (case.low, case.high), strict=True):
                if met & end and least <= share <= most:
                    choices.append((held, met - end, left))
            totals = list(
                accumulate(self._at(step.ways[before], rest) for _, before, rest in choices)
            )
            held, met, left = choices[bisect_right(totals, rng.randrange(totals[-1]))]
            layout.append(held)
        return layout[::-1]

    def _step(self, case: Case, bounds: Bounds) -> Ways:
        """Return the ways of a case with one box more."""
        least, most = bounds
        spare, ends, after = self._spare(case), case.ends(), [0, 0, 0, 0]
        for met, way in enumerate(case.ways):
            if not way:
                continue
            for end, share in ends:
                if not met & end and least <= share <= most:
                    after[met | end] += way
            lowest, highest = case.between(met)
            first, last = (
                max(least, lowest) - case.low,
                min(most, highest, case.low + spare) - case.low,
            )
            if first <= last:
                after[met] += (
                    way * _row(last - first + 1, self.width) << first * self.width
                ) & _mask(spare + 1, self.width)
        return tuple(after)

    def _spare(self, case: Case) -> int:
        """Return the rubies above `low` in all boxes but the fullest."""
        return self.rubies - (self.boxes - 1) * case.low - case.high

    def _rest(self, case: Case, free: int, met: int) -> int:
        """Return the ways to fill the free boxes so that they include the ends not yet met.

        The fullest box is left out of the sum.
        """
        ways = _rest(free, case.high - case.low, met, self.rubies - self.boxes, self.width)
        return ways & _mask(self._spare(case) + 1, self.width)

    def _at(self, packed: int, total: int) -> int:
        return packed >> total * self.width & _mask(1, self.width)

    def unpacked(self, packed: int) -> Iterator[int]:
        """Yield the counts in one integer, that of sum 0 first."""
        while packed:
            yield packed & _mask(1, self.width)
            packed >>= self.width


@lru_cache(maxsize=16)
def belief(boxes: int, rubies: int, bounds: tuple[Bounds, ...] = ()) -> Belief:
    """Return the belief after some bounds, cached because a match asks for one after the other."""
    return (
        belief(boxes, rubies, bounds[:-1]).opened(*bounds[-1]) if bounds else Belief(boxes, rubies)
    )


@lru_cache(maxsize=1 << 12)
def _mask(count: int, width: int) -> int:
    return (1 << count * width) - 1


@lru_cache(maxsize=1 << 12)
def _row(count: int, width: int) -> int:
    """Return one way for each sum below `count`."""
    return _mask(count, width) // _mask(1, width)


@lru_cache(maxsize=1 << 12)
def _filled(free: int, span: int, most: int, width: int) -> int:
    """Return the ways to put 0 to `span` into each of the free boxes, for sums up to `most`."""
    if free == 0 or span < 0:
        return int(free == 0)
    return _filled(free - 1, span, most, width) * _row(span + 1, width) & _mask(most + 1, width)


@lru_cache(maxsize=1 << 12)
def _rest(free: int, span: int, met: int, most: int, width: int) -> int:
    """Return the ways to fill the free boxes so that they include the ends not yet met.

    The fullest box is left out of the sum.
    """
    ways, narrower = _filled(free, span, most, width), _filled(free, span - 1, most, width)
    if not met & FULLEST:
        ways -= narrower
    if not met & EMPTIEST:
        ways -= narrower << free * width
    if not met:
        ways += _filled(free, span - 2, most, width) << free * width
    ways &= _mask(most + 1, width)
    return ways if met & FULLEST else ways >> span * width
