"""Bags whose contents are known, but not which bag holds what: what draws tell, counted exactly.

`Seen` is what everybody has seen, in words and pictures too, and a `Belief` is what follows from it.  `Ways` counts all ways the
contents may be spread over the bags by sets of contents, so some fourteen bags can be counted.  `Lookahead` (two players) and
`Collecting` (one) weigh draws by what they earn and what they tell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice
from math import factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.core.contract import Move, Seat
from quandary.core.scene import Box, Disc, Label, Scene, Shape

Coins: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[Coins, bool]  # what was drawn from a bag, sorted, and whether it is empty
Stock: TypeAlias = tuple[float, float]  # the mean of a bag's coins and how many it holds on average
World: TypeAlias = tuple[tuple[Coins, ...], float]  # bags, by number and in the order their coins come out, and how likely

MOST_BAGS = 14  # what can be counted over sets of bags
MOST_WORTH = 10_000  # of a coin; means of larger ones could not be told from ties
CANDIDATES = 3  # bags a lookahead follows up, those that promise most first
DEEPEST = 50  # draws looked ahead at most; each takes some frames of Python's stack
TIE = 1e-9  # means closer than this are equal

HOW_TO_WRITE = "Write the number of the bag you draw from, for example: 2"
WHAT_IS_KNOWN = (
    "What the bags hold is made known at the start, but not which bag holds what: the contents are listed in sorted order. "
    "In which order a bag gives its coins is luck, settled before the first draw."
)


@dataclass(frozen=True)
class Draw:
    """One coin drawn."""

    seat: Seat
    bag: int
    coin: int


def fill(rng: Random, bags: tuple[int, int], length: tuple[int, int], coin: tuple[int, int]) -> tuple[Coins, ...]:
    """Bags of `length` coins of value `coin`, all by luck, in the order their coins come out."""
    if not 2 <= bags[0] <= bags[1] <= MOST_BAGS or length[0] < 1 or not 0 <= coin[0] <= coin[1] <= MOST_WORTH:
        raise ValueError(f"there are 2 to {MOST_BAGS} bags, each with at least 1 coin, and coins are worth 0 to {MOST_WORTH}")
    return tuple(tuple(rng.randint(*coin) for _ in range(rng.randint(*length))) for _ in range(rng.randint(*bags)))


def best_bag(worth: Mapping[int, float], rng: Random) -> Move:
    """A bag of highest worth, any of them where several are."""
    top = max(worth.values())
    return str(rng.choice([bag for bag, value in worth.items() if value > top - TIE]))


class Seen(NamedTuple):
    """What everybody has seen."""

    shown: tuple[Coins, ...]  # what the bags held at the start, sorted, so that it tells neither number nor order
    empty: tuple[bool, ...]  # by number
    log: tuple[Draw, ...] = ()

    @classmethod
    def first(cls, bags: Iterable[Coins]) -> Seen:
        """What is seen of these bags before the first draw."""
        shown = tuple(sorted(tuple(sorted(bag)) for bag in bags))
        return cls(shown, (False,) * len(shown))

    def open_bags(self) -> list[Move]:
        return [str(bag) for bag, empty in enumerate(self.empty) if not empty]

    def total(self, seat: Seat) -> int:
        return sum(draw.coin for draw in self.log if draw.seat == seat)

    def drawn(self, bag: int) -> list[Draw]:
        return [draw for draw in self.log if draw.bag == bag]

    def after(self, seat: Seat, bag: int, coins: Coins) -> Seen:
        """What is seen when `seat` draws from a bag that held `coins`."""
        taken = len(self.drawn(bag))
        empty = (*self.empty[:bag], taken + 1 == len(coins), *self.empty[bag + 1 :])
        return Seen(self.shown, empty, (*self.log, Draw(seat, bag, coins[taken])))

    def belief(self) -> Belief:
        drawn = (tuple(sorted(draw.coin for draw in self.drawn(number))) for number in range(len(self.empty)))
        return Belief(self.shown, tuple(zip(drawn, self.empty, strict=True)))

    def world(self, rng: Random) -> tuple[Coins, ...]:
        """Bags and orders of coins drawn from all that fit, each as likely as it is."""
        bags = []
        for number, held in enumerate(Ways(self.belief()).deal(rng)):
            drawn = tuple(draw.coin for draw in self.drawn(number))
            rest = list(rest_of(self.shown[held], drawn))
            rng.shuffle(rest)
            bags.append((*drawn, *rest))
        return tuple(bags)

    def told(self, name: Callable[[Draw], str]) -> list[str]:
        """All of it in lines, with words for each draw."""
        lines = ["What the bags held at the start, in sorted order:"]
        lines += [f"- {' '.join(map(str, coins))}" for coins in self.shown]
        lines.append("What was drawn from each bag:")
        for number, empty in enumerate(self.empty):
            draws = ", ".join(map(name, self.drawn(number)))
            lines.append(f"- bag {number}: {draws or 'nothing yet'}{'; it is empty' if empty else ''}")
        return lines

    def scene(self, seat: Seat, title: str, legend: str, moving: bool) -> Scene:
        """A row a bag; coins of `seat` are round, and bags can be clicked while it is moving."""
        deepest, wide = max(map(len, self.shown)), max(len(str(coins[-1])) for coins in self.shown)
        middle, pitch = max(7.0, 2.2 + 0.85 * deepest), 0.34 * (wide + 1)
        shapes: list[Shape] = [
            Label(0, 0.4, title, 0.5, anchor="start"),
            Label(0, 1.3, legend, anchor="start", colour="quiet"),
            Label(middle, 1.02, "contents at the start,", anchor="start", colour="quiet"),
            Label(middle, 1.48, "in no order of bags", anchor="start", colour="quiet"),
        ]
        for number, (empty, coins) in enumerate(zip(self.empty, self.shown, strict=True)):
            y = 1.8 + number
            click = str(number) if moving and not empty else ""
            shapes.append(Box(0, y, 1.2, 0.9, fill="shade" if empty else "yellow", text=str(number), click=click))
            for i, draw in enumerate(self.drawn(number)):
                x, coin = 1.7 + 0.85 * i, str(draw.coin)
                shapes.append(
                    Disc(x + 0.05, y + 0.45, 0.38, "blue", coin)
                    if draw.seat == seat
                    else Box(x - 0.3, y + 0.1, 0.7, 0.7, "orange", coin)
                )
            shapes += [Label(middle + pitch * (i + 0.5), y + 0.45, str(coin)) for i, coin in enumerate(coins)]
        return Scene(middle + max(pitch * deepest, 5.4), 2.0 + len(self.shown), tuple(shapes))


class Belief(NamedTuple):
    """What everybody knows.  Bags seen alike are alike, so beliefs that differ in numbering alone are worth the same."""

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

    def known(self, number: int) -> bool:
        """Whether it is certain what this bag held at the start."""
        return len({self.shown[held] for held in odds_of(self)[number]}) == 1

    def prospects(self, draws: int) -> dict[int, float]:
        """About what so many draws bring by the bag of the first, if that tells of its bag alone and later ones tell nothing."""
        stocks = {}
        for number, mean in self.means().items():
            coins = sum(chance * len(self.shown[held]) for held, chance in odds_of(self)[number].items())
            stocks[number] = (mean, coins - len(self.places[number][0]))
        found: dict[Place, float] = {}
        for number, (mean, _) in stocks.items():
            if self.places[number] not in found:
                others = [stock for other, stock in stocks.items() if other != number]
                later = (chance * harvest([*others, own], draws - 1) for chance, own in self.lessons(number))
                found[self.places[number]] = mean + sum(later)
        return {number: found[self.places[number]] for number in stocks}

    def lessons(self, number: int) -> list[tuple[float, Stock]]:
        """What may be known of a bag after a draw from it, and how likely."""
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
        return [(chance, (means / chance, coins / chance)) for chance, means, coins in found.values()]

    def after(self, number: int, place: Place) -> Belief:
        drawn, empty = place
        others = (*self.places[:number], *self.places[number + 1 :])
        return Belief(self.shown, tuple(sorted((*others, (tuple(sorted(drawn)), empty)))))


class Ways:
    """All ways the contents may be spread over the bags, counted by the orders of coins that give what was drawn."""

    def __init__(self, belief: Belief) -> None:
        shown, places = belief
        touched = [(number, candidates(shown, place)) for number, place in enumerate(places) if place[0]]
        rows = [(number, [(1 << held, orders) for held, orders in row.items()]) for number, row in touched]
        self.rows = sorted(rows, key=lambda row: len(row[1]))  # bags almost known first: fewer sets to count
        self.untouched = [number for number, (drawn, _) in enumerate(places) if not drawn]
        reached = [{0}]  # sets of contents, as bits, that the first rows may use up
        for _, row in self.rows:
            reached.append({used | held for used in reached[-1] for held, _ in row if not used & held})
        orders = [factorial(len(coins)) for coins in shown]
        self.size = len(shown)
        self.ahead = [{used: prod(orders[held] for held in self.unused(used)) for used in reached.pop()}]
        for (_, row), sets in zip(reversed(self.rows), reversed(reached), strict=True):
            later = self.ahead[0]
            onward = {used: sum([own * later[used | held] for held, own in row if not used & held]) for used in sets}
            self.ahead.insert(0, onward)

    def unused(self, used: int) -> list[int]:
        return [held for held in range(self.size) if not used >> held & 1]

    def deal(self, rng: Random) -> list[int]:
        """What each bag holds, as a place in `shown`: one of all ways, each order of coins as likely as any other."""
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
        """How likely each bag holds what."""
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
            counts[number] = {held.bit_length() - 1: count for held, count in found.items() if count}
            before = after
        rest: dict[int, int] = defaultdict(int)  # the same for all bags not yet touched
        for used, ways in before.items():
            for unseen in self.unused(used):
                rest[unseen] += ways * self.ahead[-1][used]
        for number in self.untouched:
            counts[number] = rest
        return [{held: count / total for held, count in row.items()} for row in counts for total in [sum(row.values())]]


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


class Collecting:
    """A search for one who collects alone, through what may come to be known; its budget counts beliefs looked at."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[Belief, int, int], float] = {}

    def worth(self, belief: Belief, draws: int, depth: int) -> dict[int, float]:
        """What `draws` draws bring on average by the bag of the first one, if the others are as good as can be.

        All that the first `depth` draws tell is made use of.  Exact, and of all bags, where these are all but the last one;
        else near that, and of the bags alone that promise most.
        """
        prospects = belief.prospects(draws)
        worth: dict[Place, float] = {}
        for number in sorted(prospects, key=prospects.__getitem__, reverse=True):
            if belief.places[number] not in worth and (depth >= draws - 1 or len(worth) < CANDIDATES):
                worth[belief.places[number]] = self.draw(belief, number, draws, depth)
        return {number: worth[belief.places[number]] for number in prospects if belief.places[number] in worth}

    def draw(self, belief: Belief, number: int, draws: int, depth: int) -> float:
        total = 0.0
        for (drawn, empty), chance in belief.outcomes(number).items():
            total += chance * (drawn[-1] + self.best(belief.after(number, (drawn, empty)), draws - 1, depth - 1))
        return total

    def best(self, belief: Belief, draws: int, depth: int) -> float:
        known = (belief, draws, depth)
        if known not in self.found:
            if self.left <= 0:
                raise Spent
            self.left -= 1
            self.found[known] = max((self.worth(belief, draws, depth) if depth else belief.prospects(draws)).values())
        return self.found[known]


def collecting(belief: Belief, draws: int, budget: int) -> dict[int, float]:
    """What each bag, or each of the best, is worth to one who collects alone: from the deepest look the budget seems to allow."""
    worth, before = belief.prospects(draws), 1
    for depth in range(1, min(draws, DEEPEST)):
        look = Collecting(budget)
        try:
            worth = look.worth(belief, draws, depth)
        except Spent:
            break
        spent, budget = budget - look.left, look.left
        if len(belief.shown) * spent * spent // before > budget:  # looks grow by much the same factor, and many bags take long
            break
        before = spent
    return worth


def every_world(seen: Seen, most: int) -> list[World] | None:
    """All bags and orders of coins that fit what was seen, with their odds; None where there are more than `most`."""
    belief = seen.belief()
    rows = [candidates(belief.shown, place) for place in belief.places]
    numbers = sorted(range(len(rows)), key=lambda number: len(rows[number]))  # bags almost known first: fewer dead ends
    worlds: list[tuple[int, float, tuple[Coins, ...]]] = [(0, 1.0, ())]  # contents used, as bits; odds; bags so far
    for number in numbers:
        drawn = tuple(draw.coin for draw in seen.drawn(number))
        ways: list[tuple[int, float, Coins]] = []
        likeliest = max(rows[number].values())  # odds are taken in relation to it, or they might grow beyond what a float can hold
        for held, own in rows[number].items():
            rest = rest_of(belief.shown[held], drawn)
            count = factorial(len(rest)) // prod(map(factorial, Counter(rest).values()))
            if count > most:
                return None
            ways += [(1 << held, own / (likeliest * count), (*drawn, *order)) for order in orders_of(rest)]
        grown = (
            (used | held, odds * own, (*bags, bag)) for used, odds, bags in worlds for held, own, bag in ways if not used & held
        )
        worlds = list(islice(grown, most + 1))
        if len(worlds) > most:
            return None
    total, places = sum(odds for _, odds, _ in worlds), sorted(range(len(rows)), key=numbers.__getitem__)
    return [(tuple(bags[place] for place in places), odds / total) for _, odds, bags in worlds]


class Gathering:
    """What one who collects alone can gain in some worlds, each with a weight: by going through them all."""

    def __init__(self) -> None:
        self.found: dict[tuple[Place, ...], float] = {}

    def gains(self, worlds: Sequence[World], taken: Sequence[int], draws: int) -> dict[int, float]:
        """The weighted sum over the worlds of what so many draws bring, by the first bag, all others being the best there are."""
        gains = {}
        for bag, count in enumerate(taken):
            if count == len(worlds[0][0][bag]):
                continue
            parts: dict[tuple[int, bool], list[World]] = defaultdict(list)  # worlds that look alike after the draw
            for world in worlds:
                coins = world[0][bag]
                parts[coins[count], count + 1 == len(coins)].append(world)
            after = (*taken[:bag], count + 1, *taken[bag + 1 :])
            gains[bag] = sum(
                coin * sum(weight for _, weight in part) + self.most(part, after, draws - 1) for (coin, _), part in parts.items()
            )
        return gains

    def most(self, worlds: Sequence[World], taken: Sequence[int], draws: int) -> float:
        if not draws:
            return 0.0
        places = tuple((bag[:count], len(bag) == count) for bag, count in zip(worlds[0][0], taken, strict=True))
        if places not in self.found:
            self.found[places] = max(self.gains(worlds, taken, draws).values())
        return self.found[places]


def harvest(stocks: Iterable[Stock], draws: int) -> float:
    """What so many draws bring on average, taken where means are highest."""
    total, left = 0.0, float(draws)
    for mean, coins in sorted(stocks, reverse=True):
        taken = min(coins, left)
        total, left = total + mean * taken, left - taken
        if left <= 0:
            break
    return total


@lru_cache(maxsize=1 << 12)
def most_of(bags: tuple[Coins, ...], draws: int) -> int:
    """The largest total of so many draws, for one who sees every coin: of each bag some first coins."""
    best = [0]  # by the number of draws from the bags so far
    for bag in bags:
        sums = list(accumulate(bag, initial=0))
        best = [
            max(best[count - taken] + sums[taken] for taken in range(max(0, count - len(best) + 1), min(count, len(bag)) + 1))
            for count in range(min(draws, len(best) - 1 + len(bag)) + 1)
        ]
    return best[draws]


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


def orders_of(coins: Coins) -> tuple[Coins, ...]:
    """Every order in which coins may come out; orders that look alike are one."""
    if not coins:
        return ((),)
    return tuple((coin, *rest) for coin in sorted(set(coins)) for rest in orders_of(rest_of(coins, (coin,))))
