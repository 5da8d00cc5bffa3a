"""Mutual restriction: find the other player's cards from one's own cards and the results.

From LogicGame, with its sizes.  The rules say of every two cards which one wins; the published ones
leave some of that to tables of five elements, and two of their references follow the opposite.  A
card is known when it is the same in every row of cards that fits the results so far: exact
entailment.  One row is left at the end, and no result is idle, but for the games in which all
cards of the circle of four are put down: there one round always follows from the others.  From
three rounds on, some card is known only after a later round, and half of the rounds or more tell
something.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Self

from quandary.algorithms.entailment import UNKNOWN, is_one, telling
from quandary.core.boards import Cell, board
from quandary.core.bounds import Between
from quandary.core.contract import Doc, InstanceCount, Language, Seat
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown

from .solver import CARDS, RESULTS, Result, beaten, left_after, rows_of, turned

GRADUAL = 3  # rounds from which on they tell the cards little by little


@dataclass(frozen=True)
class MutualRestriction(Worked):
    own: Annotated[str, Doc("your card in each round, by its letter")]
    results: Annotated[tuple[Result, ...], Doc("the result of each round for you")]

    families = {
        "a": "five elements that generate and overcome each other",
        "b": "ranks of an army, with a landmine",
        "c": "four cards that beat each other in a circle",
        "d": "animals from strong to weak, with a mouse that beats the elephant",
    }
    sizes = {family: grown(rounds=(1, 2, 3, 4)) for family in CARDS}
    distinct_instances = {
        "0": InstanceCount(27, "one round", published=4),
        "0,family=a": InstanceCount(
            1, "one round of five cards, which must be a draw", published=1
        ),
        "0,family=b": InstanceCount(12, "one round of eight cards", published=1),
        "0,family=c": InstanceCount(2, "one round of four cards", published=1),
        "0,family=d": InstanceCount(12, "one round of eight cards", published=1),
        "1": InstanceCount(286, "two rounds", published=4),
        "1,family=a": InstanceCount(12, "two rounds with five cards", published=1),
        "1,family=b": InstanceCount(128, "two rounds with eight cards", published=1),
        "1,family=c": InstanceCount(18, "two rounds with four cards", published=1),
        "1,family=d": InstanceCount(128, "two rounds with eight cards", published=1),
        "2": InstanceCount(524, "three rounds"),
        "2,family=a": InstanceCount(44, "three rounds with five cards"),
        "2,family=b": InstanceCount(228, "three rounds with eight cards"),
        "2,family=c": InstanceCount(24, "three rounds with four cards"),
        "2,family=d": InstanceCount(228, "three rounds with eight cards"),
        "3": InstanceCount(9_380, "four rounds", published=3),
        "3,family=a": InstanceCount(404, "four rounds with five cards"),
        "3,family=b": InstanceCount(4_452, "four rounds with eight cards", published=1),
        "3,family=c": InstanceCount(72, "four rounds with four cards", published=1),
        "3,family=d": InstanceCount(4_452, "four rounds with eight cards", published=1),
    }

    @classmethod
    def draw(
        cls, rng: Random, family: str, level: int, *, rounds: Annotated[int, Between(1, 4)]
    ) -> Self | None:
        """Cards and results; with cards of the other player instead, one draw in 250 is unique."""
        own = "".join(rng.sample(CARDS[family], k=rounds))
        made = cls(family, level, own, tuple(rng.choices(RESULTS, k=rounds)))
        good = made.is_unique() and made._tells_gradually() and made.uses_every_rule()
        return made if good else None

    def is_unique(self) -> bool:
        """Return whether one row of the other player's cards fits all results."""
        return is_one(left_after(self.family, self.own, self.results)[-1])

    def _tells_gradually(self) -> bool:
        process = self.work().process
        waits = any(UNKNOWN in entry for entry in process)
        return len(process) < GRADUAL or (waits and 2 * telling(process) >= len(process))

    def rules_in_play(self) -> Sequence[Hashable]:
        """Return the results; none of them is needed if all cards are put down, see above."""
        return () if len(self.own) == len(CARDS[self.family]) else range(len(self.own))

    def work(self, without: Hashable = None) -> Work:
        rows = rows_of(self.family, len(self.own))
        left = left_after(self.family, self.own, self.results, without)
        return Work.of_steps(
            list(rows.agreed(some)[:count]) for count, some in enumerate(left, start=1)
        )

    def explain(self, say: Say) -> str:
        cards = CARDS[self.family]
        winners = [(card, beaten(self.family, card)) for card in cards]
        return say.lines(
            say(
                "Two players have a set of {count} cards each. Both sets are the same: {names}. In "
                "each round, both put down one card at the same time. Nobody uses a card twice, "
                "whatever the result.",
                count=len(cards),
                names=say.list(_named(say, self.family, card) for card in cards),
            ),
            self._order(say),
            *[
                say(
                    "{card} beats {others}.",
                    card=_named(say, self.family, card),
                    others=say.list(_named(say, self.family, other) for other in others),
                )
                for card, others in winners
            ],
            self._draws(say),
            say(
                "You are one of the players, and know your own cards and the results. Find the "
                "cards of the other player, who has the whole set at the start. Exactly one "
                "sequence of cards fits all results."
            ),
        )

    def _order(self, say: Say) -> str:
        return {
            "a": say(
                "Each element beats the one that it overcomes, and the one that generates it; for "
                "example, Wood overcomes Earth, and Water generates Wood. In full:"
            ),
            "b": say(
                "The cards A to G are ranks, from the highest to the lowest, and a higher rank "
                "beats a lower one. The landmine beats all ranks but the engineer, and the "
                "engineer beats the landmine. In full:"
            ),
            "c": say(
                "The cards form a circle in the order A, B, C, D, and each card beats the next "
                "one. In full:"
            ),
            "d": say(
                "Each animal beats those listed after it, except that the mouse beats the "
                "elephant. In full:"
            ),
        }[self.family]

    def _draws(self, say: Say) -> str:
        if self.family == "c":
            return say(
                "Two equal cards are a draw, and so are two cards that are opposite each other in "
                "the circle, A and C or B and D."
            )
        return say("Two equal cards are a draw.")

    def words(self, say: Say) -> Words:
        return Words(
            say("the list of the other player's cards, one letter per round, in order."),
            say(
                "a list with one entry per round, in order: the other player's cards of this round "
                'and those before it, as a list of letters, with "*" for every card that is not '
                "known after this round. A card is known if it is the same in every sequence of "
                "cards that fits the results of this round and those before it; later results do "
                "not count, nor does the fact that only one sequence is left in the end."
            ),
            Work.of_steps([["*"], ["*", "C"], ["D", "C", "A"]]),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say, lines = self.say(language), list[str]()
        for number, (card, outcome) in enumerate(zip(self.own, self.results, strict=True), start=1):
            values = {"number": number, "card": _named(say, self.family, card)}
            lines.append(
                {
                    "win": say("Round {number}: you put down {card} and win.", **values),
                    "loss": say("Round {number}: you put down {card} and lose.", **values),
                    "draw": say("Round {number}: you put down {card}, and it is a draw.", **values),
                }[outcome]
            )
        return say.lines(*lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return a row for each round: your card, the result, and the other card, which is
        unknown.
        """
        say = self.say(language)
        looks = {
            "win": Cell(say("you win"), "good"),
            "loss": Cell(say("you lose"), "bad"),
            "draw": Cell(say("a draw"), "shade"),
        }
        return board(
            [
                [_named(say, self.family, card), looks[outcome], "?"]
                for card, outcome in zip(self.own, self.results, strict=True)
            ],
            row_names=[say("Round {number}", number=at) for at in range(1, len(self.own) + 1)],
            column_names=[say("your card"), say("result"), say("other card")],
            size=(4.5, 1.0),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "good": say("rounds that you win"),
            "bad": say("rounds that you lose"),
            "shade": say("rounds that are a draw"),
        }

    def equivalent(self, rng: Random) -> Self:
        """With all cards moved on in their circle, if they have one."""
        return replace(self, own=rng.choice(turned(self.family, self.own)))

    def canonical(self) -> Hashable:
        return self.family, min(turned(self.family, self.own)), self.results


def _named(say: Say, family: str, card: str) -> str:
    names = {
        "a": [say("Wood"), say("Fire"), say("Earth"), say("Metal"), say("Water")],
        "b": [
            *(say("Marshal"), say("General"), say("Colonel"), say("Major"), say("Captain")),
            *(say("Lieutenant"), say("Engineer"), say("Landmine")),
        ],
        "c": [say("Stick"), say("Tiger"), say("Chicken"), say("Worm")],
        "d": [
            *(say("Elephant"), say("Lion"), say("Tiger"), say("Leopard"), say("Wolf")),
            *(say("Dog"), say("Cat"), say("Mouse")),
        ],
    }[family]
    return say("{name} ({letter})", name=names[CARDS[family].index(card)], letter=card)
