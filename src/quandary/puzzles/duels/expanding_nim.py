"""Expanding nim: take stones from one pile, ever more at a time unless a reset holds you back; the last stone wins.

From PuzzlePlex, whose rule contradicts itself and makes resets worthless.  The rule "course" is that of the course the game
comes from: the limit is one more than the most taken at once so far, but at least 3, and four resets each, which bring the
next move down to 3.  The rule "paper" is the paper's: one more than the move before, but at most 3, and one reset each, which
brings the next move up to 3.  A reset may come with any move, the last one too, and holds for the next move alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

from quandary.core.contract import Game, Language, Move, Options, Seat
from quandary.core.errors import Unreadable
from quandary.core.scene import Box, Disc, Label, Scene, Shape
from quandary.kit.exact import stubborn
from quandary.kit.reading import outside_brackets
from quandary.solvers.expanding_nim import START, lost_piles

MOST_STONES = 10_000
MOST_RESETS = 100
EXACT = 40_000  # piles times pairs of resets up to which play is worked out in full, in about half a second
DRAWN = 300  # stones a picture shows one by one

PAIR = re.compile(r"[\[(]\s{0,9}([0-9]{1,9})\s{0,9},\s{0,9}(0|1|false|true)\s{0,9}[\])]")
NUMBER = re.compile(r"(?<![\d.])-?[0-9]{1,9}(?!\.?\d)")
WORD = re.compile(r"[^\W\d_]+")
FILLERS = frozenset(("i", "take", "remove", "use", "a", "my", "stone", "stones", "move", "operation", "answer"))
WITH, WITHOUT = " reset", ""
SAID = {
    **dict.fromkeys(("1", "true", "reset", "with reset", "and reset", "plus reset", "reset yes", "reset true"), WITH),
    **dict.fromkeys(("", "0", "false", "no reset", "without reset", "reset no", "reset false"), WITHOUT),
}


@dataclass(frozen=True)
class ExpandingNim(Game):
    stones: int
    resets: tuple[int, int]  # left, by seat
    rule: Literal["course", "paper"] = "course"
    largest: int = 0  # the most stones taken at once so far
    last: int = 0  # the stones just taken, 0 at the start
    reset: bool = False  # whether that came with a reset
    turn: Seat = 0

    levels = {
        "easy": {"stones": (10, 20)},
        "normal": {"stones": (21, 50)},
        "hard": {"stones": (51, 200), "resets": (1, 6)},
    }
    house = {"easy": "random", "normal": "cautious", "hard": "oracle"}
    small = {
        "easy": "11 pile sizes make 11 instances",
        "normal": "30 pile sizes make 30 instances",
        "hard": "150 pile sizes and 6 numbers of resets make 900 instances",
    }

    @classmethod
    def new(
        cls,
        rng: Random,
        *,
        stones: tuple[int, int] = (21, 50),
        resets: tuple[int, int] | None = None,
        rule: Literal["course", "paper"] = "course",
    ) -> ExpandingNim:
        """Either player is as likely to be the one who can force a win, where the range has such piles and it can be told."""
        low, high = resets or ((4, 4) if rule == "course" else (1, 1))
        if not 1 <= stones[0] <= stones[1] <= MOST_STONES or not 0 <= low <= high <= MOST_RESETS:
            raise ValueError(f"a pile has 1 to {MOST_STONES} stones, and a player 0 to {MOST_RESETS} resets")
        each = rng.randint(low, high)
        start, second = (each, each), rng.random() < 0.5
        if cls(stones[1], start, rule)._lost() is None:
            return cls(rng.randint(*stones), start, rule)
        piles = range(stones[0], stones[1] + 1)
        fitting = [pile for pile in piles if cls(pile, start, rule)._lost() == second]
        return cls(rng.choice(fitting or piles), start, rule)

    def options(self) -> Options:
        return {self.turn: _moves(min(self._limit(), self.stones), self.resets[self.turn] > 0)} if self.stones else {}

    def after(self, seat: Seat, move: Move) -> ExpandingNim:
        said, _, reset = move.partition(" ")
        taken, (first, second) = int(said), self.resets
        if reset:
            first, second = (first - 1, second) if seat == 0 else (first, second - 1)
        return ExpandingNim(self.stones - taken, (first, second), self.rule, max(self.largest, taken), taken, bool(reset), 1 - seat)

    def scores(self) -> tuple[float, float]:
        if self.stones:
            return (0.5, 0.5)
        return (0.0, 1.0) if self.turn == 0 else (1.0, 0.0)

    def _limit(self) -> int:
        """How many stones may be taken now, if there are as many."""
        if self.reset or not self.last:
            return START
        return max(START, self.largest + 1) if self.rule == "course" else min(START, self.last + 1)

    def read(self, seat: Seat, said: str) -> Move:
        said = said.casefold()
        pairs, words = PAIR.findall(said), outside_brackets(said, PAIR)
        if len(numbers := NUMBER.findall(words)) == 1:
            reset = " ".join(word for word in WORD.findall(words) if word not in FILLERS) if "reset" in words else ""
            pairs.append((numbers[0], reset))
        guessed = any(taken.startswith("-") or reset not in SAID for taken, reset in pairs)  # what is said of a reset never is
        if guessed or len(moves := {f"{int(taken)}{SAID[reset]}" for taken, reset in pairs}) != 1:
            raise Unreadable("Write how many stones you take, and the word reset after it if you use one, for example: 2 reset")
        return moves.pop()

    def rules(self, language: Language = "en") -> str:
        if self.rule == "course":
            limit = (
                "one stone more than the most that either player has taken at once so far, but never below 3: "
                "if the most so far is 3, you may take up to 4"
            )
            reset = "at most 3 stones. Later moves follow the usual limit again: the most so far is not forgotten"
        else:
            limit = (
                "one stone more than your opponent has just taken, but never above 3: "
                "if your opponent has just taken 1, you may take 1 or 2"
            )
            reset = "up to 3 stones, however few you took. Later moves follow the usual limit again"
        return (
            "Two players take turns to take stones from one pile, at least one stone a turn. Whoever takes the last stone wins.\n"
            f"The first move may take 1 to 3 stones. After that the limit is {limit}.\n"
            "Both players begin with the same number of resets. You may use one of yours together with any of your moves: "
            f"your opponent's next move may then take {reset}.\n"
            "Taking more than the limit or than there are stones, or using a reset when you have none left, loses at once.\n"
            "Write how many stones you take, and the word reset after it if you use one, for example: 2\n"
            "or with a reset: 2 reset"
        )

    def text(self, seat: Seat, language: Language = "en") -> str:
        mine, most = self.turn == seat, min(self._limit(), self.stones)
        lines = [f"Stones: {self.stones}"]
        if self.last:
            who, reset = "Your opponent" if mine else "You", " and used a reset" if self.reset else ""
            lines.insert(0, f"{who} took {self.last}{reset}.")
        if self.last and self.rule == "course":
            lines.append(f"Most taken at once so far: {self.largest}")
        if most:
            lines.append(f"{'You' if mine else 'Your opponent'} may now take {'1' if most == 1 else f'1 to {most}'}.")
        lines.append(f"Resets left: you {self.resets[seat]}, your opponent {self.resets[1 - seat]}")
        return "\n".join(lines)

    def scene(self, seat: Seat, language: Language = "en") -> Scene:
        """The pile, with the stones in reach in yellow, and a key for each move."""
        mine, most = self.turn == seat, min(self._limit(), self.stones)
        drawn, columns = self.stones if self.stones <= DRAWN else 0, 12 if self.stones <= 60 else 24
        step, who = 12 / columns, "you may take" if mine else "your opponent may take"
        most_so_far = f", most so far: {self.largest}" if self.rule == "course" else ""
        taken = f"just taken: {self.last}{' with a reset' if self.reset else ''}{most_so_far}" if self.last else ""
        shapes: list[Shape] = [
            Label(0, 0.4, f"{self.stones} stones", 0.6, anchor="start"),
            Label(12, 0.4, taken, anchor="end"),
        ]
        for i in range(drawn):
            x, y = (i % columns + 0.5) * step, 1 + (i // columns + 0.5) * step
            shapes.append(Disc(x, y, 0.4 * step, "yellow" if i >= drawn - most else "quiet"))
        top = 1.4 - -drawn // columns * step
        for title, reset in ((who, WITHOUT), (f"{who}, with a reset", WITH))[: 1 + (self.resets[self.turn] > 0)]:
            shapes.append(Label(0, top + 0.2, title if most else "", anchor="start", colour="quiet"))
            for i in range(most):
                fill, click = ("mark", f"{i + 1}{reset}") if mine else ("paper", "")
                shapes.append(Box(i % 12, top + 0.5 + i // 12, fill=fill, text=str(i + 1), click=click))
            top += 0.9 - -most // 12
        left = f"resets left: you {self.resets[seat]}, your opponent {self.resets[1 - seat]}"
        shapes.append(Label(0, top + 0.2, left, 0.5, anchor="start"))
        return Scene(12, top + 0.7, tuple(shapes))

    def judge(self, seat: Seat) -> Mapping[Move, float] | None:
        """Each move's worth under perfect play; None for piles too large to be worked out."""
        if seat != self.turn or self._lost() is None:
            return None
        return {move: float(self.after(seat, move)._lost() or 0) for move in self.options().get(seat) or ()}

    def cautious(self, seat: Seat, rng: Random, budget: int) -> Move:
        """Looks one round ahead: takes a win, hands none over, and spends a reset only where that needs one."""
        limit = self._limit()
        if self.stones <= limit:
            return str(self.stones)
        takes = _moves(limit, False)
        after = {move: self.after(seat, move) for move in _moves(limit, self.resets[seat] > 0)}
        safe = [move for move, left in after.items() if left.stones > left._limit()]
        return rng.choice([move for move in safe if move in takes] or safe or takes)

    def oracle(self, seat: Seat, rng: Random, budget: int) -> Move:
        """A winning move where there is one, else the one with the fewest right replies; cautious while the pile is too large."""
        worth = self.judge(seat)
        if worth is None:
            return self.cautious(seat, rng, budget)
        return stubborn(self, seat, worth, rng)

    strategies = {"cautious": cautious, "oracle": oracle}

    def _lost(self) -> bool | None:
        """Whether the player to move loses under perfect play; None where that would take too long."""
        if self.rule == "paper":  # a reset only widens the other's choice, so it never helps
            return self.stones % 5 == 0 or (self.stones % 5 == 3 and self._limit() == 2)
        largest = max(2, min(self.largest, self.stones))  # below 2 the limit is 3 as well, and more than all is all
        own = min(self.resets[self.turn], (self.stones + 1) // 2)  # more resets than moves are of no use
        other = min(self.resets[1 - self.turn], self.stones // 2)
        most, start = max(own, other), self.stones + largest * (largest + 1) // 2 - 3
        size = 1 << max(6, start.bit_length())
        if size * (most + 1) * (most + 2) > 2 * EXACT:
            return None
        return bool(lost_piles(size, most)[largest - 2][own, other, self.reset] >> self.stones & 1)


@lru_cache(maxsize=1024)
def _moves(most: int, reset: bool) -> tuple[Move, ...]:
    plain = tuple(str(take) for take in range(1, most + 1))
    return (*plain, *(f"{take} reset" for take in plain)) if reset else plain
