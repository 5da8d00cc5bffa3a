"""Beat or bomb with open hands: each round both play a card at once, to compete with it or to give it up; most points win.

From PuzzlePlex.  Readings: two equal cards that both compete earn nothing; after a round both plays are open; a draw is
half a win.  In the paper both players hold all 13 cards, and the opponent plays at random at both levels; here the second level
has the rules of thumb of the game with hidden hands for its opponent.  The hard level deals fewer cards, not the same to both.

What can be known: with equal hands and equal points the game is worth half to either.  A position is a matrix game, and play
is exact towards the end; before that, the search looks one round ahead, further where its budget allows, and guesses then.
In a hundred matches the oracle scores about 95 against random play and 65 against `greedy`, at the hard level 90 and 60.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from random import Random

from quandary.core.contract import Language, Move, Seat
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.families.beat_or_bomb import CARDS, MARGIN, NAMES, RANKS, ROUNDS, BeatOrBomb, judged, moves, spelled
from quandary.kit.equilibrium import equilibrium
from quandary.solvers.beat_or_bomb import Hand, matrix_game, worth_to_depth

JUDGED = 5  # cards a hand up to which positions are judged


@dataclass(frozen=True)
class BeatOrBombDet(BeatOrBomb):
    levels = {"easy": {"cards": (13, 13)}, "normal": {"cards": (13, 13)}, "hard": {"cards": (7, 9)}}
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}
    small = dict.fromkeys(("easy", "normal"), "there is one deal: both players hold all 13 cards")

    @classmethod
    def new(cls, rng: Random, *, cards: tuple[int, int] = (13, 13)) -> BeatOrBombDet:
        """Any hand, and any of as many cards and the same total, which may be the same hand; of 12 or 13 cards it is."""
        if not 1 <= cards[0] <= cards[1] <= len(RANKS):
            raise ValueError("a hand has 1 to 13 cards, for example cards=7..9")
        first = tuple(sorted(rng.sample(list(RANKS.values()), rng.randint(*cards))))
        return cls((first, rng.choice(_alike(len(first), sum(first)))))

    def world(self, rng: Random) -> BeatOrBombDet:
        """Only a play can be hidden, and for all a seat knows the other has not chosen yet."""
        return self

    def rules(self, language: Language = "en") -> str:
        return (
            f"Two players each hold cards, and both see both hands. {CARDS} "
            "At the start both hands have the same number of cards and the same total worth.\n"
            f"{ROUNDS}"
        )

    def held(self, seat: Seat, shown: int) -> str:
        return f"Your cards: {spelled(self.hands[seat])}\nOpponent's cards: {spelled(self.hands[1 - seat])}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        drawn = super().scene(seat)
        below: list[Shape] = [
            Label(0, drawn.height + 0.4, "(the opponent's cards)", 0.35, "quiet", "start"),
            Label(0, drawn.height + 1.4, "opponent", anchor="start"),
            *(Box(MARGIN + x, drawn.height + 0.9, text=NAMES[rank]) for x, rank in enumerate(self.hands[1 - seat])),
        ]
        return Scene(drawn.width, drawn.height + 2.0, (*drawn.shapes, *below))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each play's worth against an equilibrium reply, where few cards are left."""
        own, other = self.hands[seat], self.hands[1 - seat]
        if not 0 < len(own) <= JUDGED or self.chosen[seat] is not None:
            return None
        return judged(own, other, self.lead(seat))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """An equilibrium mix: exact where the budget covers all that can come, else after a few rounds the worth is guessed."""
        own, other = self.hands[seat], self.hands[1 - seat]
        rounds = _rounds_ahead(len(own), budget)
        if not rounds:
            return self.greedy(seat, rng, budget)
        game = matrix_game(own, other, self.lead(seat), partial(worth_to_depth, rounds=rounds - 1))
        return rng.choices(moves(own), equilibrium(game).rows)[0]

    strategies = {"greedy": BeatOrBomb.greedy, "oracle": oracle}


@cache
def _alike(count: int, total: int) -> tuple[Hand, ...]:
    """All hands of so many cards and that total."""
    return tuple(hand for hand in combinations(RANKS.values(), count) if sum(hand) == total)


def _rounds_ahead(cards: int, budget: int) -> int:
    """How many rounds a search may follow."""
    if 7**cards <= budget:  # more than the positions that can come up
        return cards
    for rounds in range(cards):
        budget //= 4 * (cards - rounds) ** 2
        if not budget:
            return rounds
    return cards
