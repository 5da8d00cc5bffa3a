"""Beat or bomb with hidden hands: each round both play a card at once, to compete with it or to give it up; most points win.

From PuzzlePlex.  Readings: two equal cards that both compete earn nothing; after a round both plays are open; a draw is
half a win; hands have 5 to 11 cards, because no two different hands of 12 cards add up alike.
A total is drawn first, then two of the hands that have it, so the opponent's hand is equally likely any that fits.

What can be known: towards the end the log and the common total give both hands away, always with one card left; such a position is
worth what its matrix game is worth, worked out backwards from the last card.  Before that, luck weighs much: the oracle wins
nine matches in ten against random play, but only 55 to 60 in a hundred against `greedy`, however many hands it imagines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from random import Random

from quandary.core.contract import Language, Move, Private, Seat
from quandary.families.beat_or_bomb import CARDS, PLAYED, RANKS, ROUNDS, BeatOrBomb, judged, moves, spelled
from quandary.kit.equilibrium import cautious_mix, equilibrium
from quandary.solvers.beat_or_bomb import Hand, estimated_worth, matrix_game, worth

JUDGED = 4  # cards a hand up to which open hands are judged
WORLDS = 12  # hands of the opponent that are imagined at most


@dataclass(frozen=True)
class BeatOrBombSto(BeatOrBomb):
    hands: Private[tuple[Hand, Hand]]  # the cards left

    levels = {
        "easy": {"cards": (5, 8)},
        "normal": {"cards": (9, 11)},
        "hard": {"cards": (8, 9), "doubt": 20},
    }
    house = {"easy": "random", "normal": "greedy", "hard": "oracle"}
    small = {
        "easy": "a very low or high total comes as often as any but has few hands: of 360,000 deals these repeat, 1 in 10 drawn",
        "normal": "there are 250 deals of 11 cards and 3,500 of 10 cards, and low and high totals repeat: 1 in 3 drawn",
    }

    @classmethod
    def new(cls, rng: Random, *, cards: tuple[int, int] = (5, 8), doubt: int = 1) -> BeatOrBombSto:
        """Two different hands of one total, such that the opponent's is at first one of `doubt` or more."""
        if not 5 <= cards[0] <= cards[1] <= 11:
            raise ValueError("a hand has 5 to 11 cards, for example cards=5..8")
        fitting = _doubtful(cards, doubt)
        if not fitting:
            raise ValueError(f"no total leaves {doubt} hands of so many cards in doubt")
        first, second = rng.sample(rng.choice(rng.choice(fitting)), 2)
        return cls((first, second))

    def world(self, rng: Random) -> BeatOrBombSto:
        seat = 0 if self.hands[1] is None else 1
        own, other = self.hands[seat], rng.choice(self._possible(seat))
        return replace(self, hands=(own, other) if seat == 0 else (other, own))

    def rules(self, language: Language = "en") -> str:
        return (
            f"Two players each hold cards that the other cannot see. {CARDS} "
            "At the start both hands have the same number of cards and "
            "the same total worth, but they are not the same hand; any hand that fits is equally likely.\n"
            f"{ROUNDS}"
        )

    def held(self, seat: Seat, shown: int) -> str:
        own = self.hands[seat]
        return f"Total worth of each starting hand: {sum(own) + shown}\nYour cards: {spelled(own)}"

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each play's worth against an equilibrium reply, once both players can be certain of both hands."""
        own, other = self.hands[seat], self._certain(seat)
        if other is None or not 0 < len(own) <= JUDGED or self.chosen[seat] is not None:
            return None
        return judged(own, other, self.lead(seat))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The mix that is best on average over hands the opponent may hold, should it know ours; exact once hands are open.

        Play is followed to the last card where the budget allows, else for one round, after which the worth is guessed.
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

    def _shown(self, seat: Seat) -> Hand:
        """The cards a seat has played, lowest first."""
        return tuple(sorted(PLAYED[plays[seat]] for plays in self.rounds))

    def _possible(self, seat: Seat) -> list[Hand]:
        """The hands the other seat may hold, from all that `seat` knows."""
        return _fitting(self._shown(1 - seat), self._shown(seat), self.hands[seat])

    def _certain(self, seat: Seat) -> Hand | None:
        """The other seat's hand, where both players can work out both hands."""
        theirs = self._possible(seat)
        if len(theirs) > 1 or len(_fitting(self._shown(seat), self._shown(1 - seat), theirs[0])) > 1:
            return None
        return theirs[0]


@lru_cache
def _totals(count: int) -> tuple[tuple[Hand, ...], ...]:
    """All hands of so many cards, those of one total together."""
    alike: dict[int, list[Hand]] = {}
    for hand in combinations(RANKS.values(), count):
        alike.setdefault(sum(hand), []).append(hand)
    return tuple(map(tuple, alike.values()))


@lru_cache
def _doubtful(cards: tuple[int, int], doubt: int) -> list[list[tuple[Hand, ...]]]:
    """For each number of cards the hands of a total, total by total, where more than `doubt` have it."""
    every = [[hands for hands in _totals(count) if len(hands) > max(1, doubt)] for count in range(cards[0], cards[1] + 1)]
    return [totals for totals in every if totals]


def _fitting(shown: Hand, played: Hand, hand: Hand) -> list[Hand]:
    """The hands of someone who has shown some cards, as far as one can tell who has played some and holds a hand."""
    unseen = [rank for rank in RANKS.values() if rank not in shown]
    rest, start = sum(played) + sum(hand) - sum(shown), sorted(played + hand)
    return [held for held in combinations(unseen, len(hand)) if sum(held) == rest and sorted(shown + held) != start]
