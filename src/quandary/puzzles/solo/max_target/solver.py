"""Bags in all possible worlds, where they are few: what a single player can gain and score."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, islice
from math import comb, factorial, prod
from typing import TypeAlias

from quandary.puzzles._shared.coin_bags.solver.draws import Coins, Place, Seen, candidates, rest_of

# bags, by number and in the order their coins come out, and how likely
World: TypeAlias = tuple[tuple[Coins, ...], float]
MOST_WORLDS = 2_000  # that are gone through
MOST_STEPS = 300_000  # draws from them, all together


def expected_scores(seen: Seen, draws: int) -> dict[int, float] | None:
    """Return the score to expect by next bag, out of `draws` in all, under the play that scores
    best.

    None where no draw is left, or where too many worlds are possible.
    """
    left, open_bags = draws - len(seen.log), seen.empty.count(False)
    if not left:
        return None
    worlds = possible_worlds(seen, min(MOST_WORLDS, MOST_STEPS // comb(open_bags + left, left)))
    if worlds is None:
        return None
    weighed = [(bags, odds / largest_total(bags, draws)) for bags, odds in worlds]
    taken = [len(seen.drawn(bag)) for bag in range(len(seen.empty))]
    before = seen.total(0) * sum(weight for _, weight in weighed)
    gains = WorldsSearch().gains(weighed, taken, left)
    return {bag: before + gain for bag, gain in gains.items()}


def possible_worlds(seen: Seen, most: int) -> list[World] | None:
    """Return all bags and orders of coins that fit what was seen, with their probabilities.

    None where there are more than `most`.
    """
    belief = seen.belief()
    rows = [candidates(belief.shown, place) for place in belief.places]
    # bags almost known first: fewer dead ends
    numbers = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    # contents used, as bits; odds; bags so far
    worlds: list[tuple[int, float, tuple[Coins, ...]]] = [(0, 1.0, ())]
    for number in numbers:
        drawn = tuple(draw.coin for draw in seen.drawn(number))
        ways: list[tuple[int, float, Coins]] = []
        # odds are taken in relation to it, or they might grow beyond what a float can hold
        likeliest = max(rows[number].values())
        for held, own in rows[number].items():
            rest = rest_of(belief.shown[held], drawn)
            count = factorial(len(rest)) // prod(map(factorial, Counter(rest).values()))
            if count > most:
                return None
            ways += [
                (1 << held, own / (likeliest * count), (*drawn, *order))
                for order in orders_of(rest)
            ]
        grown = (
            (used | held, odds * own, (*bags, bag))
            for used, odds, bags in worlds
            for held, own, bag in ways
            if not used & held
        )
        worlds = list(islice(grown, most + 1))
        if len(worlds) > most:
            return None
    total, places = (
        sum(odds for _, odds, _ in worlds),
        sorted(range(len(rows)), key=numbers.__getitem__),
    )
    return [(tuple(bags[place] for place in places), odds / total) for _, odds, bags in worlds]


class WorldsSearch:
    """What a single player can gain in some weighted worlds, by going through all of them."""

    def __init__(self) -> None:
        self.found: dict[tuple[Place, ...], float] = {}

    def gains(self, worlds: Sequence[World], taken: Sequence[int], draws: int) -> dict[int, float]:
        """Return the weighted sum over the worlds of the best total of the draws, by first bag."""
        gains = {}
        for bag, count in enumerate(taken):
            if count == len(worlds[0][0][bag]):
                continue
            # worlds that look alike after the draw
            parts: dict[tuple[int, bool], list[World]] = defaultdict(list)
            for world in worlds:
                coins = world[0][bag]
                parts[coins[count], count + 1 == len(coins)].append(world)
            after = (*taken[:bag], count + 1, *taken[bag + 1 :])
            gains[bag] = sum(
                coin * sum(weight for _, weight in part) + self.most(part, after, draws - 1)
                for (coin, _), part in parts.items()
            )
        return gains

    def most(self, worlds: Sequence[World], taken: Sequence[int], draws: int) -> float:
        if not draws:
            return 0.0
        places = tuple(
            (bag[:count], len(bag) == count) for bag, count in zip(worlds[0][0], taken, strict=True)
        )
        if places not in self.found:
            self.found[places] = max(self.gains(worlds, taken, draws).values())
        return self.found[places]


@lru_cache(maxsize=1 << 12)
def largest_total(bags: tuple[Coins, ...], draws: int) -> int:
    """Return the largest total of so many draws for a player who sees every coin."""
    best = [0]  # by the number of draws from the bags so far
    for bag in bags:
        sums = list(accumulate(bag, initial=0))
        best = [
            max(
                best[count - taken] + sums[taken]
                for taken in range(max(0, count - len(best) + 1), min(count, len(bag)) + 1)
            )
            for count in range(min(draws, len(best) - 1 + len(bag)) + 1)
        ]
    return best[draws]


def orders_of(coins: Coins) -> tuple[Coins, ...]:
    """Return every order in which coins may come out; orders that look alike are one."""
    if not coins:
        return ((),)
    return tuple(
        (coin, *rest) for coin in sorted(set(coins)) for rest in orders_of(rest_of(coins, (coin,)))
    )
