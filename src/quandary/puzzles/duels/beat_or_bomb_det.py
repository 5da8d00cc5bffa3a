"""Beat or bomb with open hands: compete with a card or give it up, both at once; most points win.

From PuzzlePlex.  Interpretations: two equal cards that both compete earn nothing; after a round
both moves are open; a draw is half a win.  In the paper both players hold all 13 cards, and the
opponent plays at random at both levels; here the opponent of the second level follows the rules of
thumb of the game with hidden hands, because the two levels would otherwise be one.  The hard level
deals fewer cards, not the same to both.

What is known: with equal hands and equal points each side is worth half a win.  A position is a
matrix game, and play is exact towards the end; before that, the search looks one round ahead,
further if its budget allows, and then estimates.  In a hundred matches the oracle scores about
95 against random play and 65 against `greedy`, at the hard level 90 and 60.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from random import Random
from typing import Annotated

from quandary.algorithms.equilibrium import equilibrium
from quandary.core.boards import cards as card_row
from quandary.core.boards import stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    HiddenInformation,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Seat,
)
from quandary.core.scene import Scene
from quandary.core.words import say_in
from quandary.puzzles.duels._shared.beat_or_bomb import (
    NAMES,
    RANKS,
    BeatOrBomb,
    choice_line,
    hand_text,
    move_values,
    moves,
    own_cards_line,
    past,
    points_line,
    round_rules,
    rounds_line,
)
from quandary.puzzles.duels._shared.beat_or_bomb.solver import Hand, matrix_game, worth_to_depth

JUDGED = 5  # cards per hand up to which positions are judged


@dataclass(frozen=True)
class BeatOrBombDet(HiddenInformation, JudgedMoves, BeatOrBomb):
    version = 2
    levels = {
        "easy": {"cards": (13, 13)},
        "normal": {"cards": (13, 13)},
        "hard": {"cards": (7, 9)},
    }
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}
    distinct_instances = dict.fromkeys(
        ("easy", "normal"), InstanceCount(1, "both players hold all 13 cards")
    )

    @classmethod
    def new(
        cls, rng: Random, *, cards: Annotated[Range, Between(1, len(RANKS))] = (13, 13)
    ) -> BeatOrBombDet:
        """Return a random hand, and a random hand with as many cards and the same total.

        The two hands may be equal; with 12 or 13 cards they always are.
        """
        first = tuple(sorted(rng.sample(list(RANKS.values()), rng.randint(*cards))))
        return cls((first, rng.choice(_hands(len(first), sum(first)))))

    def possible_position(self, rng: Random) -> BeatOrBombDet:
        """Return the position without the hidden move of this round, as if it had not been made
        yet.
        """
        return self

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Two players each hold cards, and both players see both hands. At the start both"
                " hands have the same number of cards and the same total worth."
            ),
            round_rules(say),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        own, chosen, played = self.hands[seat], self.chosen[seat], len(self.rounds)
        points, opponent_points, _, log = past(self.rounds, language)[seat]
        text = (
            f"{rounds_line(played, played + len(own), language)}\n"
            f"{points_line(points, opponent_points, language)}\n"
            f"{own_cards_line(own, language)}\n"
            f"{_opponent_cards_line(self.hands[1 - seat], language)}{log}"
        )
        return text if chosen is None else f"{text}\n{choice_line(chosen, language)}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say = self.say(language)
        theirs = [NAMES[rank] for rank in self.hands[1 - seat]]
        title = say("opponent's cards")
        return stack(super().scene(seat, language), card_row(theirs, columns=13, title=title))

    judge_budget = (JUDGED,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the worth of each move against an equilibrium reply, if few cards are left."""
        own, other = self.hands[seat], self.hands[1 - seat]
        if not 0 < len(own) <= JUDGED or self.chosen[seat] is not None:
            return None
        return move_values(own, other, self.lead(seat))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays an equilibrium mix, which is exact if the budget covers all positions.

        Otherwise the worth after a few rounds is estimated.
        """
        own, other = self.hands[seat], self.hands[1 - seat]
        rounds = _rounds_ahead(len(own), budget)
        if not rounds:
            return self.greedy(seat, rng, budget)
        worth_after = partial(worth_to_depth, rounds=rounds - 1)
        game = matrix_game(own, other, self.lead(seat), worth_after)
        return rng.choices(moves(own), equilibrium(game).rows)[0]

    strategies = {"greedy": BeatOrBomb.greedy, "oracle": oracle}
    strongest = "search"


@cache
def _opponent_cards_line(hand: Hand, language: Language) -> str:
    say = say_in(__name__, language)
    return say("Opponent's cards: {cards}", cards=hand_text(hand) or say("none"))


@cache
def _hands(count: int, total: int) -> tuple[Hand, ...]:
    """Return all hands of so many cards and that total."""
    return tuple(hand for hand in combinations(RANKS.values(), count) if sum(hand) == total)


def _rounds_ahead(cards: int, budget: int) -> int:
    """Return how many rounds a search may follow."""
    if 7**cards <= budget:  # an upper bound of the positions that can occur
        return cards
    for rounds in range(cards):
        budget //= 4 * (cards - rounds) ** 2
        if not budget:
            return rounds
    return cards
