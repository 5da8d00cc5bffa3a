"""Beat or bomb with hidden hands: compete with a card or give it up, both at once; most points win.

From PuzzlePlex.  Interpretations: two equal cards that both compete earn nothing; after a round
both moves are open; a draw is half a win; hands have 5 to 11 cards, because no two different hands
of 12 cards have the same total.  A total is drawn first, then two of the hands that have it, so
that every hand that fits is equally likely to be the opponent's.

What can be known: towards the end the log and the common total reveal both hands, always when one
card is left; such a position is worth the value of its matrix game, computed backwards from the
last card.  Before that, luck matters a lot: the oracle wins nine matches in ten against random
play, but only 55 to 60 in a hundred against `greedy`, however many hands it imagines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Annotated

from quandary.algorithms.equilibrium import cautious_mix, equilibrium
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    HiddenInformation,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Private,
    Seat,
)
from quandary.core.words import say_in
from quandary.puzzles.duels._shared.beat_or_bomb import (
    RANK_PLAYED,
    BeatOrBomb,
    choice_line,
    move_values,
    moves,
    own_cards_line,
    past,
    points_line,
    round_rules,
    rounds_line,
)
from quandary.puzzles.duels._shared.beat_or_bomb.solver import (
    Hand,
    estimated_worth,
    matrix_game,
    worth,
)

from .solver import doubtful_hands, fitting_hands

JUDGED = 4  # cards per hand up to which open hands are judged
WORLDS = 12  # most hands of the opponent that are imagined


@dataclass(frozen=True)
class BeatOrBombSto(HiddenInformation, JudgedMoves, BeatOrBomb):
    hands: Annotated[
        Private[tuple[Hand, Hand]],
        Doc("your cards left, as ranks from 1 (ace) to 13 (king), lowest first"),
    ]

    version = 2
    levels = {
        "easy": {"cards": (5, 8)},
        "normal": {"cards": (9, 11)},
        "hard": {"cards": (8, 9), "doubt": 20},
    }
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}
    distinct_instances = {
        "easy": InstanceCount(
            180_638, "very low and high totals have few deals but are drawn as often"
        ),
        "normal": InstanceCount(
            12_409, "11 cards have few deals, and so have very low and high totals"
        ),
        "hard": InstanceCount(42_055, "totals with few deals are drawn as often as others"),
    }

    @classmethod
    def new(
        cls, rng: Random, *, cards: Annotated[Range, Between(5, 11)] = (5, 8), doubt: int = 1
    ) -> BeatOrBombSto:
        """Two different hands of one total, where at least `doubt` hands can be the opponent's."""
        fitting = doubtful_hands(cards, doubt)
        if not fitting:
            raise ValueError(f"no total of so many cards leaves {doubt} hands in doubt")
        first, second = rng.sample(rng.choice(rng.choice(fitting)), 2)
        return cls((first, second))

    def possible_position(self, rng: Random) -> BeatOrBombSto:
        seat = 0 if self.hands[1] is None else 1
        own, other = self.hands[seat], rng.choice(self._possible(seat))
        return replace(self, hands=(own, other) if seat == 0 else (other, own))

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Two players each hold cards that the other player cannot see. At the start both"
                " hands have the same number of cards and the same total worth, but they are not"
                " the same hand; every hand that fits is equally likely."
            ),
            round_rules(say),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        own, chosen, rounds = self.hands[seat], self.chosen[seat], self.rounds
        points, opponent_points, worth_played, log = past(rounds, language)[seat]
        worth_left, cards = _own_cards(own, language)
        text = (
            f"{rounds_line(len(rounds), len(rounds) + len(own), language)}\n"
            f"{points_line(points, opponent_points, language)}\n"
            f"{_total_line(worth_left + worth_played, language)}\n"
            f"{cards}{log}"
        )
        return text if chosen is None else f"{text}\n{choice_line(chosen, language)}"

    judge_budget = (JUDGED,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the worth of each move against an equilibrium reply, once both hands are
        certain.
        """
        own, other = self.hands[seat], self._certain(seat)
        if other is None or not 0 < len(own) <= JUDGED or self.chosen[seat] is not None:
            return None
        return move_values(own, other, self.lead(seat))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays the best mix on average over the hands of an opponent who may know our hand.

        Play is followed to the last card where the budget allows, else for one round, after which
        the worth is estimated.  It is exact once both hands are certain.
        """
        own, lead = self.hands[seat], self.lead(seat)
        to_the_end = 7 ** len(own)  # more than the positions that can come up
        deep = to_the_end <= budget
        worlds = min(WORLDS, budget // (to_the_end if deep else 4 * len(own) ** 2))
        if not worlds:
            return self.greedy(seat, rng, budget)
        possible = self._possible(seat)
        games = [
            matrix_game(own, other, lead, worth if deep else estimated_worth)
            for other in rng.sample(possible, min(worlds, len(possible)))
        ]
        mix = equilibrium(games[0]).rows if len(games) == 1 else cautious_mix(games)
        return rng.choices(moves(own), mix)[0]

    strategies = {"greedy": BeatOrBomb.greedy, "oracle": oracle}
    strongest = "search"

    def known(self, seat: Seat) -> Hand:
        """Return the cards a seat has played, lowest first."""
        return tuple(sorted([RANK_PLAYED[pair[seat]] for pair in self.rounds]))

    def _possible(self, seat: Seat) -> list[Hand]:
        """Return the hands the other seat may hold, from all that `seat` knows."""
        return fitting_hands(self.known(1 - seat), self.known(seat), self.hands[seat])

    def _certain(self, seat: Seat) -> Hand | None:
        """Return the other seat's hand, where both players can work out both hands."""
        theirs = self._possible(seat)
        if len(theirs) > 1:
            return None
        ours = fitting_hands(self.known(seat), self.known(1 - seat), theirs[0])
        return theirs[0] if len(ours) == 1 else None


@cache
def _own_cards(hand: Hand, language: Language) -> tuple[int, str]:
    """Return what the cards of a hand are worth, and the line that shows them."""
    return sum(hand), own_cards_line(hand, language)


@cache
def _total_line(total: int, language: Language) -> str:
    say = say_in(__name__, language)
    return say("Total worth of each starting hand: {total}", total=total)
