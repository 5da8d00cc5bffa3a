"""Card nim: take stones by playing cards; whoever takes the last stone wins.

From PuzzlePlex.  Readings: a player with no playable card loses at once, and a card above the pile is illegal.
In the paper both hands are 1 to some top card, which makes short games; the hard level deals each player its own few cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.exact import stubborn
from quandary.kit.reading import read_number

MOST_STONES = 10_000


@dataclass(frozen=True)
class CardNim(Game):
    stones: int
    hands: tuple[tuple[int, ...], tuple[int, ...]]  # cards left, lowest first; both players see both
    turn: Seat = 0
    last: int = 0  # the card just played, 0 at the start

    levels = {
        "easy": {"stones": (20, 40)},
        "normal": {"stones": (40, 80)},
        "hard": {"stones": (70, 100), "top": (14, 18), "dealt": (10, 12)},
    }
    house = {"easy": "random", "normal": "cautious", "hard": "oracle"}
    small = {
        "easy": "21 pile sizes and up to 36 hands make about 540 instances",
        "normal": "41 pile sizes and up to 75 hands make about 2,200 instances",
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        stones: tuple[int, int] = (20, 40),
        top: tuple[int, int] = (1, 200),
        dealt: tuple[int, int] | None = None,
    ) -> CardNim:
        """Hands of all cards up to the top one, or of as many as are dealt; together they can clear the pile."""
        if stones[0] < 1 or stones[1] > MOST_STONES or top[0] < 1 or (dealt is not None and dealt[0] < 1):
            raise ValueError(f"a pile has 1 to {MOST_STONES} stones, and a hand at least one card, from 1 upwards")
        pile = rng.randint(*stones)
        enough = [card for card in range(top[0], min(top[1], pile) + 1) if card * (card + 1) >= pile]
        if not enough:
            raise ValueError(f"no hands of cards up to {top[1]} fit a pile of {pile}")
        highest = rng.choice(enough)
        deck = range(1, highest + 1)
        if dealt is None:
            return cls(pile, (tuple(deck), tuple(deck)))
        size = min(rng.randint(*dealt), highest)
        hands = tuple(sorted(rng.sample(deck, size))), tuple(sorted(rng.sample(deck, size)))
        return cls(min(pile, sum(map(sum, hands))), hands)

    def options(self) -> Options:
        playable = [str(card) for card in self.hands[self.turn] if card <= self.stones]
        return {self.turn: playable} if self.stones and playable else {}

    def after(self, seat: Seat, move: Move) -> CardNim:
        card, hand = int(move), self.hands[seat]
        place = hand.index(card)
        mine = hand[:place] + hand[place + 1 :]
        hands = (mine, self.hands[1]) if seat == 0 else (self.hands[0], mine)
        return CardNim(self.stones - card, hands, 1 - seat, card)

    def scores(self) -> tuple[float, float]:
        """Whoever is to move when the game ends has lost: no stones, or no card that fits."""
        if self.options():
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def ending(self) -> Ending:
        return Ending("no_move" if self.stones else "goal")

    def read(self, seat: Seat, said: str) -> Move:
        return read_number(said, "Write the card you play as one number, for example: 7")

    def rules(self, language: Language = "en") -> str:
        return (
            "Two players share a pile of stones, and each holds cards with numbers on them. Both can see both hands.\n"
            "Players take turns. In your turn you play one of your own cards and remove exactly that many stones; "
            "the card is then gone. A card larger than the pile may not be played; a move that is not allowed loses at once.\n"
            "Whoever removes the last stone wins. A player who has no card that can be played loses.\n"
            "Write the card you play as one number, for example: 7"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        own, other = self.hands[seat], self.hands[1 - seat]
        lines = [f"Your opponent played {self.last}."] if self.last and self.turn == seat else []
        lines += [
            f"Stones: {self.stones}",
            f"Your cards: {' '.join(map(str, own)) or 'none'}",
            f"Opponent's cards: {' '.join(map(str, other)) or 'none'}",
        ]
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        highest = max(1, *(max(hand, default=0) for hand in self.hands))
        columns = min(highest, 12)
        rows = (highest - 1) // columns + 1
        shapes: list[Shape] = [Label(0, 0.4, f"{self.stones} stones", anchor="start", size=0.6)]
        for title, hand, top in (("your cards", self.hands[seat], 1.0), ("opponent's cards", self.hands[1 - seat], 2.0 + rows)):
            shapes.append(Label(0, top + 0.2, title, anchor="start", colour="quiet"))
            for card in hand:
                row, column = divmod(card - 1, columns)
                playable = top == 1.0 and self.turn == seat and card <= self.stones
                fill, click = ("mark", str(card)) if playable else ("paper", "")
                shapes.append(Box(column, top + 0.5 + row, fill=fill, text=str(card), click=click))
        return Scene(max(columns, 6), 2.5 + 2 * rows, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each card's worth under perfect play."""
        if seat != self.turn:
            return None
        own, other = _bits(self.hands[seat]), _bits(self.hands[1 - seat])
        return {
            move: float(not _wins(other, own & ~(1 << int(move)), self.stones - int(move))) for move in self.options()[seat] or ()
        }

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A winning card where there is one, else the one with the fewest right replies: exact play."""
        return stubborn(self, seat, self.judge(seat) or {}, rng)

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, and avoids handing one over."""
        moves = list(self.options()[seat] or ())
        if str(self.stones) in moves:
            return str(self.stones)
        theirs = set(self.hands[1 - seat])
        safe = [move for move in moves if self.stones - int(move) not in theirs]
        return rng.choice(safe or moves)

    strategies = {"cautious": cautious, "oracle": oracle}


def _bits(hand: tuple[int, ...]) -> int:
    return sum(1 << card for card in hand)


@lru_cache(maxsize=1 << 18)
def _wins(own: int, other: int, stones: int) -> bool:
    """Whether the player to move, holding `own`, wins."""
    if own >> stones & 1:
        return True
    card = own & ((1 << stones) - 1)
    while card:  # highest playable card first: it leaves the fewest replies
        top = card.bit_length() - 1
        if not _wins(other, own & ~(1 << top), stones - top):
            return True
        card &= ~(1 << top)
    return False
