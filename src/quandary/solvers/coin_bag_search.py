"""Which bag to draw from: searches over what draws earn and what they reveal.

`DuelSearch` is for two players, `SoloSearch` for one; `WorldsSearch` enumerates all possible
worlds, if they are few.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from math import factorial, prod
from random import Random
from typing import TypeAlias

from quandary.core.contract import Move

from .coin_bags import Belief, Coins, Place, Seen, candidates, rest_of

# The bags by number, with their coins in the order of drawing, and the probability.
World: TypeAlias = tuple[tuple[Coins, ...], float]
CANDIDATES = 3  # most promising bags that a lookahead follows
DEEPEST = 50  # draws of a lookahead; each needs some frames of Python's stack
TIE = 1e-9  # means closer than this are equal


def best_bag(worth: Mapping[int, float], rng: Random) -> Move:
    """A bag of highest worth; ties are broken by luck."""
    top = max(worth.values())
    return str(rng.choice([bag for bag, value in worth.items() if value > top - TIE]))


class BudgetSpent(Exception):  # not an error: the usual end of a search
    """The budget is used up."""


class DuelSearch:
    """A search for two players through possible beliefs; its budget counts beliefs."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[Belief, int, int | None], float] = {}

    def worth(self, belief: Belief, depth: int, lead: int | None) -> dict[int, float]:
        """The worth of each bag to the mover.

        With a lead: its expected score when `depth` draws end the match.  Without one: its expected
        gain over the opponent in the next `depth` draws, for the most promising bags only.
        """
        if self.left <= 0:
            raise BudgetSpent
        self.left -= 1
        means = belief.means()
        if depth == 1 and lead is None:
            return means
        worth: dict[Place, float] = {}
        for number in sorted(means, key=means.__getitem__, reverse=True):
            if belief.places[number] not in worth and (lead is not None or len(worth) < CANDIDATES):
                worth[belief.places[number]] = self.draw(belief, number, depth, lead)
        return {
            number: worth[belief.places[number]]
            for number in means
            if belief.places[number] in worth
        }

    def draw(self, belief: Belief, number: int, depth: int, lead: int | None) -> float:
        total = 0.0
        for (drawn, empty), chance in belief.outcomes(number).items():
            after, coin = belief.after(number, (drawn, empty)), drawn[-1]
            if lead is None:
                total += chance * (coin - self.best(after, depth - 1, None))
            else:
                total += chance * (1.0 - self.best(after, depth - 1, -lead - coin))
        return total

    def best(self, belief: Belief, depth: int, lead: int | None) -> float:
        if depth == 0:
            return 0.0 if lead is None else float(lead > 0) + 0.5 * (lead == 0)
        known = (belief, depth, lead)
        if known not in self.found:
            self.found[known] = max(self.worth(belief, depth, lead).values())
        return self.found[known]


class SoloSearch:
    """A search for a single player through possible beliefs; its budget counts beliefs."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[Belief, int, int], float] = {}

    def worth(self, belief: Belief, draws: int, depth: int) -> dict[int, float]:
        """The expected total of `draws` draws by the bag of the first one, with best play after it.

        All information from the first `depth` draws is used.  If these are all draws but the last
        one, the result is exact and covers all bags; otherwise it is approximate and covers only
        the most promising bags.
        """
        prospects = belief.prospects(draws)
        worth: dict[Place, float] = {}
        for number in sorted(prospects, key=prospects.__getitem__, reverse=True):
            if belief.places[number] not in worth and (
                depth >= draws - 1 or len(worth) < CANDIDATES
            ):
                worth[belief.places[number]] = self.draw(belief, number, draws, depth)
        return {
            number: worth[belief.places[number]]
            for number in prospects
            if belief.places[number] in worth
        }

    def draw(self, belief: Belief, number: int, draws: int, depth: int) -> float:
        total = 0.0
        for (drawn, empty), chance in belief.outcomes(number).items():
            total += chance * (
                drawn[-1] + self.best(belief.after(number, (drawn, empty)), draws - 1, depth - 1)
            )
        return total

    def best(self, belief: Belief, draws: int, depth: int) -> float:
        known = (belief, draws, depth)
        if known not in self.found:
            if self.left <= 0:
                raise BudgetSpent
            self.left -= 1
            self.found[known] = max(
                (self.worth(belief, draws, depth) if depth else belief.prospects(draws)).values()
            )
        return self.found[known]


def solo_values(belief: Belief, draws: int, budget: int) -> dict[int, float]:
    """The worth of each bag, or each of the best, to a single player.

    It comes from the deepest search that the budget seems to allow.
    """
    worth, before = belief.prospects(draws), 1
    for depth in range(1, min(draws, DEEPEST)):
        look = SoloSearch(budget)
        try:
            worth = look.worth(belief, draws, depth)
        except BudgetSpent:
            break
        spent, budget = budget - look.left, look.left
        # The number of beliefs grows by a similar factor per draw, and many bags take long.
        if len(belief.shown) * spent * spent // before > budget:
            break
        before = spent
    return worth


def possible_worlds(seen: Seen, most: int) -> list[World] | None:
    """All bags and orders of coins that fit what was seen, with their probabilities.

    None if there are more than `most`.
    """
    belief = seen.belief()
    rows = [candidates(belief.shown, place) for place in belief.places]
    # Bags with few candidates first, for fewer dead ends.
    numbers = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    # Contents used, as bits; odds; bags so far.
    worlds: list[tuple[int, float, tuple[Coins, ...]]] = [(0, 1.0, ())]
    for number in numbers:
        drawn = tuple(draw.coin for draw in seen.drawn(number))
        ways: list[tuple[int, float, Coins]] = []
        # Odds are relative to this, since otherwise they might exceed the range of floats.
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
        """The weighted sum over the worlds of the best total of the draws, by first bag."""
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
    """The largest total of so many draws for a player who sees every coin."""
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
    """Every order in which coins may come out; orders that look alike are one."""
    if not coins:
        return ((),)
    return tuple(
        (coin, *rest) for coin in sorted(set(coins)) for rest in orders_of(rest_of(coins, (coin,)))
    )
