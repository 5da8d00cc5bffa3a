"""Max target: draw the largest total you can from bags whose contents are known, but not which bag is which.

From PuzzlePlex.  Readings: every bag's coins come out in an order settled at the start; all numberings and orders are equally
likely; a player sees whether a bag is empty; all draws must be made.  Bags are numbered from 0, as in the papers' answers.

The score measures a total by the largest one that somebody who saw every coin could have drawn, which luck keeps out of reach.
What can be reached by thinking is what `oracle` collects on average: a second measure.
The oracle seeks the largest total on average, and the judge the best score; they are not quite the same, since a poor lie of
the coins lowers the measure, too, but they hardly ever advise different bags.

Levels: easy and normal are PuzzlePlex's sizes.  Hard has few draws for many large bags of more different coins, so that there is
little time to find out which bags are rich: there luck scores 0.72, greedy 0.84 and the oracle 0.85, for 0.84, 0.93 and 0.93 on
normal.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from math import comb
from random import Random
from statistics import fmean

from quandary.core.contract import Game, Language, Move, Options, Seat, Secret
from quandary.core.scene import Scene
from quandary.families.coin_bags import HOW_TO_WRITE, WHAT_IS_KNOWN, picture, random_bags, told
from quandary.kit.reading import read_number
from quandary.solvers.coin_bag_search import (
    WorldsSearch,
    best_bag,
    largest_total,
    possible_worlds,
    solo_values,
)
from quandary.solvers.coin_bags import Belief, Coins, Draw, Seen

MOST_COINS = 100  # a bag; the largest total of larger ones takes long to find
WORLDS, STEPS = (
    2_000,
    300_000,
)  # what a judge goes through: ways the coins may lie, and draws from them


@dataclass(frozen=True)
class MaxTarget(Game):
    bags: Secret[tuple[Coins, ...]]  # by number, each bag's coins in the order they come out
    draws: int  # allowed in all
    shown: tuple[Coins, ...]  # the contents, sorted, so that they tell neither number nor order
    empty: tuple[bool, ...]  # by number
    log: tuple[Draw, ...] = ()

    seats = 1
    levels = {
        "easy": {"bags": (3, 7)},
        "normal": {"bags": (8, 12)},
        "hard": {"bags": (10, 12), "length": (3, 9), "coin": (1, 20), "share": (25, 35)},
    }
    house = {"easy": "greedy", "normal": "greedy", "hard": "oracle"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        bags: tuple[int, int] = (8, 12),
        length: tuple[int, int] = (1, 10),
        coin: tuple[int, int] = (1, 10),
        share: tuple[int, int] = (50, 70),
    ) -> MaxTarget:
        """Each bag holds `length` coins of value `coin`, and `share` per cent of all coins may be drawn, all by luck."""
        if not 1 <= share[0] <= share[1] <= 100 or length[1] > MOST_COINS or coin[0] < 1:
            raise ValueError(
                f"a bag has at most {MOST_COINS} coins, worth at least 1, and 1 to 100 per cent of them are drawn"
            )
        filled = random_bags(rng, bags, length, coin)
        return cls.of(filled, max(1, sum(map(len, filled)) * rng.randint(*share) // 100))

    @classmethod
    def of(cls, bags: tuple[Coins, ...], draws: int) -> MaxTarget:
        """The start with these bags, by number and in the order their coins come out."""
        return cls(bags, draws, *Seen.first(bags))

    def options(self) -> Options:
        return {0: self._seen().open_bags()} if self._left() else {}

    def after(self, seat: Seat, move: Move) -> MaxTarget:
        bag = int(move)
        return MaxTarget(self.bags, self.draws, *self._seen().after(seat, bag, self.bags[bag]))

    def scores(self) -> tuple[float]:
        return (self._total() / self.reference(),)

    def values(self) -> tuple[float]:
        return (float(self._total()),)

    def reference(self) -> float:
        return float(largest_total(self.bags, self.draws))

    def _total(self) -> int:
        return self._seen().total(0)

    def _left(self) -> int:
        return self.draws - len(self.log)

    def world(self, rng: Random) -> MaxTarget:
        """Bags and orders of coins drawn from all that fit what was seen, each as likely as it is."""
        return replace(self, bags=self._seen().world(rng))

    def canonical(self) -> Hashable:
        return self.shown, self.draws

    def read(self, seat: Seat, said: str) -> Move:
        return read_number(said, HOW_TO_WRITE)

    def rules(self, language: Language = "en") -> str:
        return (
            f"You draw coins from closed bags, which are numbered from 0. {WHAT_IS_KNOWN} "
            "All ways to number the bags and to order their coins are equally likely.\n"
            "In each turn you name a bag that is not empty, and its next coin is yours. "
            "You see the coin, and whether the bag is empty now. For example, if one bag holds 1 and 2 and another one 3 and 4, "
            "a 4 out of bag 0 tells you that the 3 is left there.\n"
            "The game ends when you have made as many draws as you are told. Collect as large a total as you can: "
            "your score is your total divided by the largest total that as many draws could have brought to somebody "
            "who knew where every coin is. Naming an empty bag or one that does not exist ends the game with nothing.\n"
            + HOW_TO_WRITE
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = told(self._seen(), lambda draw: str(draw.coin))
        if self.log:
            lines.append(f"You just drew {self.log[-1].coin} from bag {self.log[-1].bag}.")
        left = (
            f"Draws left: {self._left()} of {self.draws}."
            if self._left()
            else f"All {self.draws} draws are made."
        )
        return "\n".join([*lines, f"Your total: {self._total()}. {left}"])

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        title = f"total {self._total()}, {self._left()} of {self.draws} draws left"
        return picture(self._seen(), 0, title, "drawn", self._left() > 0)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each bag's worth under the play that scores best, where all ways the coins may lie can be gone through."""
        bags, left = len(self.empty) - sum(self.empty), self._left()
        worlds = (
            possible_worlds(self._seen(), min(WORLDS, STEPS // comb(bags + left, left)))
            if left
            else None
        )
        if worlds is None:
            return None
        weighed = [(bags, odds / largest_total(bags, self.draws)) for bags, odds in worlds]
        taken = [len(self._seen().drawn(bag)) for bag in range(len(self.empty))]
        before = self._total() * sum(weight for _, weight in weighed)
        return {
            str(bag): before + gain
            for bag, gain in WorldsSearch().gains(weighed, taken, left).items()
        }

    def elimination(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The best bag of those known for certain, unless the others are better on average; of these any."""
        belief = self._belief()
        means = belief.means()
        known = {bag: mean for bag, mean in means.items() if belief.known(bag)}
        others = means.keys() - known.keys()
        if not others or (known and max(known.values()) > fmean(means[bag] for bag in others)):
            return best_bag(known, rng)
        return str(rng.choice(sorted(others)))

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The bag whose next coin is worth most on average, given all that was seen."""
        return best_bag(self._belief().means(), rng)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The largest total on average, weighing what draws tell: exact if the budget reaches the end, else nearly so."""
        return best_bag(solo_values(self._belief(), self._left(), budget), rng)

    strategies = {"elimination": elimination, "greedy": greedy, "oracle": oracle}

    def _seen(self) -> Seen:
        return Seen(self.shown, self.empty, self.log)

    def _belief(self) -> Belief:
        return self._seen().belief()
