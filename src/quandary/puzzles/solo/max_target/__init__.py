"""Max target: draw the largest total from bags that look alike.

From PuzzlePlex.  Nobody knows which bag holds which contents.  Interpretations: the coins of every
bag come out in an order fixed at the start; all numberings and orders are equally likely; a player
sees whether a bag is empty; all draws must be made.  Bags are numbered from 0, as in the papers'
answers.

The score compares a total with the largest one that somebody who saw every coin could have drawn,
which luck keeps out of reach.  How far thinking gets is seen from what `oracle` collects on
average, in normalised means.  The oracle seeks the largest total on average, and the judge the best
score; they are not quite the same, since a poor order of the coins lowers the reference, too, but
they hardly ever advise different bags.

Levels: easy and normal are PuzzlePlex's sizes.  Hard has few draws for many large bags of more
different coins, so that there is little time to find out which bags are rich: there luck scores
0.72, greedy 0.84 and the oracle 0.85, compared with 0.84, 0.93 and 0.93 on normal.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Annotated, Any

from quandary.core.boards import captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    JudgedMoves,
    Language,
    Move,
    Objective,
    Options,
    Seat,
    Secret,
)
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.puzzles._shared.coin_bags import (
    MOST_BAGS,
    MOST_WORTH,
    CoinBags,
    bag_notation,
    bags_picture,
    bags_text,
    coins_legend,
    random_bags,
)
from quandary.puzzles._shared.coin_bags.solver.draws import Coins, Draw, Seen
from quandary.puzzles._shared.coin_bags.solver.search import best_bag, solo_values

from .solver import MOST_STEPS, MOST_WORLDS, expected_scores, largest_total

MOST_COINS = 100  # per bag; the largest total of larger ones takes long to find


@dataclass(frozen=True)
class MaxTarget(JudgedMoves, Objective, CoinBags):
    bags: Secret[tuple[Coins, ...]]  # by number, each bag's coins in the order they come out
    draws: Annotated[int, Doc("how many draws are allowed in all")]
    shown: Annotated[
        tuple[Coins, ...], Doc("the coins of each bag at the start, not in the order of the bags")
    ]
    empty: Annotated[tuple[bool, ...], Doc("for each bag, by number, whether it is empty")]
    log: Annotated[tuple[Draw, ...], Doc("the coins drawn so far in order, with the bag")] = ()

    version = 2
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
        bags: Annotated[Range, Between(2, MOST_BAGS)] = (8, 12),
        length: Annotated[Range, Between(1, MOST_COINS)] = (1, 10),
        coin: Annotated[Range, Between(1, MOST_WORTH)] = (1, 10),
        share: Annotated[Range, Between(1, 100)] = (50, 70),
    ) -> MaxTarget:
        """Return each bag holds `length` coins of value `coin`; `share` per cent of them may be
        drawn.
        """
        filled = random_bags(rng, bags, length, coin)
        return cls.of(filled, max(1, sum(map(len, filled)) * rng.randint(*share) // 100))

    @classmethod
    def of(cls, bags: tuple[Coins, ...], draws: int) -> MaxTarget:
        """Return the start with these bags, by number and in the order their coins come out."""
        return cls(bags, draws, *Seen.first(bags))

    def options(self) -> Options:
        return {0: self._seen().open_bags()} if self._left() else {}

    def after(self, seat: Seat, move: Move) -> MaxTarget:
        bag = int(move)
        return MaxTarget(self.bags, self.draws, *self._seen().after(seat, bag, self.bags[bag]))

    def scores(self) -> tuple[float]:
        return (self._total(0) / self.reference(),)

    def values(self) -> tuple[float]:
        return (float(self._total(0)),)

    def reference(self) -> float:
        return float(largest_total(self.bags, self.draws))

    @classmethod
    def level_notation(cls, *, bags: Range = (8, 12), **level: Any) -> Notation:
        return bag_notation(bags[1])

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "You draw coins from closed bags, which are numbered from 0. The contents of the"
                " bags are shown at the start in sorted order, but not which bag holds which"
                " contents. The order in which the coins of a bag come out is random and fixed"
                " before the first draw. All ways to number the bags and to order their coins are"
                " equally likely.\n"
                "In each turn you name a bag that is not empty, and its next coin is yours. You see"
                " the coin and whether the bag is now empty. For example, if one bag holds 1 and 2"
                " and another one 3 and 4, a 4 from bag 0 tells you that the 3 is left there.\n"
                "The game ends when you have made as many draws as you are told. Collect as large a"
                " total as you can: your score is your total divided by the largest total that"
                " somebody who knew where every coin is could have collected with as many draws."
                " Naming an empty bag or one that does not exist ends the game with a score of 0."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, left = self.say(language), self._left()
        total = say(
            "Your total: {total}. Draws left: {left} of {draws}.",
            total=self._total(0),
            left=left,
            draws=self.draws,
        )
        bags = bags_text(say, self._seen(), lambda draw: str(draw.coin))
        if not self.log:
            return say.lines(bags, total)
        last = self.log[-1]
        drew = say("You drew {coin} from bag {bag}.", coin=last.coin, bag=last.bag)
        return say.lines(bags, drew, total)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say, left = self.say(language), self._left()
        title = say(
            "total: {total}, draws left: {left} of {draws}",
            total=self._total(0),
            left=left,
            draws=self.draws,
        )
        return stack(captions(title), bags_picture(say, self._seen(), 0, left > 0))

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return coins_legend(self.say(language), several=False)

    def canonical(self) -> Hashable:
        return self.contents(), self.draws

    judge_budget = (MOST_WORLDS, MOST_STEPS)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each bag under the play that scores best, if few orders are
        possible.
        """
        scores = expected_scores(self._seen(), self.draws)
        return None if scores is None else {str(bag): score for bag, score in scores.items()}

    def elimination(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The best bag known for certain, or any other one if those are better on average."""
        belief = self._belief()
        means = belief.means()
        known = {bag: mean for bag, mean in means.items() if belief.known(bag)}
        others = means.keys() - known.keys()
        if not others or (known and max(known.values()) > fmean(means[bag] for bag in others)):
            return best_bag(known, rng)
        return str(rng.choice(sorted(others)))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The largest total on average, with what draws tell; exact if the budget suffices."""
        return best_bag(solo_values(self._belief(), self._left(), budget), rng)

    strategies = {"elimination": elimination, "greedy": CoinBags.greedy, "oracle": oracle}
    strongest = "search"

    def _left(self) -> int:
        return self.draws - len(self.log)
