"""Larger target: two players draw coins in turn from bags whose contents are known, but not which bag is which.

From PuzzlePlex.  Readings: the draws are counted for both players together and are all the coins, less one where that number
is odd, so that both draw equally often; an equal total is a tie.  Bags are numbered from 0, as in the paper's answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from quandary.core.contract import Game, Language, Move, Options, Seat, Secret
from quandary.core.scene import Scene
from quandary.families.coin_bags import HOW_TO_WRITE, WHAT_IS_KNOWN, picture, random_bags, told
from quandary.kit.reading import read_number
from quandary.solvers.coin_bag_search import BudgetSpent, DuelSearch, best_bag
from quandary.solvers.coin_bags import Belief, Coins, Draw, Seen

EXACT = 6  # draws left from which play is exact


@dataclass(frozen=True)
class LargerTarget(Game):
    bags: Secret[tuple[Coins, ...]]  # by number, each bag's coins in the order they come out
    shown: tuple[
        Coins, ...
    ]  # the same contents, sorted, so that they tell neither number nor order
    empty: tuple[bool, ...]  # by number
    log: tuple[Draw, ...] = ()

    levels = {"easy": {"bags": (3, 5)}, "normal": {"bags": (6, 8)}, "hard": {"bags": (9, 11)}}
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        bags: tuple[int, int] = (6, 8),
        length: tuple[int, int] = (1, 10),
        coin: tuple[int, int] = (1, 10),
    ) -> LargerTarget:
        """Each bag holds `length` coins of value `coin`, all by luck."""
        return cls.of(random_bags(rng, bags, length, coin))

    @classmethod
    def of(cls, bags: tuple[Coins, ...]) -> LargerTarget:
        """The start with these bags, by number and in the order their coins come out."""
        return cls(bags, *Seen.first(bags))

    def options(self) -> Options:
        return {len(self.log) % 2: self._seen().open_bags()} if self._left() else {}

    def after(self, seat: Seat, move: Move) -> LargerTarget:
        bag = int(move)
        return LargerTarget(self.bags, *self._seen().after(seat, bag, self.bags[bag]))

    def scores(self) -> tuple[float, float]:
        first, second = self.values()
        return (0.5, 0.5) if first == second else (float(first > second), float(second > first))

    def values(self) -> tuple[float, float]:
        return float(self._total(0)), float(self._total(1))

    def _total(self, seat: Seat) -> int:
        return self._seen().total(seat)

    def _left(self) -> int:
        """Draws left, of both players together."""
        return sum(map(len, self.shown)) // 2 * 2 - len(self.log)

    def world(self, rng: Random) -> LargerTarget:
        """Bags and orders of coins drawn from all that fit what was seen, each as likely as it is."""
        return replace(self, bags=self._seen().world(rng))

    def canonical(self) -> tuple[Coins, ...]:
        return self.shown

    def read(self, seat: Seat, said: str) -> Move:
        return read_number(said, HOW_TO_WRITE)

    def rules(self, language: Language = "en") -> str:
        return (
            f"Two players draw coins from closed bags, which are numbered from 0. {WHAT_IS_KNOWN}\n"
            "Players take turns. In your turn you name a bag that is not empty, and its next coin is yours. "
            "Both players see the coin, and whether the bag is empty now.\n"
            "The match ends when all coins are drawn; if their number is odd, one coin stays in its bag, "
            "so that both players draw equally often. The larger total wins, and equal totals are a tie. "
            "Naming an empty bag or one that does not exist loses the match.\n" + HOW_TO_WRITE
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = told(
            self._seen(), lambda draw: f"{draw.coin} ({'you' if draw.seat == seat else 'opponent'})"
        )
        if self.log:
            last = self.log[-1]
            lines.append(
                f"{'You' if last.seat == seat else 'Your opponent'} just drew {last.coin} from bag {last.bag}."
            )
        lines.append(
            f"Your total: {self._total(seat)}. Your opponent's total: {self._total(1 - seat)}."
        )
        turn = "It is your turn." if len(self.log) % 2 == seat else "It is your opponent's turn."
        left = self._left()
        return "\n".join(
            [
                *lines,
                f"Draws left, of both together: {left}. {turn}" if left else "The match is over.",
            ]
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        title = (
            f"you {self._total(seat)}, opponent {self._total(1 - seat)}, {self._left()} draws left"
        )
        moving = self._left() > 0 and len(self.log) % 2 == seat
        return picture(self._seen(), seat, title, "drawn: you ●, opponent ■", moving)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each bag's worth under best play of both, near the end; neither player knows more than the other."""
        if not 0 < self._left() <= EXACT or len(self.log) % 2 != seat:
            return None
        worth = DuelSearch().worth(
            self._belief(), self._left(), self._total(seat) - self._total(1 - seat)
        )
        return {str(bag): worth[bag] for bag in sorted(worth)}

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The bag whose next coin is worth most on average, given all that was seen."""
        return best_bag(self._belief().means(), rng)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Exact play near the end; before, the best lead over the next three draws, or two, or one, as the budget allows."""
        lead = self._total(seat) - self._total(1 - seat)
        looks = [(self._left(), lead)] if self._left() <= EXACT else [(3, None), (2, None)]
        for depth, known in looks:
            try:
                return best_bag(
                    DuelSearch(budget // len(looks)).worth(self._belief(), depth, known), rng
                )
            except BudgetSpent:
                continue
        return self.greedy(seat, rng, budget)

    strategies = {"greedy": greedy, "oracle": oracle}

    def _seen(self) -> Seen:
        return Seen(self.shown, self.empty, self.log)

    def _belief(self) -> Belief:
        return self._seen().belief()
