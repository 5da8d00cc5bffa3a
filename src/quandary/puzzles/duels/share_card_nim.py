"""Share card nim: take stones by playing cards from one common set; whoever takes the last stone wins.

From PuzzlePlex.  Readings: a player with no card that fits the pile loses at once, and a card above the pile is illegal.
In the paper the cards are 1 to some top card; the hard level deals some of more cards, which makes many more instances.
Starts where neither the first move nor the reply can be a mistake are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from random import Random

from quandary.core.contract import Ending, Game, Language, Move, Options, Seat
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.alphabeta import search
from quandary.kit.exact import stubborn
from quandary.kit.reading import read_number

HIGHEST = 500  # card
EXACT = 1 << 16  # positions up to which play is worked out in full, in about a tenth of a second
EFFORT, EASY = 1 << 17, 1 << 10  # positions that finding an instance may take, and what the smallest one counts for


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
        "easy": "3 sets of cards with 2, 5 and 6 piles that leave something to decide make 13 instances",
        "normal": "4 sets of cards with 10 to 19 piles that leave something to decide make 57 instances",
    }

    @classmethod
    def new(cls, rng: Random, *, top: tuple[int, int] = (7, 10), dealt: tuple[int, int] | None = None) -> ShareCardNim:
        """The cards 1 to the top one, or as many as are dealt of them, and a pile of half their sum or more.

        Either player is as likely to be the one who can force a win, unless there are too many cards to tell.
        """
        if not 2 <= top[0] <= top[1] <= HIGHEST or not (dealt is None or 2 <= dealt[0] <= dealt[1]):
            raise ValueError(f"the top card is 2 to {HIGHEST}, and at least 2 cards are dealt")
        second, effort = rng.random() < 0.5, 0
        while True:
            last_card = rng.randint(*top)
            count = last_card if dealt is None else min(last_card, rng.randint(*dealt))
            cards = tuple(sorted(rng.sample(range(1, last_card + 1), count)))
            start = cls(rng.randint((sum(cards) + 1) // 2, sum(cards)), cards)
            effort += max(1 << count, EASY)
            if effort >= EFFORT:
                return start
            fair = 2 * effort > EFFORT or _wins(_bits(cards), start.stones) != second  # where one player always wins, so be it
            if fair and _live(start):
                return start

    def options(self) -> Options:
        playable = [str(card) for card in self.cards if card <= self.stones]
        return {self.turn: playable} if self.stones and playable else {}

    def after(self, seat: Seat, move: Move) -> ShareCardNim:
        card = int(move)
        place = self.cards.index(card)
        return ShareCardNim(self.stones - card, self.cards[:place] + self.cards[place + 1 :], 1 - seat, card)

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
            "Two players share a pile of stones and one set of cards with different numbers on them, lying open on the table.\n"
            "Players take turns. In your turn you play one of the cards that are left and remove exactly that many stones; "
            "the card is then gone for both players. A card larger than the pile may not be played; "
            "a move that is not allowed loses at once.\n"
            "Whoever removes the last stone wins. If there are stones left in your turn but no card that can be played, you lose.\n"
            "Write the card you play as one number, for example: 7"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        lines = [f"Stones: {self.stones}", f"Cards left for both players: {' '.join(map(str, self.cards)) or 'none'}"]
        if self.last:
            lines.insert(0, f"{'Your opponent' if self.turn == seat else 'You'} played {self.last}.")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Cards that can be played are pale yellow, cards above the pile are grey."""
        top = max(self.cards, default=0)
        columns = 10 if top <= 60 else 25
        played = f"just played: {self.last}" if self.last else ""
        shapes: list[Shape] = [
            Label(0, 0.4, f"{self.stones} stones", 0.6, anchor="start"),
            Label(columns, 0.4, played, 0.35, anchor="end"),
            Label(0, 1.3, "cards left for both players", anchor="start", colour="quiet"),
        ]
        for card in self.cards:
            row, column = divmod(card - 1, columns)
            fill, click = ("mark", str(card)) if card <= self.stones else ("shade", "")
            shapes.append(Box(column, 1.6 + row, fill=fill, text=str(card), click=click if self.turn == seat else ""))
        return Scene(columns, 1.7 - -top // columns, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each card's worth under perfect play; None where too many cards can still be played to work it out."""
        if seat != self.turn or not _few(self.cards, self.stones):
            return None
        cards = _bits(self.cards)
        moves = self.options().get(seat) or ()
        return {move: float(not _wins(cards ^ 1 << int(move), self.stones - int(move))) for move in moves}

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, and avoids handing one over."""
        after = {move: self.after(seat, move) for move in self.options()[seat] or ()}
        wins = [move for move, left in after.items() if not left.options()]
        safe = [move for move, left in after.items() if left.stones not in left.cards]
        return rng.choice(wins or safe or list(after))

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A winning card where there is one, else the one with the fewest right replies; a search while too much is open."""
        worth = self.judge(seat)
        if worth is None:
            return search(self, seat, budget, rng=rng).move
        return stubborn(self, seat, worth, rng)

    strategies = {"cautious": cautious, "oracle": oracle}


@lru_cache(maxsize=1024)
def _live(start: ShareCardNim) -> bool:
    """Whether the first move or the reply can be a mistake."""
    after = (start.after(0, move) for move in start.options()[0] or ())
    worths = ((position.judge(position.turn) or {}).values() for position in chain((start,), after))
    return any(0 < sum(worth) < len(worth) for worth in worths)


def _bits(cards: tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


def _few(cards: tuple[int, ...], stones: int) -> bool:
    """Whether play from here can meet no more than EXACT positions: sets of cards that fit into the pile together."""
    if 1 << len(cards) <= EXACT:
        return True
    sums = {0: 1}
    for card in cards:
        for total, ways in list(sums.items()):
            if total + card <= stones:
                sums[total + card] = sums.get(total + card, 0) + ways
        if sum(sums.values()) > EXACT:
            return False
    return True


@lru_cache(maxsize=EXACT)
def _wins(cards: int, stones: int) -> bool:
    """Whether the player to move wins."""
    if cards >> stones & 1:
        return True
    fitting = left = cards & (1 << stones) - 1
    while left:  # highest card first: it leaves the fewest replies
        card = left.bit_length() - 1
        if not _wins(fitting ^ 1 << card, stones - card):
            return True
        left ^= 1 << card
    return False
