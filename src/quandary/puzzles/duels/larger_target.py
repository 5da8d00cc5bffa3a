"""Larger target: two players take turns drawing coins from bags that look alike.

From PuzzlePlex.  Nobody knows which bag holds which contents.  Interpretations: the draws are
counted for both players together and are all the coins, less one where that number is odd, so that
both draw equally often; an equal total is a tie.  Bags are numbered from 0, as in the paper's
answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from quandary.core.boards import captions, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Doc, JudgedMoves, Language, Move, Options, Seat, Secret
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.core.words import Say
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
from quandary.puzzles._shared.coin_bags.solver.search import (
    EXACT,
    DuelSearch,
    best_bag,
    duel_values,
)


@dataclass(frozen=True)
class LargerTarget(JudgedMoves, CoinBags):
    bags: Secret[tuple[Coins, ...]]  # by number, each bag's coins in the order they come out
    shown: Annotated[
        tuple[Coins, ...], Doc("the coins of each bag at the start, not in the order of the bags")
    ]
    empty: Annotated[tuple[bool, ...], Doc("for each bag, by number, whether it is empty")]
    log: Annotated[
        tuple[Draw, ...], Doc("the coins drawn so far in order, with the seat and the bag")
    ] = ()

    version = 2
    levels = {"easy": {"bags": (3, 5)}, "normal": {"bags": (6, 8)}, "hard": {"bags": (9, 11)}}
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        bags: Annotated[Range, Between(2, MOST_BAGS)] = (6, 8),
        length: Annotated[Range, Between(1)] = (1, 10),
        coin: Annotated[Range, Between(0, MOST_WORTH)] = (1, 10),
    ) -> LargerTarget:
        """Return each bag holds `length` coins of value `coin`, all random."""
        return cls.of(random_bags(rng, bags, length, coin))

    @classmethod
    def of(cls, bags: tuple[Coins, ...]) -> LargerTarget:
        """Return the start with these bags, by number and in the order their coins come out."""
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

    @classmethod
    def level_notation(cls, *, bags: Range = (6, 8), **level: Any) -> Notation:
        return bag_notation(bags[1])

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Two players draw coins from closed bags, which are numbered from 0. The contents"
                " of the bags are shown at the start in sorted order, but not which bag holds"
                " which contents. The order in which the coins of a bag come out is random and"
                " fixed before the first draw. All ways to number the bags and to order their coins"
                " are equally likely.\n"
                "Players take turns. In your turn you name a bag that is not empty, and its next"
                " coin is yours. Both players see the coin and whether the bag is now empty.\n"
                "The match ends when all coins have been drawn; if their number is odd, one coin"
                " stays in its bag, so that both players draw equally often. The larger total"
                " wins, and equal totals are a tie. Naming an empty bag or one that does not exist"
                " loses the match."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)

        def name(draw: Draw) -> str:
            if draw.seat == seat:
                return say("{coin} (you)", coin=draw.coin)
            return say("{coin} (opponent)", coin=draw.coin)

        return say.lines(
            bags_text(say, self._seen(), name),
            self._last_draw(say, seat) if self.log else "",
            say(
                "Your total: {own}. Your opponent's total: {other}.",
                own=self._total(seat),
                other=self._total(1 - seat),
            ),
            self._turn_line(say, seat),
        )

    def _last_draw(self, say: Say, seat: Seat) -> str:
        last = self.log[-1]
        if last.seat == seat:
            return say("You drew {coin} from bag {bag}.", coin=last.coin, bag=last.bag)
        return say("Your opponent drew {coin} from bag {bag}.", coin=last.coin, bag=last.bag)

    def _turn_line(self, say: Say, seat: Seat) -> str:
        left = self._left()
        if not left:
            return say("The match is over.")
        if len(self.log) % 2 == seat:
            return say("Draws left for both players together: {left}. It is your turn.", left=left)
        return say(
            "Draws left for both players together: {left}. It is your opponent's turn.", left=left
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say, left = self.say(language), self._left()
        return stack(
            captions(
                say(
                    "you (round coins): {own}, opponent (square coins): {other}",
                    own=self._total(seat),
                    other=self._total(1 - seat),
                ),
                say("draws left: {left}", left=left),
            ),
            bags_picture(say, self._seen(), seat, left > 0 and len(self.log) % 2 == seat),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        return coins_legend(self.say(language), several=True)

    def canonical(self) -> Hashable:
        mover = len(self.log) % 2
        return self.contents(), self._total(mover), self._total(1 - mover)

    judge_budget = (EXACT,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each bag under best play of both, near the end."""
        if not 0 < self._left() <= EXACT or len(self.log) % 2 != seat:
            return None
        worth = DuelSearch().worth(self._belief(), self._left(), self._lead(seat))
        return {str(bag): worth[bag] for bag in sorted(worth)}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Exact near the end; before, the best lead over the next draws that the budget allows."""
        worth = duel_values(self._belief(), self._left(), self._lead(seat), budget)
        return self.greedy(seat, rng, budget) if worth is None else best_bag(worth, rng)

    strategies = {"greedy": CoinBags.greedy, "oracle": oracle}
    strongest = "search"

    def _lead(self, seat: Seat) -> int:
        return self._total(seat) - self._total(1 - seat)

    def _left(self) -> int:
        """Draws left for both players together."""
        return sum(map(len, self.shown)) // 2 * 2 - len(self.log)
