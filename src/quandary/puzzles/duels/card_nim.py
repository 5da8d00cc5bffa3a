"""Card nim: take stones by playing cards; whoever takes the last stone wins.

From PuzzlePlex.  Interpretations: a player without a playable card loses at once, and a card
larger than the pile is illegal.  In the paper both hands are 1 to some top card, which makes short
games; the hard level deals each player a small hand of their own.  As in the paper, no first card
wins at once: starts where one would are drawn again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from random import Random
from typing import Annotated, Any

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
from quandary.puzzles.duels._shared.cards import card_notation, without
from quandary.puzzles.duels._shared.normal_play import NormalPlay

MOST_STONES = 10_000
TRIES = 200  # starts drawn before those that no first card wins count as too rare


@dataclass(frozen=True)
class CardNim(JudgedMoves, NormalPlay):
    stones: Annotated[int, Doc("stones left in the pile")]
    hands: Annotated[
        tuple[tuple[int, ...], tuple[int, ...]], Doc("the cards left of each seat, lowest first")
    ]
    turn: Annotated[Seat, Doc("the seat whose turn it is, from 0")] = 0
    last: Annotated[int, Doc("the card just played, 0 at the start")] = 0

    version = 2
    levels = {
        "easy": {"stones": (20, 40)},
        "normal": {"stones": (40, 80)},
        "hard": {"stones": (70, 100), "top": (14, 18), "dealt": (10, 12)},
    }
    house = {"easy": "random", "normal": "dp", "hard": "oracle"}
    distinct_instances = {
        "easy": InstanceCount(516, "21 pile sizes, with up to 34 hands each"),
        "normal": InstanceCount(2_144, "41 pile sizes, with up to 71 hands each"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        stones: Annotated[Range, Between(1, MOST_STONES)] = (20, 40),
        top: Annotated[Range, Between(1)] = (1, 200),
        dealt: Annotated[Range, Between(1)] | None = None,
    ) -> CardNim:
        """Hands of all cards up to a top one, or some of them; together they can clear the pile."""
        for _ in range(TRIES):
            start = cls._drawn(rng, stones, top, dealt)
            if not start.is_won_at_once():
                return start
        raise ValueError(
            f"{stones[0]} to {stones[1]} stones and cards up to {top[1]} are won by the first card"
        )

    @classmethod
    def _drawn(cls, rng: Random, stones: Range, top: Range, dealt: Range | None) -> CardNim:
        pile = rng.randint(*stones)
        lowest = isqrt(pile)  # the lowest with lowest * (lowest + 1) >= pile, or one below
        lowest += lowest * (lowest + 1) < pile
        enough = range(max(top[0], lowest), min(top[1], pile) + 1)
        if not enough:
            raise ValueError(f"no hands of cards up to {top[1]} fit a pile of {pile}")
        deck = range(1, rng.choice(enough) + 1)
        if dealt is None:
            return cls(pile, (tuple(deck), tuple(deck)))
        size = min(rng.randint(*dealt), len(deck))
        hands = tuple(sorted(rng.sample(deck, size))), tuple(sorted(rng.sample(deck, size)))
        return cls(min(pile, sum(map(sum, hands))), hands)

    def is_won_at_once(self) -> bool:
        """Return whether the next card may win, or none can be played.

        The highest playable card leaves the fewest stones, so it leaves the opponent without a
        card whenever one of the cards does.
        """
        own, other = self.hands[self.turn], self.hands[1 - self.turn]
        playable = bisect_right(own, self.stones)
        return not playable or not other or self.stones - own[playable - 1] < other[0]

    def options(self) -> Options:
        hand = self.hands[self.turn]
        playable = bisect_right(hand, self.stones)
        return {self.turn: _names(hand)[:playable]} if playable else {}

    def after(self, seat: Seat, move: Move) -> CardNim:
        card, (first, second) = int(move), self.hands
        hands = (without(first, card), second) if seat == 0 else (first, without(second, card))
        return CardNim(self.stones - card, hands, 1 - seat, card)

    def ending(self) -> Ending:
        return Ending("no_move" if self.stones else "goal")

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say = self.say(language)
        if int(move) not in self.hands[seat]:
            return say("You do not hold the card {card}.", card=move)
        return say("The card {card} is larger than the pile.", card=move)

    def notation(self) -> Notation:
        return card_notation(MOST_STONES)  # a position does not know the highest card of the start

    @classmethod
    def level_notation(
        cls, *, stones: Range = (20, 40), top: Range = (1, 200), **level: Any
    ) -> Notation:
        return card_notation(min(top[1], stones[1]))

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say("Write the card you play as one number, for example: {card}", card=7)

    def equivalent(self, rng: Random) -> CardNim:
        """With the seats as they are or exchanged."""
        swapped = CardNim(self.stones, self.hands[::-1], 1 - self.turn, self.last)
        return rng.choice((self, swapped))

    def canonical(self) -> Hashable:
        return self.stones, self.hands[self.turn], self.hands[1 - self.turn]

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        return say.lines(
            say(
                "Two players share a pile of stones, and each player holds cards with numbers on"
                " them. Both players can see both hands.\n"
                "The players take turns. On your turn, play one of your own cards and remove"
                " exactly that many stones; the card is then discarded. A card larger than the"
                " pile cannot be played. An illegal move loses the game at once.\n"
                "Whoever removes the last stone wins. A player who has no playable card on their"
                " turn loses."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        text = say(
            "Stones: {stones}\nYour cards: {own}\nOpponent's cards: {other}",
            stones=self.stones,
            own=_written(self.hands[seat]) or say("none"),
            other=_written(self.hands[1 - seat]) or say("none"),
        )
        if not self.last or self.turn != seat:
            return text
        return f"{say('Your opponent played {card}.', card=self.last)}\n{text}"

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        say = self.say(language)

        def hand(owner: Seat, title: str) -> Scene:
            playable = len(self.legal(seat)) if owner == seat else 0
            looks = [
                Cell(name, click={"card": name} if place < playable else None)
                for place, name in enumerate(_names(self.hands[owner]))
            ]
            return cards(looks, title=title)

        return stack(
            captions(say("{count} {count:stone|stones}", count=self.stones), size=0.6),
            hand(seat, say("your cards")),
            hand(1 - seat, say("opponent's cards")),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {"mark": say("cards you can play now")}

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each card under perfect play."""
        if seat != self.turn:
            return None
        wins = winning_cards(self.hands[seat], self.hands[1 - seat], self.stones)
        return {move: float(int(move) in wins) for move in self.legal(seat)}

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Plays exactly: a winning card, otherwise one with the fewest right replies."""
        return stubborn(self, seat, self.judge(seat) or {}, rng)

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, and avoids handing one over."""
        moves = self.legal(seat)
        if str(self.stones) in moves:
            return str(self.stones)
        theirs = set(self.hands[1 - seat])
        safe = [move for move in moves if self.stones - int(move) not in theirs]
        return rng.choice(safe or moves)

    def dp(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: a winning card by dynamic programming, otherwise any card."""
        return highest(self.judge(seat) or {}, rng)

    strategies = {"cautious": cautious, "dp": dp, "oracle": oracle}
    strongest = "optimal"


# Cached, because a hand changes only every other turn.
@lru_cache(maxsize=1 << 10)
def _names(hand: tuple[int, ...]) -> list[str]:
    return list(map(str, hand))


@lru_cache(maxsize=1 << 10)
def _written(hand: tuple[int, ...]) -> str:
    return " ".join(_names(hand))


def winning_cards(own: Sequence[int], other: Sequence[int], stones: int) -> set[int]:
    """Return the cards by which the player to move wins; `own` are the cards of that player."""
    mine, theirs = _hand_bits(own), _hand_bits(other)
    playable = (card for card in own if card <= stones)
    return {card for card in playable if not wins(theirs, mine & ~(1 << card), stones - card)}


@lru_cache(maxsize=1 << 18)
def wins(own: int, other: int, stones: int) -> bool:
    """Return whether the player to move wins."""
    if own >> stones & 1:
        return True
    playable = own & ((1 << stones) - 1)
    while playable:  # the highest card first: it leaves the fewest replies
        card = playable.bit_length() - 1
        if not wins(other, own & ~(1 << card), stones - card):
            return True
        playable &= ~(1 << card)
    return False


def _hand_bits(cards: Sequence[int]) -> int:
    """Return the hand with these cards."""
    return sum(1 << card for card in cards)
