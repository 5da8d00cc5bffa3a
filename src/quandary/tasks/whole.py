"""A one-seat game as one question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from quandary.core.contract import (
    CHANCE,
    Form,
    Game,
    Implied,
    Language,
    Move,
    Question,
    Seat,
    Strategy,
    Verdict,
)
from quandary.core.errors import Unreadable
from quandary.core.game import refusal as refusal_text
from quandary.core.mixins.whole_answers import moves_in, whole_form
from quandary.core.secrecy import hidden_fields
from quandary.core.words import Say

from .delegation import LONGEST, Delegating

BUDGET = 100_000  # positions the oracle may look at per move
NO_STRATEGY = "it has no strategy that solves it"


@dataclass(frozen=True)
class Whole(Delegating, Question):
    """All the moves of a game in one answer: the papers' single-pass and end-to-end settings."""

    game: Game

    task = "whole"

    @staticmethod
    def refusal(game: Game) -> str:
        """Return why a game cannot be asked as one question; "" if it can."""
        if game.seats != 1:
            return "it is played by more than one seat"
        if hidden_fields(type(game)):
            return "it hides something, so its moves cannot be planned in one go"
        if CHANCE in game.options():
            return "luck decides on the way"
        return "" if "oracle" in game.strategies else NO_STRATEGY

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        """The strategies of the game, each of which plays all its moves."""
        return {name: _playing(name) for name in self.game.strategies}

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Whole:
        [game] = args
        return cls(game)

    def sibling(self, rng: Random, **level: Any) -> Whole:
        return Whole(self.game.sibling(rng, **level))

    def equivalent(self, rng: Random) -> Whole:
        return Whole(self.game.equivalent(rng))

    @property
    def inner(self) -> Game:
        return self.game

    @property
    def form(self) -> Form:
        return "block"

    def rules(self, language: Language = "en") -> str:
        return f"{self.game.rules(language)}\n\n{whole_form(self.game, language)}"

    def check(self, answer: str, language: Language = "en") -> Verdict:
        say = self.say(language)
        if len(answer) > LONGEST:
            return Verdict(0.0, "too_long", say("The answer is too long to be read."))
        try:
            moves = moves_in(self.game, answer)
        except Unreadable as refusal:
            reason = refusal_text(self.game, refusal, language)
            return Verdict(
                0.0, "unreadable", say("The answer cannot be read: {reason}", reason=reason)
            )
        position = self.game
        for number, move in enumerate(moves, start=1):
            options = position.options()
            if not options:
                feedback = _wrong(say, moves) or say(
                    "The game is over before move {number}.", number=number
                )
                return Verdict(0.0, "too_long", feedback)
            allowed = options[0]
            if allowed is not None and move not in allowed:
                reason = position.why_illegal(0, move, language)
                feedback = _wrong(say, moves, reason) or say(
                    "Move {number}, {move}, is illegal there.", number=number, move=move
                )
                return Verdict(0.0, "illegal", feedback)
            position = position.after(0, move)
        values = position.values()
        [score] = position.scores()
        if score == 0.0 or position.options():
            return Verdict(0.0, "unfinished", _wrong(say, moves) or _unsolved(say, len(moves)))
        return Verdict(score, value=values[0] if values else None)

    def solution(self) -> str:
        return self.line(self.game.strategies["oracle"], Random(0), BUDGET)

    def sample(self, rng: Random) -> str:
        return self.line(_random, rng, 0)

    def line(self, strategy: Strategy, rng: Random, budget: int) -> str:
        """All moves of a strategy, to the end of the game."""
        position, moves = self.game, list[Move]()
        while position.options():
            moves.append(strategy(position, 0, rng, budget))
            position = position.after(0, moves[-1])
        return "\n".join(moves)


@cache
def _playing(name: str) -> Strategy:
    """Plays a whole game as its strategy of that name does."""

    def play(whole: Whole, seat: Seat, rng: Random, budget: int) -> Move:
        return whole.line(whole.game.strategies[name], rng, budget)

    return play


def _wrong(say: Say, moves: Sequence[Move], reason: str = "") -> str:
    """What is said of a finished grid, table or the like; "" where moves were written."""
    if not isinstance(moves, Implied):
        return ""
    if reason:
        return say("What you wrote is not right. {reason}", reason=reason)
    return say("What you wrote is not right.")


def _unsolved(say: Say, count: int) -> str:
    """What is said of moves that the rules allow, but that do not solve the puzzle."""
    if count == 1:
        return say("The move is legal, but the puzzle is not solved.")
    return say("All {count} moves are legal, but the puzzle is not solved.", count=count)


def _random(game: Game, seat: Seat, rng: Random, budget: int) -> Move:
    return rng.choice(list(game.options()[seat] or ()))
