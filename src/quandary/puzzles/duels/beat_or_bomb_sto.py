"""Beat or bomb with hidden hands: each round both play a card at once, to compete with it or to give it up; most points win.

From PuzzlePlex.  Readings: two equal cards that both compete earn nothing; after a round both plays are open; a draw is
half a win; hands have 5 to 11 cards, because no two different hands of 12 cards add up alike.
A total is drawn first, then two of the hands that have it, so the opponent's hand is equally likely any that fits.

What can be known: towards the end the log and the common total give both hands away, always with one card left; such a position is
worth what its matrix game is worth, worked out backwards from the last card.  Before that, luck weighs much: the oracle wins
nine matches in ten against random play, but only 55 to 60 in a hundred against `greedy`, however many hands it imagines.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import exp
from operator import mul
from random import Random
from typing import NamedTuple, TypeAlias

from quandary.core.contract import Game, Language, Move, Options, Private, Seat, Unreadable
from quandary.core.scene import Box, Label, Scene, Shape
from quandary.kit.equilibrium import cautious_mix, equilibrium

Hand: TypeAlias = tuple[int, ...]  # ranks, lowest first
RANKS = {"A": 1} | {str(rank): rank for rank in range(2, 11)} | {"J": 11, "Q": 12, "K": 13}
NAMES = {rank: name for name, rank in RANKS.items()}
SPOKEN = {name.casefold(): name for name in RANKS} | {str(rank): name for name, rank in RANKS.items()}
SPOKEN |= {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
COMPETE, GIVE_UP = "compete", "give up"
PLAYED = {f"{name} {decision}": rank for name, rank in RANKS.items() for decision in (COMPETE, GIVE_UP)}  # by move
DECISIONS = {"compete": COMPETE, "give up": GIVE_UP, "give_up": GIVE_UP, "give-up": GIVE_UP, "giveup": GIVE_UP}
PUNCTUATION = str.maketrans(dict.fromkeys("[](){}'\"`*,;:=.“”‘’", " "))
FILLERS = {"move", "play", "card", "decision", "with", "the", "and"}
HOW = "Write a card you hold and what you do with it, for example: K compete, or: 5 give up"
JUDGED = 4  # cards a hand up to which open hands are judged
WORLDS = 12  # hands of the opponent that are imagined at most


@dataclass(frozen=True)
class BeatOrBombSto(Game):
    hands: Private[tuple[Hand, Hand]]  # the cards left
    rounds: tuple[tuple[Move, Move], ...] = ()  # what the seats played, round by round
    chosen: Private[tuple[Move | None, Move | None]] = (None, None)  # plays that wait for the other seat's

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

    def options(self) -> Options:
        asked = [seat for seat in (0, 1) if self.hands[seat] and self.chosen[seat] is None]
        return {seat: _moves(self.hands[seat]) for seat in asked}

    def play(self, seat: Seat, move: Move) -> BeatOrBombSto:
        first, second = (move, self.chosen[1]) if seat == 0 else (self.chosen[0], move)
        if first is None or second is None:
            return BeatOrBombSto(self.hands, self.rounds, (first, second))
        hands = (_without(self.hands[0], PLAYED[first]), _without(self.hands[1], PLAYED[second]))
        return BeatOrBombSto(hands, (*self.rounds, (first, second)))

    def scores(self) -> tuple[float, float]:
        lead = self._lead(0)
        return (_score(lead), _score(-lead))

    def values(self) -> tuple[float, float]:
        """Points of both seats."""
        past = _past(self.rounds, 0)
        return (float(past.points), float(past.rival))

    def canonical(self) -> Hashable:
        """Who holds which of the two hands makes no difference."""
        return tuple(sorted(self.hands))

    def world(self, rng: Random) -> BeatOrBombSto:
        seat = 0 if self.hands[1] is None else 1
        own, other = self.hands[seat], rng.choice(self._possible(seat))
        return replace(self, hands=(own, other) if seat == 0 else (other, own))

    def read(self, seat: Seat, said: str) -> Move:
        words = [word for word in said.translate(PUNCTUATION).casefold().split() if word not in FILLERS]
        for card, decision in ((words[:1], words[1:]), (words[-1:], words[:-1])):
            name, choice = SPOKEN.get("".join(card)), DECISIONS.get(" ".join(decision))
            if name and choice:
                return f"{name} {choice}"
        raise Unreadable(HOW)

    def rules(self, language: Language = "en") -> str:
        return (
            "Two players each hold cards that the other cannot see. An ace (A) is worth 1, number cards 2 to 10 their number, "
            "J 11, Q 12 and K 13. No hand holds a rank twice. At the start both hands have the same number of cards and "
            "the same total worth, but they are not the same hand; any hand that fits is equally likely.\n"
            "In every round both players choose at the same time, without seeing the other's choice, one of their cards "
            "and whether to compete with it or to give it up. Then both choices are shown, and both cards are gone.\n"
            "If both compete, the higher card earns its player the worth of both cards; equal cards earn nothing. "
            "If only one competes, that player earns the worth of that one card. If both give up, nobody earns anything. "
            "For example, 5 compete against K give up earns 5 points for the first player and none for the second.\n"
            "When all cards are played, the player with more points wins; equal points are a draw.\n"
            f"{HOW}"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        past, own, chosen = _past(self.rounds, seat), self.hands[seat], self.chosen[seat]
        return (
            f"Rounds played: {len(self.rounds)} of {len(self.rounds) + len(own)}\n"
            f"Points: you {past.points}, opponent {past.rival}\n"
            f"Total worth of each starting hand: {sum(own) + past.shown}\n"
            f"Your cards: {' '.join([NAMES[rank] for rank in own]) or 'none'}{past.told}"
        ) + (f"\nYou have chosen {chosen} for this round." if chosen else "")

    def scene(self, seat: Seat) -> Scene:
        points, own, chosen, left = self.values(), self.hands[seat], self.chosen[seat], 2.7
        shapes: list[Shape] = [
            Label(0, 0.4, f"you {points[seat]:g}, opponent {points[1 - seat]:g} points", anchor="start"),
            Label(0, 3.5, "(in brackets: given up)", 0.35, "quiet", "start"),
        ]
        for y, who, whose in ((0.9, seat, "you"), (2.0, 1 - seat, "opponent")):
            shapes.append(Label(0, y + 0.5, whose, anchor="start"))
            for x, plays in enumerate(self.rounds):
                name = NAMES[PLAYED[plays[who]]]
                competes = plays[who].endswith(COMPETE)
                shapes.append(Box(left + x, y, fill="sky" if competes else "shade", text=name if competes else f"({name})"))
        for y, decision in ((4.2, COMPETE), (5.3, GIVE_UP)):
            shapes.append(Label(0, y + 0.5, decision, anchor="start"))
            for x, rank in enumerate(own):
                move = f"{NAMES[rank]} {decision}"
                fill = "yellow" if move == chosen else "paper" if chosen else "mark"
                shapes.append(Box(left + x, y, fill=fill, text=NAMES[rank], click="" if chosen else move))
        return Scene(left + max(len(self.rounds) + len(own), 6), 6.4, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each play's worth against an equilibrium reply, once both players can be certain of both hands."""
        own, other = self.hands[seat], self._certain(seat)
        if other is None or not 0 < len(own) <= JUDGED or self.chosen[seat] is not None:
            return None
        game = _game(own, other, self._lead(seat), _worth)
        replies = equilibrium(game).columns
        return {move: sum(map(mul, row, replies)) for move, row in zip(_moves(own), game, strict=True)}

    def greedy(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's rules of thumb, with the opponent's average card known: it follows from the common total."""
        own, lead = self.hands[seat], self._lead(seat)
        low, high, rest = own[0], own[-1], self._total(seat) - sum(self._shown(1 - seat))
        if lead > rest:  # giving up all that is left wins: the opponent then earns its own cards and no more
            return f"{NAMES[rng.choice(own)]} {GIVE_UP}"
        if high <= 10 and low < 5 and len(own) > 1:
            return f"{NAMES[low]} {GIVE_UP}"
        if high > 10 or high * len(own) > rest or lead < 0:
            return f"{NAMES[high]} {COMPETE}"
        return f"{NAMES[min(own, key=lambda rank: abs(rank - 7))]} {COMPETE}"

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """The mix that is best on average over hands the opponent may hold, should it know ours; exact once hands are open.

        Play is followed to the last card where the budget allows, else for one round, after which the worth is guessed.
        """
        own, lead = self.hands[seat], self._lead(seat)
        to_the_end = 7 ** len(own)  # more than the positions that can come up
        deep = to_the_end <= budget
        worlds = min(WORLDS, budget // (to_the_end if deep else 4 * len(own) ** 2))
        if not worlds:
            return self.greedy(seat, rng, budget)
        possible = self._possible(seat)
        games = [_game(own, other, lead, _worth if deep else _guess) for other in rng.sample(possible, min(worlds, len(possible)))]
        mix = equilibrium(games[0]).rows if len(games) == 1 else cautious_mix(games)
        return rng.choices(_moves(own), mix)[0]

    strategies = {"greedy": greedy, "oracle": oracle}

    def _shown(self, seat: Seat) -> Hand:
        """The cards a seat has played, lowest first."""
        return tuple(sorted(PLAYED[plays[seat]] for plays in self.rounds))

    def _total(self, seat: Seat) -> int:
        """The worth of a seat's starting hand, and so of the other's."""
        return sum(self.hands[seat]) + _past(self.rounds, seat).shown

    def _lead(self, seat: Seat) -> int:
        points = self.values()
        return int(points[seat] - points[1 - seat])

    def _possible(self, seat: Seat) -> list[Hand]:
        """The hands the other seat may hold, from all that `seat` knows."""
        return _fitting(self._shown(1 - seat), self._shown(seat), self.hands[seat])

    def _certain(self, seat: Seat) -> Hand | None:
        """The other seat's hand, where both players can work out both hands."""
        theirs = self._possible(seat)
        if len(theirs) > 1 or len(_fitting(self._shown(seat), self._shown(1 - seat), theirs[0])) > 1:
            return None
        return theirs[0]


@lru_cache(maxsize=1 << 13)
def _moves(hand: Hand) -> tuple[Move, ...]:
    return tuple(f"{NAMES[rank]} {decision}" for rank in hand for decision in (COMPETE, GIVE_UP))


def _without(hand: Hand, rank: int) -> Hand:
    return tuple(held for held in hand if held != rank)


def _score(lead: int) -> float:
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5


def _duel(mine: int, theirs: int) -> int:
    """What a duel of two competing cards adds to the lead."""
    return (mine + theirs) * ((mine > theirs) - (mine < theirs))


@lru_cache(maxsize=1 << 10)
def _earned(first: Move, second: Move) -> tuple[int, int]:
    """The points a round gives both seats."""
    ours, theirs = (PLAYED[move] if move.endswith(COMPETE) else 0 for move in (first, second))
    if ours and theirs:
        return max(0, _duel(ours, theirs)), max(0, _duel(theirs, ours))
    return ours, theirs


class _Past(NamedTuple):
    """The rounds so far as one seat sees them."""

    points: int = 0
    rival: int = 0  # the other's points
    shown: int = 0  # the worth of the cards it has played
    told: str = ""  # a line a round


@lru_cache(maxsize=1 << 12)
def _past(rounds: tuple[tuple[Move, Move], ...], seat: Seat) -> _Past:
    if not rounds:
        return _Past()
    before, own, other = _past(rounds[:-1], seat), rounds[-1][seat], rounds[-1][1 - seat]
    mine, theirs = _earned(own, other)
    told = f"{before.told}\nRound {len(rounds)}: you {own} (+{mine}), opponent {other} (+{theirs})"
    return _Past(before.points + mine, before.rival + theirs, before.shown + PLAYED[own], told)


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


def _game(own: Hand, other: Hand, lead: int, worth: Callable[[Hand, Hand, int], float]) -> list[list[float]]:
    """The matrix game of a round with open hands: a row a move of our own, a column a move of the other's."""
    rows: list[list[float]] = []
    for mine in own:
        left, compete, give_up = _without(own, mine), list[float](), list[float]()
        for theirs in other:
            rest = _without(other, theirs)
            compete += [worth(left, rest, lead + _duel(mine, theirs)), worth(left, rest, lead + mine)]
            give_up += [worth(left, rest, lead - theirs), worth(left, rest, lead)]
        rows += [compete, give_up]
    return rows


@lru_cache(maxsize=1 << 18)
def _worth(own: Hand, other: Hand, lead: int) -> float:
    """The expected score under best play with open hands."""
    if lead > sum(other):
        return 1.0
    if -lead > sum(own):
        return 0.0
    return equilibrium(_game(own, other, lead, _worth)).value if own else 0.5


def _guess(own: Hand, other: Hand, lead: int) -> float:
    """The same, guessed; the numbers fit `_worth` for up to four cards and longer games played for points."""
    if lead > sum(other) or -lead > sum(own):
        return float(lead > 0)
    return 1 / (1 + exp(-(lead + _strength(own, other)) / (1.7 + 0.8 * len(own)))) if own else 0.5


@lru_cache(maxsize=1 << 16)
def _strength(own: Hand, other: Hand) -> float:
    """About how many points more the first of two open hands will earn than the second."""
    duels = sum(_duel(mine, theirs) for mine in own for theirs in other)
    return 0.7 * duels / len(own) + 0.65 * (own[-1] - other[-1])
