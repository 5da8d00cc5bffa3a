"""Share card nim: take stones by playing cards from one common set; the last stone wins.

From PuzzlePlex.  Interpretations: a player without a playable card loses at once, and a card
larger than the pile is illegal.  In the paper the cards are 1 to some top card; the hard level
deals some of a larger set, which makes many more instances.  Starts where neither the first move
nor the reply can be a mistake are skipped.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any

from quandary.algorithms.alphabeta import search
from quandary.algorithms.exact import highest, stubborn
from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import (
    Doc,
    Ending,
    InstanceCount,
    JudgedMoves,
    Language,
    Move,
    Options,
    Seat,
)
from quandary.core.moves import Notation
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles.duels._shared.cards import card_notation, without
from quandary.puzzles.duels._shared.normal_play import NormalPlay

from .solver import MOST_POSITIONS, random_start, winning_cards

HIGHEST = 500  # card


@dataclass(frozen=True)
class ShareCardNim(JudgedMoves, NormalPlay):
    stones: Annotated[int, Doc("stones left in the pile")]
    cards: Annotated[tuple[int, ...], Doc("the cards left for both seats, lowest first")]
    turn: Annotated[Seat, Doc("the seat whose turn it is, from 0")] = 0
    last: Annotated[int, Doc("the card just played, 0 at the start")] = 0

    version = 2
    levels = {
        "easy": {"top": (4, 6)},
        "normal": {"top": (7, 10)},
        "hard": {"top": (14, 20), "dealt": (10, 12)},
    }
    house = {"easy": "random", "normal": "dp", "hard": "oracle"}
    distinct_instances = {
        "easy": InstanceCount(13, "3 sets of cards, with 2, 5 and 6 piles that leave a choice"),
        "normal": InstanceCount(57, "4 sets of cards, with 10 to 19 piles that leave a choice"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        top: Annotated[Range, Between(2, HIGHEST)] = (7, 10),
        dealt: Annotated[Range, Between(2)] | None = None,
    ) -> ShareCardNim:
        """Return the cards 1 to a top one, or some of them, and a pile of half their sum or more.

        Both players are equally likely to have a forced win, unless there are too many cards to
        tell, or one player always has it.
        """
        return cls(*random_start(rng, top, dealt))

    def options(self) -> Options:
        playable = [str(card) for card in self.cards if card <= self.stones]
        return {self.turn: playable} if self.stones and playable else {}

    def after(self, seat: Seat, move: Move) -> ShareCardNim:
        card = int(move)
        return ShareCardNim(self.stones - card, without(self.cards, card), 1 - seat, card)

    def ending(self) -> Ending:
        return Ending("no_move" if self.stones else "goal")

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say = self.say(language)
        if int(move) not in self.cards:
            return say("The card {card} is not among those that are left.", card=move)
        return say("The card {card} is larger than the pile.", card=move)

    def notation(self) -> Notation:
        return card_notation(HIGHEST)  # a position does not know the highest card of the start

    @classmethod
    def level_notation(cls, *, top: Range = (7, 10), **level: Any) -> Notation:
        return card_notation(top[1])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write the card you play as one number, for example: {card}", card=3)

    def equivalent(self, rng: Random) -> ShareCardNim:
        """With either seat to move."""
        return ShareCardNim(self.stones, self.cards, rng.choice((0, 1)), self.last)

    def canonical(self) -> Hashable:
        return self.stones, self.cards

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Two players share a pile of stones and one set of cards with different numbers on"
                " them, which both can see.\n"
                "The players take turns. On your turn, play one of the cards that are left and"
                " remove exactly that many stones; the card is then gone for both players. A card"
                " larger than the pile cannot be played. An illegal move loses the game at once.\n"
                "Whoever removes the last stone wins. If stones are left on your turn but no card"
                " can be played, you lose."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            self.last and self._last_card(say, seat),
            say(
                "Stones: {stones}\nCards left for both players: {left}",
                stones=self.stones,
                left=" ".join(map(str, self.cards)) or say("none"),
            ),
        )

    def _last_card(self, say: Say, seat: Seat) -> str:
        if self.turn == seat:
            return say("Your opponent played {card}.", card=self.last)
        return say("You played {card}.", card=self.last)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Cards that can be played are pale yellow, cards larger than the pile are grey."""
        say = self.say(language)

        def look(card: int) -> Cell:
            if card > self.stones:
                return Cell(str(card), "shade")
            return Cell(str(card), "mark", click={"card": str(card)} if self.turn == seat else None)

        columns = 12 if len(self.cards) <= 60 else 25
        return stack(
            captions(say("{count} {count:stone|stones}", count=self.stones), size=0.6),
            captions(say("last card: {card}", card=self.last) if self.last else ""),
            cards(
                [look(card) for card in self.cards],
                columns=columns,
                title=say("cards left for both players"),
            ),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "mark": say("cards that can be played now"),
            "shade": say("cards larger than the pile"),
        }

    judge_budget = (MOST_POSITIONS,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each card under perfect play; None if that would take too long."""
        wins = winning_cards(self.cards, self.stones) if seat == self.turn else None
        if wins is None:
            return None
        return {move: float(int(move) in wins) for move in self.legal(seat)}

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, and avoids handing one over."""
        after = {move: self.after(seat, move) for move in self.legal(seat)}
        winning = [move for move, left in after.items() if not left.options()]
        safe = [move for move, left in after.items() if left.stones not in left.cards]
        return rng.choice(winning or safe or list(after))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A winning card, else one with the fewest right replies; searches if play is too long."""
        worth = self.judge(seat)
        if worth is None:
            return search(self, seat, budget, rng=rng).move
        return stubborn(self, seat, worth, rng)

    def dp(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: a winning card by dynamic programming, otherwise any card."""
        worth = self.judge(seat)
        return self.cautious(seat, rng, budget) if worth is None else highest(worth, rng)

    strategies = {"cautious": cautious, "dp": dp, "oracle": oracle}
    strongest = "optimal"
