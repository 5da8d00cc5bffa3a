"""Bags whose contents are known, but not which bag holds what: what draws tell, counted exactly.

A `Belief` is what everybody knows who has seen the draws.  `Ways` counts all ways the contents may be spread over the bags by
sets of contents, so some fourteen bags can be counted; `Lookahead` weighs draws by what they earn and what they tell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from math import factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias

Coins: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[Coins, bool]  # what was drawn from a bag, sorted, and whether it is empty

MOST_BAGS = 14  # what can be counted over sets of bags
CANDIDATES = 3  # bags a lookahead follows up, best means first


class Belief(NamedTuple):
    """What both players know.  Bags seen alike are alike, so beliefs that differ in numbering alone are worth the same."""

    shown: tuple[Coins, ...]
    places: tuple[Place, ...]

    def means(self) -> dict[int, float]:
        """What the next coin of each bag that is not empty is worth on average."""
        means = {}
        for number, ((drawn, empty), odds) in enumerate(zip(self.places, odds_of(self), strict=True)):
            if not empty:
                left = ((chance, self.shown[held]) for held, chance in odds.items())
                means[number] = sum(chance * (sum(coins) - sum(drawn)) / (len(coins) - len(drawn)) for chance, coins in left)
        return means

    def outcomes(self, number: int) -> dict[Place, float]:
        """How likely a draw from this bag leads to what."""
        drawn, _ = self.places[number]
        found: dict[Place, float] = defaultdict(float)
        for held, chance in odds_of(self)[number].items():
            rest = rest_of(self.shown[held], drawn)
            for coin in rest:
                found[(*drawn, coin), len(rest) == 1] += chance / len(rest)
        return found

    def after(self, number: int, place: Place) -> Belief:
        drawn, empty = place
        others = (*self.places[:number], *self.places[number + 1 :])
        return Belief(self.shown, tuple(sorted((*others, (tuple(sorted(drawn)), empty)))))


class Ways:
    """All ways the contents may be spread over the bags, counted by the orders of coins that give what was drawn."""

    def __init__(self, belief: Belief) -> None:
        shown, places = belief
        rows = [(number, candidates(shown, place)) for number, place in enumerate(places) if place[0]]
        self.rows = sorted(rows, key=lambda row: len(row[1]))  # bags almost known first: fewer sets to count
        self.untouched = [number for number, (drawn, _) in enumerate(places) if not drawn]
        reached = [{0}]  # sets of contents, as bits, that the first rows may use up
        for _, row in self.rows:
            reached.append({used | 1 << held for used in reached[-1] for held in row if not used >> held & 1})
        orders = [factorial(len(coins)) for coins in shown]
        self.size = len(shown)
        self.ahead = [{used: prod(orders[held] for held in self.unused(used)) for used in reached.pop()}]
        for (_, row), sets in zip(reversed(self.rows), reversed(reached), strict=True):
            later = self.ahead[0]
            onward = {used: sum(row[held] * later[used | 1 << held] for held in row if not used >> held & 1) for used in sets}
            self.ahead.insert(0, onward)

    def unused(self, used: int) -> list[int]:
        return [held for held in range(self.size) if not used >> held & 1]

    def deal(self, rng: Random) -> list[int]:
        """What each bag holds, as a place in `shown`: one of all ways, each order of coins as likely as any other."""
        deal, used = [0] * self.size, 0
        for (number, row), here, later in zip(self.rows, self.ahead, self.ahead[1:], strict=False):
            ticket = rng.randrange(here[used])
            for held in row:
                ticket -= 0 if used >> held & 1 else row[held] * later[used | 1 << held]
                if ticket < 0:
                    break
            deal[number], used = held, used | 1 << held
        rest = self.unused(used)
        rng.shuffle(rest)
        for number, held in zip(self.untouched, rest, strict=True):
            deal[number] = held
        return deal

    def odds(self) -> list[dict[int, float]]:
        """How likely each bag holds what."""
        counts: list[dict[int, int]] = [defaultdict(int) for _ in range(self.size)]
        before = {0: 1}
        for (number, row), later in zip(self.rows, self.ahead[1:], strict=True):
            after: dict[int, int] = defaultdict(int)
            for used, ways in before.items():
                for held in row:
                    if not used >> held & 1 and later[used | 1 << held]:
                        after[used | 1 << held] += ways * row[held]
                        counts[number][held] += ways * row[held] * later[used | 1 << held]
            before = after
        for used, ways in before.items():
            for held in self.unused(used):
                for number in self.untouched:
                    counts[number][held] += ways * self.ahead[-1][used]
        return [{held: count / sum(row.values()) for held, count in row.items()} for row in counts]


class Spent(Exception):  # no error: the ordinary end of a search
    """The budget is used up."""


class Lookahead:
    """A search through what both may come to know; its budget counts beliefs looked at."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[Belief, int, int | None], float] = {}

    def worth(self, belief: Belief, depth: int, lead: int | None) -> dict[int, float]:
        """What each bag is worth to the mover: with a lead its expected score when `depth` draws end the match,
        without one its expected gain over the opponent in the next `depth` draws (then of the likeliest bags alone)."""
        if self.left <= 0:
            raise Spent
        self.left -= 1
        means = belief.means()
        if depth == 1 and lead is None:
            return means
        worth: dict[Place, float] = {}
        for number in sorted(means, key=means.__getitem__, reverse=True):
            if belief.places[number] not in worth and (lead is not None or len(worth) < CANDIDATES):
                worth[belief.places[number]] = self.draw(belief, number, depth, lead)
        return {number: worth[belief.places[number]] for number in means if belief.places[number] in worth}

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


@lru_cache(maxsize=1 << 14)
def odds_of(belief: Belief) -> list[dict[int, float]]:
    return Ways(belief).odds()


@lru_cache(maxsize=1 << 12)
def candidates(shown: tuple[Coins, ...], place: Place) -> dict[int, int]:
    """Which contents give these draws, and in how many orders of their coins."""
    drawn, empty = place
    found = {}
    for held, coins in enumerate(shown):
        ways, rest = factorial(max(0, len(coins) - len(drawn))), Counter(coins)
        for coin in drawn:
            ways *= rest[coin]
            rest[coin] -= 1
        if ways and empty == (len(drawn) == len(coins)):
            found[held] = ways
    return found


@lru_cache(maxsize=1 << 14)
def rest_of(coins: Coins, drawn: Coins) -> Coins:
    left = list(coins)
    for coin in drawn:
        left.remove(coin)
    return tuple(left)
