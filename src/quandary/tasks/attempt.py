"""A question as a game."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from quandary.core.contract import Ending, Game, Language, Move, Options, Question, Seat, Verdict
from quandary.core.scene import Scene

TRIES_LEFT = {
    "en": "Your last answer was:\n{answer}\n{feedback}\nTries left: {left}.",
    "zh": "你上一次的回答是：\n{answer}\n{feedback}\n剩余次数：{left}。",
}
UNSAID = {  # where the checker had nothing to say
    True: {"en": "It is accepted.", "zh": "回答已被接受。"},
    False: {"en": "It is not right.", "zh": "回答不正确。"},
}
SHOWN = 2_000  # characters of an answer that are shown again


@dataclass(frozen=True)
class Attempt(Game):
    """A question as a one-seat game of several tries: until one is accepted, or the last one, which counts."""

    question: Question
    tries: int = 1
    language: Language = "en"  # of the feedback
    said: tuple[tuple[str, Verdict], ...] = ()

    task = "attempt"
    seats = 1

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Attempt:
        [question] = args
        return cls(question, **level)

    def options(self) -> Options:
        return {} if len(self.said) >= self.tries or self._accepted() else {0: None}

    def after(self, seat: Seat, move: Move) -> Attempt:
        return replace(self, said=(*self.said, (move, self.question.check(move, self.language))))

    def scores(self) -> tuple[float, ...]:
        return (self.said[-1][1].score if self.said else 0.0,)

    def values(self) -> tuple[float, ...] | None:
        value = self.said[-1][1].value if self.said else None
        return None if value is None else (value,)

    def ending(self) -> Ending:
        return Ending("goal" if self._accepted() else "limit")

    def _accepted(self) -> bool:
        """Whether the last answer is right, or one whose value is judged."""
        return bool(self.said) and (self.said[-1][1].score >= 1.0 or self.said[-1][1].value is not None)

    def read(self, seat: Seat, said: str) -> Move:
        return said

    def sample(self, rng: Random) -> Move:
        return self.question.sample(rng)

    def reference(self) -> float | None:
        return self.question.reference()

    def canonical(self) -> Hashable:
        return self.question.canonical()

    def sibling(self, rng: Random, **level: Any) -> Attempt:
        return Attempt(self.question.sibling(rng, **level), self.tries, self.language)

    def rules(self, language: Language = "en") -> str:
        return self.question.rules(language)

    def text(self, seat: Seat, language: Language = "en") -> str:
        asked = self.question.text(seat, language)
        return f"{asked}\n\n{self.feedback(language)}" if self.said else asked

    def feedback(self, language: Language = "") -> str:
        """What became of the last answer."""
        language = language or self.language
        answer, verdict = self.said[-1]
        if len(answer) > SHOWN:
            answer = answer[:SHOWN] + " …"
        left = self.tries - len(self.said)
        feedback = verdict.feedback or UNSAID[self._accepted()][language]
        return TRIES_LEFT[language].format(answer=answer, feedback=feedback, left=left)

    def scene(self, seat: Seat) -> Scene | None:
        return self.question.scene(seat)
