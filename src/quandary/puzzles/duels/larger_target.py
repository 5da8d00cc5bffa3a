"""Larger target: two players draw coins in turn from bags whose contents are known, but not which bag is which.

From PuzzlePlex.  Readings: the draws are counted for both players together and are all the coins, less one where that number
is odd, so that both draw equally often; an equal total is a tie.  Bags are numbered from 0, as in the paper's answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from quandary.core.contract import Game, Language, Move, Options, Seat, Secret, Unreadable
from quandary.core.scene import Box, Disc, Label, Scene, Shape
from quandary.kit.bags import MOST_BAGS, Belief, Coins, Lookahead, Spent, Ways, rest_of

EXACT = 6  # draws left from which play is exact
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
        for number, held in enumerate(Ways(self._belief()).deal(rng)):
            drawn = tuple(draw.coin for draw in self.log if draw.bag == number)
            rest = list(rest_of(self.shown[held], drawn))
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
        worth = Lookahead().worth(self._belief(), self._left(), self._total(seat) - self._total(1 - seat))
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
                return _best(Lookahead(budget // len(looks)).worth(self._belief(), depth, known), rng)
            except Spent:
                continue
        return self.greedy(seat, rng, budget)

    strategies = {"greedy": greedy, "oracle": oracle}

    def _belief(self) -> Belief:
        drawn = (tuple(sorted(draw.coin for draw in self.log if draw.bag == number)) for number in range(len(self.empty)))
        return Belief(self.shown, tuple(zip(drawn, self.empty, strict=True)))


def _best(worth: Mapping[int, float], rng: Random) -> Move:
    top = max(worth.values())
    return str(rng.choice([bag for bag, value in worth.items() if value > top - TIE]))


def _listed(coins: Sequence[int]) -> str:
    return " ".join(map(str, coins))
