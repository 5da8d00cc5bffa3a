"""A day's tour of sites with opening hours: the best tour with a proof, and annealing.

The proof is a Lagrangian relaxation with prices.  A traveller pays the price of each site at every
visit, and may visit it any number of times: the best day of such a traveller is quickly computed.
What that day earns, plus all prices, is a bound for every tour, since a tour that visits each site
at most once pays each price at most once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, inf
from random import Random
from typing import NamedTuple, TypeAlias

from .timetable import Site, feasible, walk, worth

# Minutes between sites that the first prices assume; they affect only the speed of the search.
DETOUR = 25
# Narrow searches before the wide one, and the rounds of pricing after each: their results are the
# goals for the prices.  More rounds take longer than the wider search that they save.
FIRST_WIDTHS = (20, 1_000)
ROUNDS = (12, 30)
PATIENCE = 3  # rounds without a lower bound after which the step size of prices is halved
SAFETY = 1e-6  # prices are floats, values whole numbers
HOT, COLD = 1000.0, 1.0  # temperatures of annealing


class Tour(NamedTuple):
    ids: tuple[int, ...]
    value: int
    bound: int  # no tour is worth more
    proven: bool  # whether the tour reaches the bound


# Latest arrival at a site, earnings from there on, next site, its step.
_Step: TypeAlias = tuple[int, float, int, int]


class _Part(NamedTuple):
    """A partial tour."""

    bound: float
    ends: int
    value: int
    path: tuple[int, ...]


def annealed(sites: Sequence[Site], rng: Random, steps: int) -> tuple[int, ...]:
    """PuzzlePlex's baseline, with waiting allowed: add, remove or swap sites.

    Tours that are not feasible are never taken: PuzzlePlex counts them as worth 0, and among them
    its search is lost for most of its steps.
    """
    tour: list[int] = []
    best: tuple[int, ...] = ()
    value = best_value = 0
    for step in range(steps):
        heat = HOT * (COLD / HOT) ** (step / steps)
        near = _changed(tour, len(sites), rng)
        if not feasible(sites, near):
            continue
        near_value = worth(sites, near)
        if near_value >= value or rng.random() < exp((near_value - value) / heat):
            tour, value = near, near_value
        if value > best_value:
            best, best_value = tuple(tour), value
    return best


def _changed(tour: list[int], count: int, rng: Random) -> list[int]:
    """Return a neighbouring tour, or sometimes an equal one."""
    near = tour.copy()
    change = rng.choice(("add", "remove", "swap"))
    left = [number for number in range(1, count + 1) if number not in tour]
    if change == "add" and left:
        near.insert(rng.randint(0, len(near)), rng.choice(left))
    elif change == "remove" and near:
        near.pop(rng.randrange(len(near)))
    elif change == "swap" and len(near) > 1:
        i, j = rng.sample(range(len(near)), 2)
        near[i], near[j] = near[j], near[i]
    return near


@lru_cache(maxsize=1 << 10)
def best_tour(sites: tuple[Site, ...], budget: int) -> Tour:
    """Return the best tour found by looking at about `budget` legs, and a bound for all tours."""
    numbers = [number for number, site in enumerate(sites, start=1) if site.earliest <= site.latest]
    if not numbers:
        return Tour((), 0, 0, True)
    day = _Day([sites[number - 1] for number in numbers])
    effort = max(1, budget // len(numbers) ** 2)
    prices, best = day.first_prices(), Tour((), 0, sum(site.value for site in day.sites), False)
    for width, rounds in zip(FIRST_WIDTHS, ROUNDS, strict=True):
        if best.proven or width >= effort:
            break
        best = day.search(best, prices, width)
        if not best.proven:
            prices, bound = day.priced(prices, best.value, max(1, min(rounds, effort // 10)))
            bound = max(best.value, min(best.bound, bound))
            best = best._replace(bound=bound, proven=bound == best.value)
    if not best.proven:
        best = day.search(best, prices, effort)
    return best._replace(ids=tuple(numbers[i] for i in best.ids))


class _Day:
    """The sites that can be visited at all, counted from 0, with tables for the search."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self.sites = sites
        self.legs = [[walk(here, there) for there in sites] for here in sites]
        self.ways_to = [
            [
                (i, leg + sites[i].stay, sites[i].earliest, sites[i].latest)
                for i, leg in enumerate(legs)
                if i != there
            ]
            for there, legs in enumerate(self.legs)
        ]

    def first_prices(self) -> list[float]:
        """Return the value of each site beyond its minutes, at the rate of a day of the
        best sites.
        """
        minutes = [site.stay + DETOUR for site in self.sites]
        left = max(site.closes for site in self.sites) * 60 - min(
            site.earliest for site in self.sites
        )
        rate = 0.0
        for site, taken in sorted(
            zip(self.sites, minutes, strict=True), key=lambda pair: pair[1] / pair[0].value
        ):
            left -= taken
            if left < 0:
                rate = site.value / taken
                break
        return [
            max(0.0, site.value - rate * taken)
            for site, taken in zip(self.sites, minutes, strict=True)
        ]

    def earnings(self, prices: Sequence[float]) -> list[list[_Step]]:
        """Return the paying traveller's earnings from each site on, by arrival from latest to
        earliest.
        """
        gains = [site.value - price for site, price in zip(self.sites, prices, strict=True)]
        steps: list[list[_Step]] = [[] for _ in gains]
        best = [-inf] * len(gains)
        agenda: list[dict[int, _Step]] = [
            {} for _ in range(max(site.latest for site in self.sites) + 1)
        ]
        for i, site in enumerate(self.sites):
            agenda[site.latest][i] = (site.latest, gains[i], -1, -1)
        for minute in range(len(agenda) - 1, -1, -1):
            for there, step in agenda[minute].items():
                earned = step[1]
                if earned <= best[there]:
                    continue
                best[there] = earned
                steps[there].append(step)
                position = len(steps[there]) - 1
                for i, taken, earliest, latest in self.ways_to[there]:
                    begins = minute - taken
                    total = earned + gains[i]
                    if begins < earliest or total <= best[i]:
                        continue
                    if begins > latest:
                        begins = latest
                    rival = agenda[begins].get(i)
                    if rival is None or rival[1] < total:
                        agenda[begins][i] = (begins, total, there, position)
        return steps

    def priced(self, prices: list[float], goal: int, rounds: int) -> tuple[list[float], int]:
        """Better prices and the bound they prove.

        Sites the paying traveller visits twice get more expensive, others cheaper.
        """
        lowest, best_prices, pace, stale = inf, prices, 1.0, 0
        for _ in range(rounds):
            earned, visits = _best_day(self.earnings(prices))
            bound = sum(prices) + earned
            stale += 1
            if bound < lowest:
                lowest, best_prices, stale = bound, prices, 0
            if stale == PATIENCE:
                pace, stale = pace / 2, 0
            slope = [
                count - 1 if count or price else 0
                for count, price in zip(visits, prices, strict=True)
            ]
            if bound < goal + 1 or not any(slope):
                break
            stride = pace * (bound - goal) / sum(part * part for part in slope)
            prices = [
                max(0.0, price + stride * part) for price, part in zip(prices, slope, strict=True)
            ]
        return best_prices, _whole(lowest)

    def search(self, best: Tour, prices: Sequence[float], width: int) -> Tour:
        """Extend all tours site by site, keeping the `width` most promising of each length."""
        earnings = [_by_minute(steps) for steps in self.earnings(prices)]
        ids, value, dropped = best.ids, best.value, 0.0
        parts = {
            (1 << i, i): _Part(
                sum(prices) + earnings[i][0], site.earliest + site.stay, site.value, (i,)
            )
            for i, site in enumerate(self.sites)
        }
        while parts:
            richest = max(parts.values(), key=lambda part: part.value)
            if richest.value > value:
                ids, value = richest.path, richest.value
            goal = value + 1 - SAFETY
            kept = [entry for entry in parts.items() if entry[1].bound >= goal]
            if len(kept) > width:
                kept.sort(key=lambda entry: -entry[1].bound)
                dropped = max(dropped, kept[width][1].bound)
                del kept[width:]
            parts = {}
            for (visited, here), part in kept:
                near = [
                    (i, part.ends + leg)
                    for i, leg in enumerate(self.legs[here])
                    if not visited >> i & 1
                ]
                # A tour that is too late stays too late.
                near = [(i, arrives) for i, arrives in near if arrives < len(earnings[i])]
                promise = part.value + sum([prices[i] for i, _ in near])
                for i, arrives in near:
                    bound = promise + earnings[i][arrives]
                    if bound < goal:
                        continue
                    site = self.sites[i]
                    ends = max(arrives, site.earliest) + site.stay
                    rival = parts.get((visited | 1 << i, i))
                    if rival is None or ends < rival.ends:
                        parts[visited | 1 << i, i] = _Part(
                            bound, ends, part.value + site.value, (*part.path, i)
                        )
        bound = max(value, min(best.bound, _whole(dropped)))
        return Tour(ids, value, bound, bound == value)


def _best_day(steps: Sequence[Sequence[_Step]]) -> tuple[float, list[int]]:
    """Return the most that the paying traveller can earn, and how often that day visits
    each site.
    """
    visits = [0] * len(steps)
    site = max(range(len(steps)), key=lambda i: steps[i][-1][1])
    earned = steps[site][-1][1]
    if earned <= 0:
        return 0.0, visits
    position = -1
    while site >= 0:
        visits[site] += 1
        _, _, site, position = steps[site][position]
    return earned, visits


def _by_minute(steps: Sequence[_Step]) -> list[float]:
    """Return the earnings from a site by minute of arrival; the list ends with the latest one."""
    row: list[float] = []
    for latest, earned, _, _ in reversed(steps):
        row += [earned] * (latest + 1 - len(row))
    return row


def _whole(bound: float) -> int:
    """Return the bound as a whole number, since values are whole."""
    return int(bound + SAFETY)
