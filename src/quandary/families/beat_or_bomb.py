"""Beat or bomb: the base class of its puzzles, with cards, moves, rounds and points."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Self, TypeAlias

from quandary.core.contract import Game, Language, Move, Options, Private, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.solvers.beat_or_bomb import Hand, duel, play_values, without

Rounds: TypeAlias = tuple[tuple[Move, Move], ...]  # what the seats played
# one seat's: its points, the other's, the worth of cards it played, the log
Past: TypeAlias = tuple[int, int, int, str]
RANKS = {"A": 1} | {str(rank): rank for rank in range(2, 11)} | {"J": 11, "Q": 12, "K": 13}
NAMES = {rank: name for name, rank in RANKS.items()}
SPOKEN = {name.casefold(): name for name in RANKS} | {str(rank): name for name, rank in RANKS.items()}
SPOKEN |= {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
COMPETE, GIVE_UP = "compete", "give up"
# by move
PLAYED = {f"{name} {decision}": rank for name, rank in RANKS.items() for decision in (COMPETE, GIVE_UP)}
DECISIONS = {
    "compete": COMPETE,
    "give up": GIVE_UP,
    "give_up": GIVE_UP,
    "give-up": GIVE_UP,
    "giveup": GIVE_UP,
}
PUNCTUATION = str.maketrans(dict.fromkeys("[](){}'\"`*,;:=.“”‘’", " "))
FILLERS = {"move", "play", "card", "decision", "with", "the", "and"}
HOW = "Write a card you hold and what you do with it, for example: K compete, or: 5 give up"
CARDS = "An ace (A) is worth 1, number cards 2 to 10 their number, J 11, Q 12 and K 13. No hand holds a rank twice."
ROUNDS = (
    "In every round both players choose at the same time, without seeing the other's choice, one "
    "of their cards and whether to compete with it or to give it up. Then both choices are shown, "
    "and both cards are gone.\n"
    "If both compete, the higher card earns its player the worth of both cards; equal cards earn "
    "nothing. If only one competes, that player earns the worth of that one card. If both give "
    "up, nobody earns anything. For example, 5 compete against K give up earns 5 points for the "
    "first player and none for the second.\n"
    "When all cards are played, the player with more points wins; equal points are a draw. "
    "Playing a card that you do not hold loses the match at once.\n"
    f"{HOW}"
)
MARGIN = 2.7  # what the words left of the cards take in a picture


@dataclass(frozen=True)
class BeatOrBomb(Game):
    """The rounds of a match; a puzzle says how hands are dealt and who sees them."""

    hands: tuple[Hand, Hand]  # the cards left
    rounds: Rounds = ()
    # plays that wait for the other seat's
    chosen: Private[tuple[Move | None, Move | None]] = (None, None)

    def options(self) -> Options:
        first, second = self.hands
        if self.chosen == (None, None):
            return {0: moves(first), 1: moves(second)} if first else {}
        return {0: moves(first)} if self.chosen[0] is None else {1: moves(second)}

    def after(self, seat: Seat, move: Move) -> Self:
        first, second = (move, self.chosen[1]) if seat == 0 else (self.chosen[0], move)
        if first is None or second is None:
            return type(self)(self.hands, self.rounds, (first, second))
        hands = (without(self.hands[0], PLAYED[first]), without(self.hands[1], PLAYED[second]))
        return type(self)(hands, (*self.rounds, (first, second)))

    def scores(self) -> tuple[float, float]:
        lead = self.lead(0)
        return (float(lead > 0), float(lead < 0)) if lead else (0.5, 0.5)

    def values(self) -> tuple[float, float]:
        """Points of both seats."""
        first, second, *_ = past(self.rounds)[0]
        return (float(first), float(second))

    def lead(self, seat: Seat) -> int:
        points, rival, *_ = past(self.rounds)[seat]
        return points - rival

    def canonical(self) -> Hashable:
        """Who holds which of the two hands makes no difference."""
        return tuple(sorted(self.hands))

    def read(self, seat: Seat, said: str) -> Move:
        words = [word for word in said.translate(PUNCTUATION).casefold().split() if word not in FILLERS]
        for card, decision in ((words[:1], words[1:]), (words[-1:], words[:-1])):
            name, choice = SPOKEN.get("".join(card)), DECISIONS.get(" ".join(decision))
            if name and choice:
                return f"{name} {choice}"
        raise Unreadable(HOW)

    def text(self, seat: Seat, language: Language = "en") -> str:
        chosen, played = self.chosen[seat], len(self.rounds)
        points, rival, shown, told = past(self.rounds)[seat]
        text = (
            f"Rounds played: {played} of {played + len(self.hands[seat])}\n"
            f"Points: you {points}, opponent {rival}\n"
            f"{self.held(seat, shown)}{told}"
        )
        return f"{text}\nYou have chosen {chosen} for this round." if chosen else text

    @abstractmethod
    def held(self, seat: Seat, shown: int) -> str:
        """What a seat is told of the hands; it has played cards worth `shown`."""

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        points, own, chosen = self.values(), self.hands[seat], self.chosen[seat]
        shapes: list[Shape] = [
            Label(
                0,
                0.4,
                f"you {points[seat]:g}, opponent {points[1 - seat]:g} points",
                anchor="start",
            ),
            Label(0, 3.5, "(in brackets: given up)", 0.35, "quiet", "start"),
        ]
        for y, who, whose in ((0.9, seat, "you"), (2.0, 1 - seat, "opponent")):
            shapes.append(Label(0, y + 0.5, whose, anchor="start"))
            for x, plays in enumerate(self.rounds):
                name = NAMES[PLAYED[plays[who]]]
                competes = plays[who].endswith(COMPETE)
                shapes.append(
                    Box(
                        MARGIN + x,
                        y,
                        fill="sky" if competes else "shade",
                        text=name if competes else f"({name})",
                    )
                )
        for y, decision in ((4.2, COMPETE), (5.3, GIVE_UP)):
            shapes.append(Label(0, y + 0.5, decision, anchor="start"))
            for x, rank in enumerate(own):
                move = f"{NAMES[rank]} {decision}"
                fill = "yellow" if move == chosen else "paper" if chosen else "mark"
                shapes.append(Box(MARGIN + x, y, fill=fill, text=NAMES[rank], click="" if chosen else move))
        return Scene(MARGIN + max(len(self.rounds) + len(own), 6), 6.4, tuple(shapes))

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's rules of thumb, with the opponent's average card, which is public."""
        own, pasts = self.hands[seat], past(self.rounds)
        (points, rival, shown, _), (_, _, other_shown, _) = pasts[seat], pasts[1 - seat]
        low, high, lead, rest = own[0], own[-1], points - rival, sum(own) + shown - other_shown
        # giving up all that is left wins: the opponent then earns its own cards and no more
        if lead > rest:
            return f"{NAMES[rng.choice(own)]} {GIVE_UP}"
        if high <= 10 and low < 5 and len(own) > 1:
            return f"{NAMES[low]} {GIVE_UP}"
        if high > 10 or high * len(own) > rest or lead < 0:
            return f"{NAMES[high]} {COMPETE}"
        return f"{NAMES[min(own, key=lambda rank: abs(rank - 7))]} {COMPETE}"


@lru_cache(maxsize=1 << 12)
def past(rounds: Rounds) -> tuple[Past, Past]:
    """The past of both seats, computed from the round before, so that each round is told once."""
    if not rounds:
        return (0, 0, 0, ""), (0, 0, 0, "")
    (first, second, shown, told), (_, _, other_shown, other_told) = past(rounds[:-1])
    (gain, loss, card, line), (_, _, other_card, other_line) = settled(rounds[-1])
    first, second, number = first + gain, second + loss, len(rounds)
    return (
        (first, second, shown + card, f"{told}\nRound {number}: {line}"),
        (second, first, other_shown + other_card, f"{other_told}\nRound {number}: {other_line}"),
    )


@cache
def settled(plays: tuple[Move, Move]) -> tuple[Past, Past]:
    """The past of both seats for one round alone."""
    first, second = plays
    ours, theirs = (PLAYED[move] if move.endswith(COMPETE) else 0 for move in plays)
    if ours and theirs:
        ours, theirs = max(0, duel(ours, theirs)), max(0, duel(theirs, ours))
    return (
        (ours, theirs, PLAYED[first], f"you {first} (+{ours}), opponent {second} (+{theirs})"),
        (theirs, ours, PLAYED[second], f"you {second} (+{theirs}), opponent {first} (+{ours})"),
    )


@cache
def moves(hand: Hand) -> tuple[Move, ...]:
    return tuple(f"{NAMES[rank]} {decision}" for rank in hand for decision in (COMPETE, GIVE_UP))


@cache
def spelled(hand: Hand) -> str:
    return " ".join(NAMES[rank] for rank in hand) or "none"


def judged(own: Hand, other: Hand, lead: int) -> dict[Move, float]:
    """Each play's worth with open hands, against an equilibrium reply."""
    return dict(zip(moves(own), play_values(own, other, lead), strict=True))
