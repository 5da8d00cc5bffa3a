"""Beat or bomb: the base class of its puzzles, with cards, moves, rounds and points."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from random import Random
from typing import Annotated, Any, Self, TypeAlias

from quandary.core.boards import Cell, board, captions, stack
from quandary.core.changed import changed
from quandary.core.contract import (
    Doc,
    Game,
    Language,
    Move,
    Options,
    Private,
    Seat,
    SimultaneousMoves,
)
from quandary.core.moves import Choice, Notation
from quandary.core.scene import Scene
from quandary.core.words import Say, say_in

from .solver import DECK, Hand, duel, play_values, without

Rounds: TypeAlias = tuple[tuple[Move, Move], ...]  # what the seats played
# For one seat: its points, the opponent's, the total worth of the cards it has played, and the log,
# in which each line follows a line break.
Past: TypeAlias = tuple[int, int, int, str]
NAMES = dict(zip(DECK, ["A", *map(str, range(2, 11)), "J", "Q", "K"], strict=True))
RANKS = {name: rank for rank, name in NAMES.items()}
SPOKEN = {str(rank): name for name, rank in RANKS.items() if str(rank) != name}
SPOKEN |= {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
COMPETE, GIVE_UP = "compete", "give up"
DECISIONS = (COMPETE, GIVE_UP)
RANK_PLAYED = {f"{name} {decision}": RANKS[name] for name in RANKS for decision in DECISIONS}
MOVES_WITH = {
    rank: tuple(f"{name} {decision}" for decision in DECISIONS) for rank, name in NAMES.items()
}
NOTATION = Notation(
    "{card} {decision}",
    card=Choice(*RANKS, spoken=SPOKEN),
    decision=Choice(*DECISIONS, spoken={"giveup": GIVE_UP}),
)


@dataclass(frozen=True)
class BeatOrBomb(SimultaneousMoves, Game):
    """The rounds of a match; subclasses say how hands are dealt and who sees them."""

    hands: Annotated[
        tuple[Hand, Hand],
        Doc("the cards left of both seats, as ranks from 1 (ace) to 13 (king), lowest first"),
    ]
    rounds: Annotated[
        Rounds, Doc("the rounds played so far, each with the moves of both seats")
    ] = ()
    # Moves of seats that have already chosen in this round.
    chosen: Annotated[
        Private[tuple[Move | None, Move | None]],
        Doc("your move in this round, null before you have chosen"),
    ] = (None, None)

    def options(self) -> Options:
        first, second = self.hands
        if self.chosen == (None, None):
            return {0: moves(first), 1: moves(second)} if first or second else {}
        return {0: moves(first)} if self.chosen[0] is None else {1: moves(second)}

    def after(self, seat: Seat, move: Move) -> Self:
        first, second = (move, self.chosen[1]) if seat == 0 else (self.chosen[0], move)
        if first is None or second is None:
            return type(self)(self.hands, self.rounds, (first, second))
        return self.after_round({0: first, 1: second})

    def after_round(self, moves: Mapping[Seat, Move]) -> Self:
        first, second = moves[0], moves[1]
        own, other = self.hands
        hands = (without(own, RANK_PLAYED[first]), without(other, RANK_PLAYED[second]))
        rounds = (*self.rounds, (first, second))
        return changed(self, hands=hands, rounds=rounds, chosen=(None, None))

    def scores(self) -> tuple[float, float]:
        lead = self.lead(0)
        return (float(lead > 0), float(lead < 0)) if lead else (0.5, 0.5)

    def values(self) -> tuple[float, float]:
        """Points of both seats."""
        points, opponent_points, *_ = past(self.rounds, "en")[0]
        return (float(points), float(opponent_points))

    def lead(self, seat: Seat) -> int:
        """Return how many points more than the opponent a seat has."""
        points, opponent_points, *_ = past(self.rounds, "en")[seat]
        return points - opponent_points

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say = self.say(language)
        return say("You do not hold the card {card}.", card=NAMES[RANK_PLAYED[move]])

    def notation(self) -> Notation:
        return NOTATION

    @classmethod
    def level_notation(cls, **level: Any) -> Notation:
        return NOTATION

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write a card you hold and your decision for it (compete or give up), "
            "for example: {move}, or: {other_move}",
            move=self.translated(f"K {COMPETE}", language),
            other_move=self.translated(f"5 {GIVE_UP}", language),
        )

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the cards played, with given-up cards in brackets, above the own cards per
        decision.
        """
        say, chosen = self.say(language), self.chosen[seat]
        points, opponent_points, *_ = past(self.rounds, language)[seat]

        def played(who: Seat) -> list[Cell]:
            shown = [(NAMES[RANK_PLAYED[pair[who]]], pair[who]) for pair in self.rounds]
            return [
                Cell(name, "sky") if move.endswith(COMPETE) else Cell(f"({name})", "shade")
                for name, move in shown
            ]

        def choice(rank: int, decision: str) -> Cell:
            fields = {"card": NAMES[rank], "decision": decision}
            if chosen is None:
                return Cell(NAMES[rank], click=fields)
            return Cell(NAMES[rank], "yellow" if NOTATION.write(fields) == chosen else "paper")

        choices = [[choice(rank, decision) for rank in self.hands[seat]] for decision in DECISIONS]
        return stack(
            captions(points_line(points, opponent_points, language)),
            board([played(seat), played(1 - seat)], row_names=[say("you"), say("opponent")]),
            captions(say("(in brackets: given up)"), colour="quiet"),
            board(choices, row_names=list(map(say.label, DECISIONS))),
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "sky": say("cards that competed"),
            "shade": say("cards that were given up"),
            "mark": say("your cards, once for each decision"),
            "yellow": say("your choice in this round"),
        }

    def equivalent(self, rng: Random) -> Self:
        """With the seats as they are or exchanged."""
        rounds = tuple((second, first) for first, second in self.rounds)
        swapped = type(self)(self.hands[::-1], rounds, self.chosen[::-1])
        return rng.choice((self, swapped))

    def canonical(self) -> Hashable:
        """Return what each seat has and what is known about it, whichever seat it is."""
        points = past(self.rounds, "en")[0]
        sides = [
            (self.hands[seat], points[seat], self.chosen[seat] or "", self.known(seat))
            for seat in (0, 1)
        ]
        return tuple(sorted(sides))

    def known(self, seat: Seat) -> Hand:
        """Return the cards a seat has played, if they tell what it may still hold."""
        return ()

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Follows PuzzlePlex's rules of thumb, with the opponent's average card, which is known."""
        own, pasts = self.hands[seat], past(self.rounds, "en")
        points, opponent_points, played, _ = pasts[seat]
        low, high, lead = own[0], own[-1], points - opponent_points
        rest = sum(own) + played - pasts[1 - seat][2]  # the worth of the opponent's cards
        # Giving up all remaining cards wins: the opponent then earns only its own cards.
        if lead > rest:
            return f"{NAMES[rng.choice(own)]} {GIVE_UP}"
        if high <= 10 and low < 5 and len(own) > 1:
            return f"{NAMES[low]} {GIVE_UP}"
        if high > 10 or high * len(own) > rest or lead < 0:
            return f"{NAMES[high]} {COMPETE}"
        return f"{NAMES[min(own, key=lambda rank: abs(rank - 7))]} {COMPETE}"


def round_rules(say: Say) -> str:
    """Return what all variants of the game have in common."""
    return say(
        "An ace (A) is worth 1, number cards 2 to 10 are worth their number, J is worth 11, Q 12"
        " and K 13. No hand contains a rank twice.\n"
        "In every round both players choose at the same time, without seeing the other's choice,"
        " one of their cards and whether to compete with it or to give it up. Then both choices"
        " are revealed, and both cards are discarded.\n"
        "If both players compete, the player of the higher card earns the worth of both cards;"
        " equal cards earn nothing. If only one player competes, that player earns the worth of"
        " their own card. If both give up, nobody earns anything. For example, 5 compete against"
        " K give up earns 5 points for the first player and none for the second.\n"
        "When all cards have been played, the player with more points wins; equal points are a"
        " draw. Playing a card that you do not hold loses the match at once."
    )


@lru_cache(maxsize=1 << 6)  # few, so that they stay in the fast memory of the processor
def past(rounds: Rounds, language: Language) -> tuple[Past, Past]:
    """Return the past of both seats, built on that of the round before, so that each is computed
    once.
    """
    if not rounds:
        return (0, 0, 0, ""), (0, 0, 0, "")
    (first, second, worth, log), (_, _, other_worth, other_log) = past(rounds[:-1], language)
    (gain, loss, card, line), (_, _, other_card, other_line) = _one_round(rounds[-1], language)
    first, second, start = first + gain, second + loss, _round_start(len(rounds), language)
    return (
        (first, second, worth + card, f"{log}\n{start}{line}"),
        (second, first, other_worth + other_card, f"{other_log}\n{start}{other_line}"),
    )


@cache
def _one_round(played: tuple[Move, Move], language: Language) -> tuple[Past, Past]:
    """Return the past of both seats for one round alone."""
    say = say_in(__name__, language)
    first, second = (RANK_PLAYED[move] if move.endswith(COMPETE) else 0 for move in played)
    if first and second:
        first, second = max(0, duel(first, second)), max(0, duel(second, first))

    def past_of(points: int, opponent_points: int, own: Move, other: Move) -> Past:
        line = say(
            "you {own} (+{points}), opponent {other} (+{opponent_points})",
            own=NOTATION.translated(own, say.label),
            points=points,
            other=NOTATION.translated(other, say.label),
            opponent_points=opponent_points,
        )
        return points, opponent_points, RANK_PLAYED[own], line

    return past_of(first, second, *played), past_of(second, first, *reversed(played))


@cache
def _round_start(number: int, language: Language) -> str:
    say = say_in(__name__, language)
    return say("Round {number}: ", number=number)


@cache
def moves(hand: Hand | None) -> tuple[Move, ...]:
    """Return the moves that a hand allows; none are known of a hand that a view hides."""
    return tuple(chain.from_iterable(map(MOVES_WITH.__getitem__, hand or ())))


# Lines of `text` are cached, because a few of them occur again and again.


@cache
def rounds_line(played: int, rounds: int, language: Language) -> str:
    say = say_in(__name__, language)
    return say("Rounds played: {played} of {rounds}", played=played, rounds=rounds)


@cache
def points_line(points: int, opponent_points: int, language: Language) -> str:
    say = say_in(__name__, language)
    return say(
        "Points: you {points}, opponent {opponent_points}",
        points=points,
        opponent_points=opponent_points,
    )


@cache
def own_cards_line(hand: Hand, language: Language) -> str:
    say = say_in(__name__, language)
    return say("Your cards: {cards}", cards=hand_text(hand) or say("none"))


def choice_line(chosen: Move, language: Language) -> str:
    say = say_in(__name__, language)
    return say(
        "You have chosen {move} for this round.", move=NOTATION.translated(chosen, say.label)
    )


def hand_text(hand: Hand) -> str:
    """Return the names of the cards of a hand; "" for an empty one."""
    return " ".join(NAMES[rank] for rank in hand)


def move_values(own: Hand, other: Hand, lead: int) -> dict[Move, float]:
    """Return the worth of each move with open hands, against an equilibrium reply."""
    return dict(zip(moves(own), play_values(own, other, lead), strict=True))
