"""A one-seat game as one question."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from random import Random
from typing import Any

from quandary.core.contract import CHANCE, Game, Language, Question, Seat, Verdict, veils_of
from quandary.core.errors import Unreadable
from quandary.core.scene import Scene

PHRASES = {
    "en": {
        "unreadable": "The answer cannot be read: {0}",
        "illegal": "Move {0}, {1}, is not allowed there.",
        "too_long": "The game is over before move {0}.",
        "unfinished": "All moves are allowed, {0} in number, but the goal is not reached.",
    },
    "zh": {
        "unreadable": "无法读懂回答：{0}",
        "illegal": "第 {0} 步 {1} 在当时不允许。",
        "too_long": "在第 {0} 步之前游戏已经结束。",
        "unfinished": "全部 {0} 步都允许，但没有达到目标。",
    },
}
NO_STRATEGY = "it has no strategy that solves it"


@dataclass(frozen=True)
class Whole(Question):
    """All the moves of a game in one answer: the papers' single-pass and end-to-end settings."""

    game: Game

    task = "whole"
    form = "block"

    @staticmethod
    def refusal(game: Game) -> str:
        """Why a game cannot be asked whole; "" where it can."""
        if game.seats != 1:
            return "it is played by more than one seat"
        if veils_of(type(game)):
            return "it hides something, so its moves cannot be planned in one go"
        if CHANCE in game.options():
            return "luck decides on the way"
        return "" if "oracle" in game.strategies else NO_STRATEGY

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Whole:
        [game] = args
        return cls(game)

    @property
    def languages(self) -> tuple[Language, ...]:  # type: ignore[override]
        return self.game.languages

    def rules(self, language: Language = "en") -> str:
        return f"{self.game.rules(language)}\n\n{self.game.whole_form[language]}"

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.game.text(seat, language)

    def scene(self, seat: Seat) -> Scene | None:
        return self.game.scene(seat)

    def canonical(self) -> Hashable:
        return self.game.canonical()

    def sibling(self, rng: Random, **level: Any) -> Whole:
        return Whole(self.game.sibling(rng, **level))

    def reference(self) -> float | None:
        return self.game.reference()

    def check(self, answer: str, language: Language = "en") -> Verdict:
        def wrong(kind: str, *details: object) -> Verdict:
            return Verdict(0.0, kind, PHRASES[language][kind].format(*details))

        try:
            moves = self.game.moves(answer)
        except Unreadable as reason:
            return wrong("unreadable", reason)
        position = self.game
        for count, move in enumerate(moves, start=1):
            options = position.options()
            if not options:
                return wrong("too_long", count)
            allowed = options[0]
            if allowed is not None and move not in allowed:
                return wrong("illegal", count, move)
            position = position.after(0, move)
        values = position.values()
        [score] = position.scores()
        if score == 0.0 or position.options():
            return wrong("unfinished", len(moves))
        return Verdict(score, value=values[0] if values else None)

    def solution(self) -> str:
        return "\n".join(self._line(lambda game, rng: game.strategies["oracle"](game, 0, rng, 100_000), Random(0)))

    def sample(self, rng: Random) -> str:
        return "\n".join(self._line(lambda game, rng: rng.choice(list(game.options()[0] or ())), rng))

    def _line(self, choose: Any, rng: Random) -> list[str]:
        position, moves = self.game, list[str]()
        while position.options():
            moves.append(choose(position, rng))
            position = position.after(0, moves[-1])
        return moves
