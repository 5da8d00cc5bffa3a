"""Bags with known contents but unknown assignment: what draws reveal, counted exactly.

`Seen` is what all players have seen, and a `Belief` is what follows from it.  `Assignments` counts
all ways to distribute the contents over the bags, by sets of contents, which is feasible for about
fourteen bags.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from quandary.core.contract import Doc, Move, Seat

Coins: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[Coins, bool]  # what was drawn from a bag, sorted, and whether it is empty
Stock: TypeAlias = tuple[float, float]  # the mean of a bag's coins and how many it holds on average


@dataclass(frozen=True)
class Draw:
    """One coin drawn."""

    seat: Annotated[Seat, Doc("the seat that drew the coin, counted from 0")]
    bag: Annotated[int, Doc("the number of the bag that it came from, counted from 0")]
    coin: Annotated[int, Doc("what the coin is worth")]


class Seen(NamedTuple):
    """What all players have seen."""

    # The contents of the bags at the start, sorted, so that neither number nor order is revealed.
    shown: tuple[Coins, ...]
    empty: tuple[bool, ...]  # by number
    log: tuple[Draw, ...] = ()

    @classmethod
    def first(cls, bags: Iterable[Coins]) -> Seen:
        """Return what is seen of these bags before the first draw."""
        shown = tuple(sorted(tuple(sorted(bag)) for bag in bags))
        return cls(shown, (False,) * len(shown))

    def open_bags(self) -> list[Move]:
        return [str(bag) for bag, empty in enumerate(self.empty) if not empty]

    def total(self, seat: Seat) -> int:
        return sum(draw.coin for draw in self.log if draw.seat == seat)

    def drawn(self, bag: int) -> list[Draw]:
        return [draw for draw in self.log if draw.bag == bag]

    def after(self, seat: Seat, bag: int, coins: Coins) -> Seen:
        """Return what is seen when `seat` draws from a bag that held `coins`."""
        taken = len(self.drawn(bag))
        empty = (*self.empty[:bag], taken + 1 == len(coins), *self.empty[bag + 1 :])
        return Seen(self.shown, empty, (*self.log, Draw(seat, bag, coins[taken])))

    def belief(self) -> Belief:
        drawn = (
            tuple(sorted(draw.coin for draw in self.drawn(number)))
            for number in range(len(self.empty))
        )
        return Belief(self.shown, tuple(zip(drawn, self.empty, strict=True)))

    def world(self, rng: Random) -> tuple[Coins, ...]:
        """Bags and orders of coins, drawn by their probability from all that fit."""
        bags = []
        for number, held in enumerate(Assignments(self.belief()).deal(rng)):
            drawn = tuple(draw.coin for draw in self.drawn(number))
            rest = list(rest_of(self.shown[held], drawn))
            rng.shuffle(rest)
            bags.append((*drawn, *rest))
        return tuple(bags)


class Belief(NamedTuple):
    """What all players know.

    Bags with the same draws are equivalent, so beliefs that differ only in numbering are worth the
    same.
    """

    shown: tuple[Coins, ...]
    places: tuple[Place, ...]

    def means(self) -> dict[int, float]:
        """Return the mean worth of the next coin of each bag that is not empty."""
        means = {}
        for number, ((drawn, empty), odds) in enumerate(
            zip(self.places, odds_of(self), strict=True)
        ):
            if not empty:
                left = ((chance, self.shown[held]) for held, chance in odds.items())
                means[number] = sum(
                    chance * (sum(coins) - sum(drawn)) / (len(coins) - len(drawn))
                    for chance, coins in left
                )
        return means

    def outcomes(self, number: int) -> dict[Place, float]:
        """Return the possible results of a draw from this bag, with their probabilities."""
        drawn, _ = self.places[number]
        found: dict[Place, float] = defaultdict(float)
        for held, chance in odds_of(self)[number].items():
            rest = rest_of(self.shown[held], drawn)
            for coin in rest:
                found[(*drawn, coin), len(rest) == 1] += chance / len(rest)
        return found

    def known(self, number: int) -> bool:
        """Return whether it is certain what this bag held at the start."""
        return len({self.shown[held] for held in odds_of(self)[number]}) == 1

    def prospects(self, draws: int) -> dict[int, float]:
        """Return an estimate of the total of so many draws, by first bag.

        It assumes that the first draw reveals something about its own bag only, and later ones
        nothing.
        """
        stocks = {}
        for number, mean in self.means().items():
            coins = sum(
                chance * len(self.shown[held]) for held, chance in odds_of(self)[number].items()
            )
            stocks[number] = (mean, coins - len(self.places[number][0]))
        found: dict[Place, float] = {}
        for number, (mean, _) in stocks.items():
            if self.places[number] not in found:
                others = [stock for other, stock in stocks.items() if other != number]
                later = (
                    chance * expected_total([*others, own], draws - 1)
                    for chance, own in self.lessons(number)
                )
                found[self.places[number]] = mean + sum(later)
        return {number: found[self.places[number]] for number in stocks}

    def lessons(self, number: int) -> list[tuple[float, Stock]]:
        """Return what may be known about a bag after a draw from it, with probabilities."""
        drawn, _ = self.places[number]
        found: dict[tuple[int, bool], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
        for held, chance in odds_of(self)[number].items():
            rest = rest_of(self.shown[held], drawn)
            total, left, share = sum(rest), len(rest) - 1, chance / len(rest)
            for coin in rest:
                lesson = found[coin, left == 0]
                lesson[0] += share
                lesson[1] += share * (total - coin) / max(1, left)
                lesson[2] += share * left
        return [
            (chance, (means / chance, coins / chance)) for chance, means, coins in found.values()
        ]

    def after(self, number: int, place: Place) -> Belief:
        drawn, empty = place
        others = (*self.places[:number], *self.places[number + 1 :])
        return Belief(self.shown, tuple(sorted((*others, (tuple(sorted(drawn)), empty)))))


class Assignments:
    """All ways to distribute the contents over the bags, weighted by the orders that fit."""

    def __init__(self, belief: Belief) -> None:
        shown, places = belief
        touched = [
            (number, candidates(shown, place)) for number, place in enumerate(places) if place[0]
        ]
        rows = [
            (number, [(1 << held, orders) for held, orders in row.items()])
            for number, row in touched
        ]
        # Bags with few candidates first, for fewer sets to count.
        self.rows = sorted(rows, key=lambda row: len(row[1]))
        self.untouched = [number for number, (drawn, _) in enumerate(places) if not drawn]
        reached = [{0}]  # sets of contents, as bits, that the first rows may use up
        for _, row in self.rows:
            reached.append(
                {used | held for used in reached[-1] for held, _ in row if not used & held}
            )
        orders = [factorial(len(coins)) for coins in shown]
        self.size = len(shown)
        self.ahead = [
            {used: prod(orders[held] for held in self.unused(used)) for used in reached.pop()}
        ]
        for (_, row), sets in zip(reversed(self.rows), reversed(reached), strict=True):
            later = self.ahead[0]
            onward = {
                used: sum([own * later[used | held] for held, own in row if not used & held])
                for used in sets
            }
            self.ahead.insert(0, onward)

    def unused(self, used: int) -> list[int]:
        return [held for held in range(self.size) if not used >> held & 1]

    def deal(self, rng: Random) -> list[int]:
        """Return what each bag holds, as an index into `shown`; all orders are equally likely."""
        deal, used = [0] * self.size, 0
        for (number, row), here, later in zip(self.rows, self.ahead, self.ahead[1:], strict=False):
            ticket = rng.randrange(here[used])
            for held, own in row:
                ticket -= 0 if used & held else own * later[used | held]
                if ticket < 0:
                    break
            deal[number], used = held.bit_length() - 1, used | held
        rest = self.unused(used)
        rng.shuffle(rest)
        for number, unseen in zip(self.untouched, rest, strict=True):
            deal[number] = unseen
        return deal

    def odds(self) -> list[dict[int, float]]:
        """Return the probabilities of the contents of each bag."""
        counts: list[dict[int, int]] = [{} for _ in range(self.size)]
        before = {0: 1}
        for (number, row), later in zip(self.rows, self.ahead[1:], strict=True):
            after: dict[int, int] = defaultdict(int)
            found = dict.fromkeys((held for held, _ in row), 0)
            for used, ways in before.items():
                for held, own in row:
                    if not used & held and later[used | held]:
                        after[used | held] += ways * own
                        found[held] += ways * own * later[used | held]
            counts[number] = {
                held.bit_length() - 1: count for held, count in found.items() if count
            }
            before = after
        rest: dict[int, int] = defaultdict(int)  # the same for all bags not yet touched
        for used, ways in before.items():
            for unseen in self.unused(used):
                rest[unseen] += ways * self.ahead[-1][used]
        for number in self.untouched:
            counts[number] = rest
        return [
            {held: count / total for held, count in row.items()}
            for row in counts
            for total in [sum(row.values())]
        ]


@lru_cache(maxsize=1 << 14)
def odds_of(belief: Belief) -> list[dict[int, float]]:
    return Assignments(belief).odds()


@lru_cache(maxsize=1 << 12)
def candidates(shown: tuple[Coins, ...], place: Place) -> dict[int, int]:
    """Return which contents give these draws, and in how many orders of their coins."""
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


def expected_total(stocks: Iterable[Stock], draws: int) -> float:
    """Return the mean total of so many draws, taken from the bags with the highest means."""
    total, left = 0.0, float(draws)
    for mean, coins in sorted(stocks, reverse=True):
        taken = min(coins, left)
        total, left = total + mean * taken, left - taken
        if left <= 0:
            break
    return total
