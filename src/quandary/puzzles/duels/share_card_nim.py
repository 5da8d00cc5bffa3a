"""Share card nim: take stones by playing cards from one common set; the last stone wins.

From PuzzlePlex.  Interpretations: a player without a playable card loses at once, and a card
larger than the pile is illegal.  In the paper the cards are 1 to some top card; the hard level
deals some of a larger set, which makes many more instances.  Starts where neither the first move
nor the reply can be a mistake are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from random import Random
from typing import Annotated, Any

from quandary.core.boards import Cell, captions, cards, stack
from quandary.core.bounds import Between, Range
from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.kit.alphabeta import search
from quandary.kit.exact import stubborn
from quandary.solvers.share_card_nim import can_be_worked_out, card_bits, wins, wins_by_playing

HIGHEST = 500  # card
EFFORT = 1 << 17  # positions that may be searched to find an instance
LEAST_EFFORT = 1 << 10  # positions that the smallest start counts as


@dataclass(frozen=True)
class ShareCardNim(Game):
    stones: int
    cards: tuple[int, ...]  # left for both players, lowest first
    turn: Seat = 0
    last: int = 0  # the card just played, 0 at the start

    levels = {
        "easy": {"top": (4, 6)},
        "normal": {"top": (7, 10)},
        "hard": {"top": (14, 20), "dealt": (10, 12)},
    }
    house = {"easy": "random", "normal": "cautious", "hard": "oracle"}
    small = {
        "easy": "3 sets of cards with 2, 5 and 6 piles that leave a choice make 13 instances",
        "normal": "4 sets of cards with 10 to 19 piles that leave a choice make 57 instances",
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        top: Annotated[Range, Between(2, HIGHEST)] = (7, 10),
        dealt: Annotated[Range, Between(2)] | None = None,
    ) -> ShareCardNim:
        """The cards 1 to a top one, or some of them, and a pile of half their sum or more.

        Both players are equally likely to have a forced win, unless there are too many cards to
        compute that, or one player always has it.
        """
        second, effort = rng.random() < 0.5, 0
        while True:
            highest = rng.randint(*top)
            count = highest if dealt is None else min(highest, rng.randint(*dealt))
            hand = tuple(sorted(rng.sample(range(1, highest + 1), count)))
            start = cls(rng.randint((sum(hand) + 1) // 2, sum(hand)), hand)
            effort += max(1 << count, LEAST_EFFORT)
            if effort >= EFFORT:
                return start
            is_fair = 2 * effort > EFFORT or wins(card_bits(hand), start.stones) != second
            if is_fair and _leaves_a_choice(start):
                return start

    def options(self) -> Options:
        playable = [str(card) for card in self.cards if card <= self.stones]
        return {self.turn: playable} if self.stones and playable else {}

    def after(self, seat: Seat, move: Move) -> ShareCardNim:
        card = int(move)
        place = self.cards.index(card)
        left = self.cards[:place] + self.cards[place + 1 :]
        return ShareCardNim(self.stones - card, left, 1 - seat, card)

    def scores(self) -> tuple[float, float]:
        """The player to move when the game ends has lost: no stones, or no playable card."""
        if self.options():
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move" if self.stones else "goal")

    def notation(self) -> Notation:
        return _notation(HIGHEST)  # a position does not know the highest card of the start

    @classmethod
    def level_notation(cls, *, top: Range = (7, 10), **level: Any) -> Notation:
        return _notation(top[1])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write the card you play as one number, for example: {card}", card=7)

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
        say, card, stones = self.say(language), self.last, self.stones
        left = " ".join(map(str, self.cards)) or say("none")
        if not card:
            return say(
                "Stones: {stones}\nCards left for both players: {left}", stones=stones, left=left
            )
        if self.turn == seat:
            return say(
                "Your opponent played {card}.\nStones: {stones}\nCards left for both players: "
                "{left}",
                card=card,
                stones=stones,
                left=left,
            )
        return say(
            "You played {card}.\nStones: {stones}\nCards left for both players: {left}",
            card=card,
            stones=stones,
            left=left,
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The cards: pale yellow if they can be played, grey if they are larger than the pile."""
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

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """The value of each card under perfect play; None if that would take too long."""
        if seat != self.turn or not can_be_worked_out(self.cards, self.stones):
            return None
        bits, moves = card_bits(self.cards), self.options().get(seat) or ()
        return {move: float(wins_by_playing(int(move), bits, self.stones)) for move in moves}

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, and avoids handing one over."""
        after = {move: self.after(seat, move) for move in self.options()[seat] or ()}
        winning = [move for move, left in after.items() if not left.options()]
        safe = [move for move, left in after.items() if left.stones not in left.cards]
        return rng.choice(winning or safe or list(after))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A winning card, or one with the fewest right replies; tree search for long games."""
        worth = self.judge(seat)
        if worth is None:
            return search(self, seat, budget, rng=rng).move
        return stubborn(self, seat, worth, rng)

    strategies = {"cautious": cautious, "oracle": oracle}


@cache
def _notation(highest: int) -> Notation:
    return Notation("{card}", card=Number(1, highest))


@lru_cache(maxsize=1024)
def _leaves_a_choice(start: ShareCardNim) -> bool:
    """Whether the first move or the reply can be a mistake."""
    after = (start.after(0, move) for move in start.options()[0] or ())
    worths = ((position.judge(position.turn) or {}).values() for position in chain((start,), after))
    return any(0 < sum(worth) < len(worth) for worth in worths)
