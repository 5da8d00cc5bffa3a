"""Rubies in boxes: how they are hidden, and what requests tell about them, counted exactly.

How they are hidden.  A layout puts at least one ruby into each box.  All layouts are equally likely whose fullest box holds at
least four rubies more than their emptiest; those with all spare rubies in one box that is not the last are left out.
Then these two boxes, the first ones of equals, share their rubies anew and come to differ by four, or by five if those are odd.

How they are counted.  The boxes are looked at in order, apart for each pair of least and most rubies in a box, and apart by which
of the two ends, the emptiest and the fullest box, have been met.  A box between them holds in the end what it held in the layout,
and what the ends hold in the end follows from the pair; so a request tells bounds for what one box held.  No layout is listed:
counts are kept by the sum of the boxes met, all sums packed into one wide integer, and one more box is one multiplication.

What is best.  A player knows a bound for each opened box, from below or from above: some (2 * rubies) ** boxes states of knowledge,
and none of them are alike.  What the last few boxes hold can be listed, though, and requests be weighed from the end backwards:
`worths` does that.  Before, the request that is worth most in its own turn has to do.  Always taking that one gives little away:
0.1 to 0.8 per cent where all was weighed by brute force, that is for three to five boxes of 30 to 70 rubies and six of 30 and 45.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, combinations, pairwise
from math import comb
from operator import add, mul, sub
from random import Random
from typing import NamedTuple, TypeAlias

Contents: TypeAlias = tuple[int, ...]
Bounds: TypeAlias = tuple[int, int]  # the least and the most a box may hold
Ways: TypeAlias = tuple[int, ...]  # packed counts by which ends were met

GAP = 4
EMPTIEST, FULLEST, BOTH = 1, 2, 3  # the ends, as bits
TRIES = 100  # layouts drawn before those that count are so rare that counting is quicker; of many rubies nearly all count
LISTED, FEW = 53_000, 4  # contents that are listed for an exact answer, and boxes they are of: enough for four boxes of 70 rubies


def shares(both: int) -> tuple[int, int]:
    """What the emptiest and the fullest box hold in the end if they hold this together."""
    return both // 2 - GAP // 2, both // 2 + GAP // 2 + both % 2


def evened(layout: Sequence[int]) -> Contents:
    """What the boxes hold in the end."""
    contents = list(layout)
    low, high = layout.index(min(layout)), layout.index(max(layout))
    contents[low], contents[high] = shares(layout[low] + layout[high])
    return tuple(contents)


def hide(rng: Random, boxes: int, rubies: int) -> Contents:
    """Contents drawn fairly; there must be at least four rubies more than boxes."""
    for _ in range(TRIES):
        cuts = (0, *sorted(rng.sample(range(1, rubies), boxes - 1)), rubies)
        layout = [end - start for start, end in pairwise(cuts)]
        if max(layout) - min(layout) >= GAP and max(layout[:-1]) <= rubies - boxes:
            return evened(layout)
    return Belief(boxes, rubies).deal(rng)


class Case(NamedTuple):
    """All layouts with this least and this most in a box, as far as their boxes have been opened."""

    low: int
    high: int
    ways: Ways = (1, 0, 0, 0)  # by the sum of what the opened boxes hold above `low`, the fullest one left out

    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The ends and what they hold in the end."""
        empty, full = shares(self.low + self.high)
        return (EMPTIEST, empty), (FULLEST, full)

    def between(self, met: int) -> Bounds:
        """What a box holds that is no end; before the ends, nothing that equals them."""
        return self.low + (not met & EMPTIEST), self.high - (not met & FULLEST)


class Belief:
    """What is known once some boxes are opened."""

    def __init__(self, boxes: int, rubies: int, bounds: tuple[Bounds, ...] = (), cases: list[Case] | None = None) -> None:
        self.boxes, self.rubies, self.bounds = boxes, rubies, bounds
        self.width = comb(rubies - 1, boxes - 1).bit_length() + 1  # bits that hold any count
        self.cases = cases if cases is not None else list(self._all_cases())
        lone = evened((*[1] * (boxes - 1), rubies - boxes + 1))  # the one layout with all spare rubies in one box; in no case
        fits = all(least <= held <= most for held, (least, most) in zip(lone, bounds, strict=False))
        self.lone = lone if fits and rubies - boxes >= GAP else None

    def _all_cases(self) -> Iterator[Case]:
        for low in range(1, self.rubies // self.boxes + 1):
            for high in range(low + GAP, min(self.rubies - self.boxes, self.rubies - (self.boxes - 1) * low) + 1):
                if low + (self.boxes - 1) * high >= self.rubies:
                    yield Case(low, high)

    def opened(self, least: int, most: int) -> Belief:
        """The belief once it is known that the next box holds `least` to `most`."""
        after = (Case(case.low, case.high, self._step(case, (least, most))) for case in self.cases)
        return Belief(self.boxes, self.rubies, (*self.bounds, (least, most)), [case for case in after if any(case.ways)])

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
                first, last = max(0, spare + case.low - most), spare + case.low - least  # sums of the other boxes
                if first <= last:
                    packed = way * self._rest(case, free, met) >> first * width & _mask(last - first + 1, width)
                    inner += packed << (self.rubies - spare - case.low + first) * width
        for held in range(self.rubies + 1):
            counts[held] += self._at(inner, self.rubies - held)
        if self.lone:
            counts[self.lone[len(self.bounds)]] += 1
        return counts

    def deal(self, rng: Random) -> Contents:
        """Contents drawn fairly from all that fit."""
        if not self.total:
            raise ValueError("no way to fill the boxes fits what is known of them")
        chosen = bisect_right(self._totals, rng.randrange(self.total))
        return self.lone if self.lone and chosen == len(self.cases) else evened(self._layout(self.cases[chosen], rng))

    @property
    def total(self) -> int:
        """How many layouts fit."""
        return self._totals[-1]

    @cached_property
    def _totals(self) -> list[int]:
        """Layouts that fit, summed up case by case."""
        free, counts = self.boxes - len(self.bounds), list[int]()
        for case in self.cases:
            ways = [way * self._rest(case, free, met) for met, way in enumerate(case.ways) if way]
            counts.append(self._at(sum(ways), self._spare(case)))
        return list(accumulate([*counts, int(self.lone is not None)]))

    def _layout(self, case: Case, rng: Random) -> list[int]:
        """A layout of this case that fits, drawn from its last box to its first."""
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
            totals = list(accumulate(self._at(step.ways[before], rest) for _, before, rest in choices))
            held, met, left = choices[bisect_right(totals, rng.randrange(totals[-1]))]
            layout.append(held)
        return layout[::-1]

    def _step(self, case: Case, bounds: Bounds) -> Ways:
        """The ways of a case with one box more."""
        least, most = bounds
        spare, ends, after = self._spare(case), case.ends(), [0, 0, 0, 0]
        for met, way in enumerate(case.ways):
            if not way:
                continue
            for end, share in ends:
                if not met & end and least <= share <= most:
                    after[met | end] += way
            lowest, highest = case.between(met)
            first, last = max(least, lowest) - case.low, min(most, highest, case.low + spare) - case.low
            if first <= last:
                after[met] += (way * _row(last - first + 1, self.width) << first * self.width) & _mask(spare + 1, self.width)
        return tuple(after)

    def _spare(self, case: Case) -> int:
        """What all boxes but the fullest hold above `low`."""
        return self.rubies - (self.boxes - 1) * case.low - case.high

    def _rest(self, case: Case, free: int, met: int) -> int:
        """The ways to fill the free boxes."""
        ways = _rest(free, case.high - case.low, met, self.rubies - self.boxes, self.width)
        return ways & _mask(self._spare(case) + 1, self.width)

    def _at(self, packed: int, total: int) -> int:
        return packed >> total * self.width & _mask(1, self.width)

    def unpacked(self, packed: int) -> Iterator[int]:
        """The counts in one integer, that of sum 0 first."""
        while packed:
            yield packed & _mask(1, self.width)
            packed >>= self.width


@lru_cache(maxsize=16)
def belief(boxes: int, rubies: int, bounds: tuple[Bounds, ...] = ()) -> Belief:
    """The belief after some bounds; the last ones are kept, for a match asks for one after the other."""
    return belief(boxes, rubies, bounds[:-1]).opened(*bounds[-1]) if bounds else Belief(boxes, rubies)


@lru_cache(maxsize=1 << 12)
def _mask(count: int, width: int) -> int:
    return (1 << count * width) - 1


@lru_cache(maxsize=1 << 12)
def _row(count: int, width: int) -> int:
    """One way for each sum below `count`."""
    return _mask(count, width) // _mask(1, width)


@lru_cache(maxsize=1 << 12)
def _filled(free: int, span: int, most: int, width: int) -> int:
    """The ways to put 0 to `span` into each of the free boxes, for sums up to `most`."""
    if free == 0 or span < 0:
        return int(free == 0)
    return _filled(free - 1, span, most, width) * _row(span + 1, width) & _mask(most + 1, width)


@lru_cache(maxsize=1 << 12)
def _rest(free: int, span: int, met: int, most: int, width: int) -> int:
    """Those of them that have among them what ends were not met; the fullest one is left out of the sum."""
    ways, narrower = _filled(free, span, most, width), _filled(free, span - 1, most, width)
    if not met & FULLEST:
        ways -= narrower
    if not met & EMPTIEST:
        ways -= narrower << free * width
    if not met:
        ways += _filled(free, span - 2, most, width) << free * width
    ways &= _mask(most + 1, width)
    return ways if met & FULLEST else ways >> span * width


def scatter(boxes: int, rubies: int, bounds: tuple[Bounds, ...]) -> list[int]:
    """In how many ways the next box holds 0, 1, 2 and so on if each ruby fell into any box alike."""
    left, free = _scattered(rubies, bounds), boxes - len(bounds) - 1
    counts = [0] * (rubies + 1)
    for rest, ways in left.items():
        for held in range(rest + 1):
            counts[held] += ways * comb(rest, held) * free ** (rest - held)
    return counts


@lru_cache(maxsize=64)
def _scattered(rubies: int, bounds: tuple[Bounds, ...]) -> dict[int, int]:
    """The ways in which the opened boxes keep to their bounds, by how many rubies are left."""
    if not bounds:
        return {rubies: 1}
    (least, most), after = bounds[-1], defaultdict[int, int](int)
    for rest, ways in _scattered(rubies, bounds[:-1]).items():
        for held in range(least, min(most, rest) + 1):
            after[rest - held] += ways * comb(rest, held)
    return after


def best_single(chances: Sequence[int]) -> int:
    """The request that is worth most in its own turn, the lowest one of equals."""
    enough = list(accumulate(reversed(chances)))[::-1]
    return max(range(1, len(chances)), key=lambda request: request * enough[request])


def optimum(boxes: int, rubies: int) -> float | None:
    """The rubies to expect under best play, before any box is opened; None where that is too much to find out."""
    found = worths(Belief(boxes, rubies))
    return max(found) if found else None


def worths(now: Belief) -> list[float] | None:
    """What to expect from the closed boxes after each request, from 0 upwards, under best play; None where that is too much."""
    if now.boxes - len(now.bounds) > FEW:
        return None
    ahead = Ahead(now)
    if ahead.size > LISTED:
        return None
    contents = ahead.contents()
    if not contents:
        return None
    top = max(map(max, contents))
    table = [0] * top**ahead.boxes
    for held, count in contents.items():
        table[sum((rubies - 1) * top**power for power, rubies in enumerate(reversed(held)))] = count
    requests = Requests(table, top)
    useless = [requests.unasked]  # nothing, or more than there can be
    found = [requests.worth(place) for place in range(top)]
    total = sum(contents.values())
    return [worth / total for worth in useless + found + useless * (now.rubies - top)]


Rows: TypeAlias = tuple[dict[int, list[int]], ...]  # by which ends were met; by the rubies of both, or if both were met by the most


class Ahead:
    """What the closed boxes may hold.  Of the opened ones only the sum matters, and which ends were met among them."""

    def __init__(self, now: Belief) -> None:
        self.now, self.boxes = now, now.boxes - len(now.bounds)
        self.lows = now.rubies // now.boxes
        self.rows: dict[int, Rows] = {}  # by the sum of the opened boxes: counts for each least in a box
        for case in now.cases:
            ends = case.ends()
            for met, way in enumerate(case.ways):
                passed = len(now.bounds) * case.low + sum(share - case.low for end, share in ends if met & end)
                which = case.high if met == BOTH else case.low + case.high
                for more, count in enumerate(now.unpacked(way)):
                    if count:
                        rows = self.rows.setdefault(passed + more, ({}, {}, {}, {}))[met]
                        rows.setdefault(which, [0] * (self.lows + 1))[case.low] = count
        for parts in self.rows.values():
            self._sum_up(parts)

    def _sum_up(self, parts: Rows) -> None:
        """Turn counts for each least into counts up to it; with both ends met also down to each most, for the rest lies between."""
        above, both = [0] * (self.lows + 1), parts[BOTH]
        for high in range(max(both, default=0), 0, -1):
            above = both[high] = _added(above, both[high]) if high in both else above
        for rows in parts:
            for which, row in rows.items():
                rows[which] = list(accumulate(row))

    @property
    def size(self) -> int:
        """How many contents are to be looked at."""
        return sum(comb(self.now.rubies - passed - 1, self.boxes - 1) for passed in self.rows)

    def contents(self) -> dict[Contents, int]:
        """In how many layouts the closed boxes hold what."""
        found = {}
        for passed, parts in sorted(self.rows.items()):
            rest = self.now.rubies - passed
            for cuts in combinations(range(1, rest), self.boxes - 1):
                held = tuple(map(sub, (*cuts, rest), (0, *cuts)))
                if count := self._count(held, parts):
                    found[held] = count
        if self.now.lone:
            last = self.now.lone[-self.boxes :]
            found[last] = found.get(last, 0) + 1
        return found

    def _count(self, held: Contents, parts: Rows) -> int:
        neither, empty, full, both = parts
        found = both[max(held)][min(self.lows, *held)] if max(held) in both else 0
        for place, share in enumerate(held):
            if empty or full:
                found += self._one_ahead(held, place, empty, full)
            for other, more in enumerate(held):
                if more - share == GAP or more - share == GAP + 1:
                    found += self._both_ahead(held, place, other, neither)
        return found

    def _one_ahead(self, held: Contents, place: int, empty: dict[int, list[int]], full: dict[int, list[int]]) -> int:
        """The layouts in which this box was one of the ends, and the other one is among the opened boxes."""
        before, others, twice = held[:place], held[:place] + held[place + 1 :], 2 * held[place]
        least, most = min((self.lows, *others)), max((0, *others))
        emptier, fuller = least - (least in before), most + (most in before)  # none before an end may equal it
        found = 0
        for rows, both, low, high in (
            (full, twice + GAP, emptier, most),
            (full, twice + GAP + 1, emptier, most),
            (empty, twice - GAP, least, fuller),
            (empty, twice - GAP - 1, least, fuller),
        ):
            if both > high and both in rows:
                found += rows[both][min(low, both - high)]
        return found

    def _both_ahead(self, held: Contents, empty: int, full: int, rows: dict[int, list[int]]) -> int:
        """The layouts in which these boxes were the ends."""
        both = held[full] + held[empty]
        others = [(place, rubies) for place, rubies in enumerate(held) if place not in (full, empty)]
        least = min((rubies - (place < empty) for place, rubies in others), default=self.lows)
        most = max((rubies + (place < full) for place, rubies in others), default=0)
        return rows[both][max(0, min(self.lows, least, both - most))] if both in rows else 0


class Requests:
    """The requests to the next box.  Worths are sums over layouts.

    The table tells in how many layouts the closed boxes hold what: all contents in order, each box from 1 to `top`.
    """

    def __init__(self, table: list[int], top: int) -> None:
        self.top, size = top, len(table) // top
        slices = (table[end - size : end] for end in range(len(table), 0, -size))
        self.enough = list(accumulate(slices, _added))[::-1]  # tables of the boxes after it, where it holds at least 1, 2, ...
        self.gains = [request * sum(rest) for request, rest in enumerate(self.enough, start=1)]
        self.unasked = _best(self.enough[0], top)

    def worth(self, place: int) -> int:
        return self.gains[place] + sum(self.later(place))

    def later(self, place: int) -> tuple[int, int]:
        """What the boxes after it are worth where it holds enough, and where it does not."""
        enough = self.enough[place]
        return _best(enough, self.top), _best(list(map(sub, self.enough[0], enough)), self.top) if place else 0

    def best(self) -> int:
        """The best worth.  With the request the worth of enough falls and that of too little rises, which bounds those between."""
        found, spans = 0, [(0, self.top, self.unasked, self.unasked)]
        while spans:
            start, end, enough, short = spans.pop()
            if start == end or max(self.gains[start:end]) + enough + short <= found:
                continue
            place = (start + end) // 2
            later = self.later(place)
            found = max(found, self.gains[place] + sum(later))
            spans += [(start, place, enough, later[1]), (place + 1, end, later[0], short)]
        return found


def _best(table: list[int], top: int) -> int:
    if len(table) == 1:  # no box is left
        return 0
    if len(table) == top:
        gains: Iterator[int] = map(mul, accumulate(reversed(table)), range(top, 0, -1))
        return max(gains)
    return Requests(table, top).best() if any(table) else 0


def _added(one: list[int], other: list[int]) -> list[int]:
    return list(map(add, one, other))
