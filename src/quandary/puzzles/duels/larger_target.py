"""Larger target: two players draw coins in turn from bags whose contents are known, but not which bag is which.

From PuzzlePlex.  Readings: the draws are counted for both players together and are all the coins, less one where that number
is odd, so that both draw equally often; an equal total is a tie.  Bags are numbered from 0, as in the paper's answers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.core.contract import Game, Language, Move, Options, Seat, Secret, Unreadable
from quandary.core.scene import Box, Disc, Label, Scene, Shape

Coins: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[Coins, bool]  # what was drawn from a bag, sorted, and whether it is empty

MOST_BAGS = 14  # what could be where is counted exactly, over sets of bags
EXACT = 6  # draws left from which play is exact
CANDIDATES = 3  # bags a lookahead follows up, best means first
TIE = 1e-9  # means closer than this are equal

NUMBER = r"(?<![\d.])-?[0-9]{1,9}(?![\d.])"
BRACKETS = re.compile(rf"\[\s{{0,9}}({NUMBER})\s{{0,9}}\]")


@dataclass(frozen=True)
class Draw:
    """One coin drawn."""

    seat: Seat
    bag: int
    coin: int


@dataclass(frozen=True)
class LargerTarget(Game):
    bags: Secret[tuple[Coins, ...]]  # by number, each bag's coins in the order they come out
    shown: tuple[Coins, ...]  # the same contents, sorted, so that they tell neither number nor order
    empty: tuple[bool, ...]  # by number
    log: tuple[Draw, ...] = ()

    levels = {"easy": {"bags": (3, 5)}, "normal": {"bags": (6, 8)}, "hard": {"bags": (9, 11)}}
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}

    @classmethod
    def new(
        cls, rng: Random, *, bags: tuple[int, int] = (6, 8), length: tuple[int, int] = (1, 10), coin: tuple[int, int] = (1, 10)
    ) -> LargerTarget:
        """Each bag holds `length` coins of value `coin`, all by luck."""
        if not 2 <= bags[0] <= bags[1] <= MOST_BAGS or length[0] < 1 or coin[0] < 0:
            raise ValueError(f"there are 2 to {MOST_BAGS} bags, each with at least 1 coin, and coins are worth at least 0")
        drawn = (tuple(rng.randint(*coin) for _ in range(rng.randint(*length))) for _ in range(rng.randint(*bags)))
        return cls.of(tuple(drawn))

    @classmethod
    def of(cls, bags: tuple[Coins, ...]) -> LargerTarget:
        """The start with these bags, by number and in the order their coins come out."""
        return cls(bags, tuple(sorted(tuple(sorted(bag)) for bag in bags)), (False,) * len(bags))

    def options(self) -> Options:
        open_bags = [str(bag) for bag, empty in enumerate(self.empty) if not empty]
        return {len(self.log) % 2: open_bags} if self._left() else {}

    def play(self, seat: Seat, move: Move) -> LargerTarget:
        bag = int(move)
        taken = sum(1 for draw in self.log if draw.bag == bag)
        empty = (*self.empty[:bag], taken + 1 == len(self.bags[bag]), *self.empty[bag + 1 :])
        return replace(self, empty=empty, log=(*self.log, Draw(seat, bag, self.bags[bag][taken])))

    def scores(self) -> tuple[float, float]:
        first, second = self.values()
        return (0.5, 0.5) if first == second else (float(first > second), float(second > first))

    def values(self) -> tuple[float, float]:
        return float(self._total(0)), float(self._total(1))

    def _total(self, seat: Seat) -> int:
        return sum(draw.coin for draw in self.log if draw.seat == seat)

    def _left(self) -> int:
        """Draws left, of both players together."""
        return sum(map(len, self.shown)) // 2 * 2 - len(self.log)

    def world(self, rng: Random) -> LargerTarget:
        """Bags and orders of coins drawn from all that fit what was seen, each as likely as it is."""
        bags = []
        for number, held in enumerate(_Ways(self._belief()).deal(rng)):
            drawn = tuple(draw.coin for draw in self.log if draw.bag == number)
            rest = list(_rest(self.shown[held], drawn))
            rng.shuffle(rest)
            bags.append((*drawn, *rest))
        return replace(self, bags=tuple(bags))

    def canonical(self) -> tuple[Coins, ...]:
        return self.shown

    def read(self, seat: Seat, said: str) -> Move:
        numbers = BRACKETS.findall(said)[-1:] or re.findall(NUMBER, said)
        if len({int(number) for number in numbers}) != 1:
            raise Unreadable("Write the number of the bag you draw from, for example: 2")
        return str(int(numbers[0]))

    def rules(self, language: Language = "en") -> str:
        return (
            "Two players draw coins from closed bags, which are numbered from 0. What the bags hold is made known at the start, "
            "but not which bag holds what: the contents are listed in sorted order. In which order a bag gives its coins "
            "is luck, settled before the first draw.\n"
            "Players take turns. In your turn you name a bag that is not empty, and its next coin is yours. "
            "Both players see the coin, and whether the bag is empty now.\n"
            "The match ends when all coins are drawn; if their number is odd, one coin stays in its bag, "
            "so that both players draw equally often. The larger total wins, and equal totals are a tie. "
            "Naming an empty bag or one that does not exist loses the match.\n"
            "Write the number of the bag you draw from, for example: 2"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = ["What the bags held at the start, in sorted order:", *(f"- {_listed(coins)}" for coins in self.shown)]
        lines.append("What was drawn from each bag:")
        for number, empty in enumerate(self.empty):
            draws = [f"{draw.coin} ({'you' if draw.seat == seat else 'opponent'})" for draw in self.log if draw.bag == number]
            lines.append(f"- bag {number}: {', '.join(draws) or 'nothing yet'}{'; it is empty' if empty else ''}")
        if self.log:
            last = self.log[-1]
            lines.append(f"{'You' if last.seat == seat else 'Your opponent'} just drew {last.coin} from bag {last.bag}.")
        lines.append(f"Your total: {self._total(seat)}. Your opponent's total: {self._total(1 - seat)}.")
        turn = "It is your turn." if len(self.log) % 2 == seat else "It is your opponent's turn."
        left = self._left()
        return "\n".join([*lines, f"Draws left, of both together: {left}. {turn}" if left else "The match is over."])

    def scene(self, seat: Seat) -> Scene:
        deepest, wide = max(map(len, self.shown)), max(len(str(coins[-1])) for coins in self.shown)
        middle, pitch = max(7.0, 2.2 + 0.85 * deepest), 0.34 * (wide + 1)
        shapes: list[Shape] = [
            Label(
                0, 0.4, f"you {self._total(seat)}, opponent {self._total(1 - seat)}, {self._left()} draws left", 0.5, anchor="start"
            ),
            Label(0, 1.3, "drawn: you ●, opponent ■", anchor="start", colour="quiet"),
            Label(middle, 1.3, "held at the start, sorted", anchor="start", colour="quiet"),
        ]
        for number, (empty, coins) in enumerate(zip(self.empty, self.shown, strict=True)):
            y = 1.8 + number
            click = str(number) if not empty and self._left() and len(self.log) % 2 == seat else ""
            shapes.append(Box(0, y, 1.2, 0.9, fill="shade" if empty else "yellow", text=str(number), click=click))
            for i, draw in enumerate(draw for draw in self.log if draw.bag == number):
                x, mine = 1.7 + 0.85 * i, draw.seat == seat
                coin = str(draw.coin)
                shapes.append(
                    Disc(x + 0.05, y + 0.45, 0.38, "blue", coin) if mine else Box(x - 0.3, y + 0.1, 0.7, 0.7, "orange", coin)
                )
            shapes += [Label(middle + pitch * (i + 0.5), y + 0.45, str(coin)) for i, coin in enumerate(coins)]
        return Scene(middle + max(pitch * deepest, 5.0), 2.0 + len(self.shown), tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each bag's worth under best play of both, near the end; neither player knows more than the other."""
        if not 0 < self._left() <= EXACT or len(self.log) % 2 != seat:
            return None
        worth = _Lookahead().worth(self._belief(), self._left(), self._total(seat) - self._total(1 - seat))
        return {str(bag): worth[bag] for bag in sorted(worth)}

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The bag whose next coin is worth most on average, given all that was seen."""
        return _best(self._belief().means(), rng)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Exact play near the end; before, the best lead over the next three draws, or two, or one, as the budget allows."""
        lead = self._total(seat) - self._total(1 - seat)
        looks = [(self._left(), lead)] if self._left() <= EXACT else [(3, None), (2, None)]
        for depth, known in looks:
            try:
                return _best(_Lookahead(budget // len(looks)).worth(self._belief(), depth, known), rng)
            except _Spent:
                continue
        return self.greedy(seat, rng, budget)

    strategies = {"greedy": greedy, "oracle": oracle}

    def _belief(self) -> _Belief:
        drawn = (tuple(sorted(draw.coin for draw in self.log if draw.bag == number)) for number in range(len(self.empty)))
        return _Belief(self.shown, tuple(zip(drawn, self.empty, strict=True)))


class _Belief(NamedTuple):
    """What both players know.  Bags seen alike are alike, so beliefs that differ in numbering alone are worth the same."""

    shown: tuple[Coins, ...]
    places: tuple[Place, ...]

    def means(self) -> dict[int, float]:
        """What the next coin of each bag that is not empty is worth on average."""
        means = {}
        for number, ((drawn, empty), odds) in enumerate(zip(self.places, _odds(self), strict=True)):
            if not empty:
                left = ((chance, self.shown[held]) for held, chance in odds.items())
                means[number] = sum(chance * (sum(coins) - sum(drawn)) / (len(coins) - len(drawn)) for chance, coins in left)
        return means

    def outcomes(self, number: int) -> dict[Place, float]:
        """How likely a draw from this bag leads to what."""
        drawn, _ = self.places[number]
        found: dict[Place, float] = defaultdict(float)
        for held, chance in _odds(self)[number].items():
            rest = _rest(self.shown[held], drawn)
            for coin in rest:
                found[(*drawn, coin), len(rest) == 1] += chance / len(rest)
        return found

    def after(self, number: int, place: Place) -> _Belief:
        drawn, empty = place
        others = (*self.places[:number], *self.places[number + 1 :])
        return _Belief(self.shown, tuple(sorted((*others, (tuple(sorted(drawn)), empty)))))


class _Ways:
    """All ways the contents may be spread over the bags, counted by the orders of coins that give what was drawn."""

    def __init__(self, belief: _Belief) -> None:
        shown, places = belief
        rows = [(number, _candidates(shown, place)) for number, place in enumerate(places) if place[0]]
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


class _Spent(Exception):  # no error: the ordinary end of a search
    """The budget is used up."""


class _Lookahead:
    """A search through what both may come to know; its budget counts beliefs looked at."""

    def __init__(self, budget: int = 1_000_000) -> None:
        self.left = budget
        self.found: dict[tuple[_Belief, int, int | None], float] = {}

    def worth(self, belief: _Belief, depth: int, lead: int | None) -> dict[int, float]:
        """What each bag is worth to the mover: with a lead its expected score when `depth` draws end the match,
        without one its expected gain over the opponent in the next `depth` draws (then of the likeliest bags alone)."""
        if self.left <= 0:
            raise _Spent
        self.left -= 1
        means = belief.means()
        if depth == 1 and lead is None:
            return means
        worth: dict[Place, float] = {}
        for number in sorted(means, key=means.__getitem__, reverse=True):
            if belief.places[number] not in worth and (lead is not None or len(worth) < CANDIDATES):
                worth[belief.places[number]] = self.draw(belief, number, depth, lead)
        return {number: worth[belief.places[number]] for number in means if belief.places[number] in worth}

    def draw(self, belief: _Belief, number: int, depth: int, lead: int | None) -> float:
        total = 0.0
        for (drawn, empty), chance in belief.outcomes(number).items():
            after, coin = belief.after(number, (drawn, empty)), drawn[-1]
            if lead is None:
                total += chance * (coin - self.best(after, depth - 1, None))
            else:
                total += chance * (1.0 - self.best(after, depth - 1, -lead - coin))
        return total

    def best(self, belief: _Belief, depth: int, lead: int | None) -> float:
        if depth == 0:
            return 0.0 if lead is None else float(lead > 0) + 0.5 * (lead == 0)
        known = (belief, depth, lead)
        if known not in self.found:
            self.found[known] = max(self.worth(belief, depth, lead).values())
        return self.found[known]


@lru_cache(maxsize=1 << 14)
def _odds(belief: _Belief) -> list[dict[int, float]]:
    return _Ways(belief).odds()


@lru_cache(maxsize=1 << 12)
def _candidates(shown: tuple[Coins, ...], place: Place) -> dict[int, int]:
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
def _rest(coins: Coins, drawn: Coins) -> Coins:
    left = list(coins)
    for coin in drawn:
        left.remove(coin)
    return tuple(left)


def _best(worth: Mapping[int, float], rng: Random) -> Move:
    top = max(worth.values())
    return str(rng.choice([bag for bag, value in worth.items() if value > top - TIE]))


def _listed(coins: Sequence[int]) -> str:
    return " ".join(map(str, coins))
