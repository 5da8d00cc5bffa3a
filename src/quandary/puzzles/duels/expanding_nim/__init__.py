"""Expanding nim: take stones from one pile, more and more at a time unless a reset stops that.

Whoever takes the last stone wins.  From PuzzlePlex, whose rule contradicts itself and makes resets
worthless.  The rule "course" is that of the course the game comes from: the limit is one more than
the most taken at once so far, but at least 3, and each player has four resets, which bring the next
move down to 3.  The rule "paper" is the paper's: one more than the move before, but at most 3, and
one reset per player, which brings the next move up to 3.  A reset may come with any move, even the
last one, and applies to the next move only.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from random import Random
from typing import Annotated, Any, Literal

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
from quandary.core.moves import Notation, Number
from quandary.core.scene import Scene
from quandary.core.words import Say
from quandary.puzzles.duels._shared.normal_play import NormalPlay

from .solver import EXACT, START, is_lost

MOST_STONES = 10_000
MOST_RESETS = 100
DRAWN = 300  # stones that a picture shows one by one


@dataclass(frozen=True)
class ExpandingNim(JudgedMoves, NormalPlay):
    stones: Annotated[int, Doc("stones left in the pile")]
    resets: Annotated[tuple[int, int], Doc("the resets that each seat has left")]
    rule: Annotated[
        Literal["course", "paper"], Doc("how the limit grows: course, or paper as it was published")
    ] = "course"
    largest: Annotated[int, Doc("the most stones taken at once so far, 0 at the start")] = 0
    last: Annotated[int, Doc("the stones just taken, 0 at the start")] = 0
    reset: Annotated[
        bool, Doc("whether the last move used a reset, so that the limit is now 3")
    ] = False
    turn: Annotated[Seat, Doc("the seat whose turn it is, from 0")] = 0

    version = 2
    levels = {
        "easy": {"stones": (10, 20)},
        "normal": {"stones": (21, 50)},
        "hard": {"stones": (51, 200), "resets": (1, 6)},
    }
    house = {"easy": "random", "normal": "dp", "hard": "oracle"}
    distinct_instances = {
        "easy": InstanceCount(11, "one for each pile size"),
        "normal": InstanceCount(30, "one for each pile size"),
        "hard": InstanceCount(900, "150 pile sizes and 6 numbers of resets"),
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        stones: Annotated[Range, Between(1, MOST_STONES)] = (21, 50),
        resets: Annotated[Range, Between(0, MOST_RESETS)] | None = None,
        rule: Literal["course", "paper"] = "course",
    ) -> ExpandingNim:
        """Return a start in which both players are equally likely to have a forced win, if
        possible.
        """
        low, high = resets or ((4, 4) if rule == "course" else (1, 1))
        each = rng.randint(low, high)
        start, second = (each, each), rng.random() < 0.5
        if cls(stones[1], start, rule)._lost() is None:
            return cls(rng.randint(*stones), start, rule)
        piles = range(stones[0], stones[1] + 1)
        fitting = [pile for pile in piles if cls(pile, start, rule)._lost() == second]
        return cls(rng.choice(fitting or piles), start, rule)

    def options(self) -> Options:
        most = self._most()
        return {self.turn: _moves(most, self.resets[self.turn] > 0)} if most else {}

    def after(self, seat: Seat, move: Move) -> ExpandingNim:
        number, _, reset = move.partition(" ")
        taken, (first, second) = int(number), self.resets
        if reset:
            first, second = (first - 1, second) if seat == 0 else (first, second - 1)
        left, largest = self.stones - taken, max(self.largest, taken)
        return ExpandingNim(left, (first, second), self.rule, largest, taken, bool(reset), 1 - seat)

    def ending(self) -> Ending:
        return Ending("goal")  # a player can always take a stone, if there is one

    def why_illegal(self, seat: Seat, move: Move, language: Language = "en") -> str:
        say, taken, limit = self.say(language), int(move.split()[0]), self._limit()
        if taken < 1:
            return say("You must take at least one stone.")
        if taken > self._most() and self.stones < limit:
            return say(
                "There {stones:is|are} only {stones} {stones:stone|stones} left.",
                stones=self.stones,
            )
        if taken > limit:
            return say("You may now take up to {most}.", most=limit)
        return say("You have no resets left.")

    def _limit(self) -> int:
        """Return how many stones may be taken now, if there are as many."""
        if self.reset or not self.last:
            return START
        return max(START, self.largest + 1) if self.rule == "course" else min(START, self.last + 1)

    def _most(self) -> int:
        """Return how many stones can be taken now."""
        return min(self._limit(), self.stones)

    def notation(self) -> Notation:
        return _notation(MOST_STONES)  # a position does not know the pile of the start

    @classmethod
    def level_notation(cls, *, stones: Range = (21, 50), **level: Any) -> Notation:
        return _notation(stones[1])

    def how(self, language: Language = "en") -> str:
        say = self.say(language)
        return say(
            "Write how many stones you take, and the word reset after it if you use one, for "
            "example: {move}, or: {with_reset}",
            move="2",
            with_reset=self.translated("2 reset", language),
        )

    def equivalent(self, rng: Random) -> ExpandingNim:
        """With the seats as they are or exchanged."""
        swapped = replace(self, resets=self.resets[::-1], turn=1 - self.turn)
        return rng.choice((self, swapped))

    def canonical(self) -> Hashable:
        """Return the pile, what can be taken now and at least later, and the resets of the mover
        first.
        """
        later = max(START, self.largest + 1) if self.rule == "course" else START
        resets = self.resets[self.turn], self.resets[1 - self.turn]
        return self.rule, self.stones, self._most(), min(later, self.stones), *resets

    def rules(self, language: Language = "en") -> str:
        say = self.say(language)
        if self.rule == "course":
            limits = say(
                "The first move may take 1 to 3 stones. After that, the limit is one stone more"
                " than the most that either player has taken at once so far, but never below 3: if"
                " the most so far is 3, you may take up to 4.\n"
                "Both players begin with the same number of resets. You may use one of yours"
                " together with any of your moves: your opponent's next move may then take at most"
                " 3 stones. Later moves follow the usual limit again: the most so far is not"
                " forgotten."
            )
        else:
            limits = say(
                "The first move may take 1 to 3 stones. After that, the limit is one stone more"
                " than your opponent has just taken, but never above 3: if your opponent has just"
                " taken 1, you may take 1 or 2.\n"
                "Both players begin with the same number of resets. You may use one of yours"
                " together with any of your moves: your opponent's next move may then take up to"
                " 3 stones, however few you took. Later moves follow the usual limit again."
            )
        return say.lines(
            say(
                "Two players take turns taking stones from one pile, at least one stone per turn."
                " Whoever takes the last stone wins."
            ),
            limits,
            say(
                "Taking more stones than the limit or than there are, or using a reset when you "
                "have none left, loses at once."
            ),
            self.how(language),
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        say = self.say(language)
        if self.last and self.rule == "course":
            pile = say(
                "Stones: {stones}\nMost taken at once so far: {largest}",
                stones=self.stones,
                largest=self.largest,
            )
        else:
            pile = say("Stones: {stones}", stones=self.stones)
        mine, own, other = self.turn == seat, self.resets[seat], self.resets[1 - seat]
        taken = _taken(self.last, self.reset, mine, say) if self.last else ""
        return say.lines(taken, pile, _outlook(self._most(), mine, own, other, say))

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """Return the pile, with the stones in reach in yellow, and a key for each move."""
        say, most, mine = self.say(language), self._most(), self.turn == seat
        drawn = self.stones if self.stones <= DRAWN else 0
        in_reach = range(drawn - most, drawn)
        pile = [Cell(fill="", piece="yellow" if i in in_reach else "quiet") for i in range(drawn)]

        def keys(title: str, reset: Mapping[str, str]) -> Scene:
            moves = [{"stones": str(taken), **reset} for taken in range(1, most + 1)]
            looks = [Cell(move["stones"], click=move if mine else None) for move in moves]
            return cards(looks, title=title)

        takes = say("you may take") if mine else say("your opponent may take")
        resets = say("with a reset") if self.resets[self.turn] else ""
        return stack(
            captions(*self.text(seat, language).splitlines()),
            cards(pile, columns=24, size=(0.5, 0.5)),
            keys(takes, {}) if most else None,
            keys(resets, {"reset": "true"}) if most and resets else None,
        )

    def legend(self, seat: Seat, language: Language = "en") -> Mapping[str, str]:
        say = self.say(language)
        return {
            "yellow": say("stones that the next move can take"),
            "quiet": say("other stones"),
            "mark": say("numbers of stones you can take now"),
        }

    judge_budget = (EXACT,)

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Return the value of each move under perfect play; None for piles that are too large."""
        if seat != self.turn or self._lost() is None:
            return None
        moves = self.options().get(seat) or ()
        return {move: float(self.after(seat, move)._lost() or 0) for move in moves}

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, avoids giving one away, and resets only if needed."""
        limit = self._limit()
        if self.stones <= limit:
            return str(self.stones)
        takes = _moves(limit, False)
        after = {move: self.after(seat, move) for move in _moves(limit, self.resets[seat] > 0)}
        safe = [move for move, left in after.items() if left.stones > left._limit()]
        return rng.choice([move for move in safe if move in takes] or safe or takes)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A winning move, or one with the fewest right replies; cautious on very large piles."""
        worth = self.judge(seat)
        if worth is None:
            return self.cautious(seat, rng, budget)
        return stubborn(self, seat, worth, rng)

    def dp(self, seat: Seat, rng: Random, budget: int) -> Move:
        """PuzzlePlex's baseline: a winning move by dynamic programming, otherwise any move."""
        worth = self.judge(seat)
        return self.cautious(seat, rng, budget) if worth is None else highest(worth, rng)

    strategies = {"cautious": cautious, "dp": dp, "oracle": oracle}
    strongest = "optimal"

    def _lost(self) -> bool | None:
        """Return whether the player to move loses under perfect play; None if that takes
        too long.
        """
        if self.rule == "paper":  # a reset only widens the other's choice, so it never helps
            return self.stones % 5 == 0 or (self.stones % 5 == 3 and self._limit() == 2)
        resets = self.resets[self.turn], self.resets[1 - self.turn]
        return is_lost(self.stones, self.largest, *resets, self.reset)


@cache
def _notation(most: int) -> Notation:
    labels = {"stones": ("stone", "take")}
    return Notation("{stones}[ reset]", labels=labels, stones=Number(1, most))


@lru_cache(maxsize=1024)
def _taken(taken: int, reset: bool, by_opponent: bool, say: Say) -> str:
    """Return a sentence about the last move."""
    if by_opponent:
        if reset:
            return say("Your opponent took {taken} and used a reset.", taken=taken)
        return say("Your opponent took {taken}.", taken=taken)
    if reset:
        return say("You took {taken} and used a reset.", taken=taken)
    return say("You took {taken}.", taken=taken)


@lru_cache(maxsize=1024)
def _outlook(most: int, mine: bool, own: int, other: int, say: Say) -> str:
    """Return how many stones can be taken now, and the resets left."""
    resets = say("Resets left: you {own}, your opponent {other}", own=own, other=other)
    if not most:
        return resets
    if mine:
        return say.lines(say("You may now take up to {most}.", most=most), resets)
    return say.lines(say("Your opponent may now take up to {most}.", most=most), resets)


@lru_cache(maxsize=1024)
def _moves(most: int, reset: bool) -> tuple[Move, ...]:
    plain = tuple(str(take) for take in range(1, most + 1))
    return (*plain, *(f"{take} reset" for take in plain)) if reset else plain
