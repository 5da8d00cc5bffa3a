"""A question as a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

from quandary.core.contract import (
    EarlierVersions,
    Ending,
    FreeText,
    Language,
    Move,
    Options,
    Puzzle,
    Question,
    Seat,
    Strategy,
    Verdict,
)
from quandary.core.mixins.answers import translated

from .delegation import Delegating

SHOWN = 2_000  # characters of an answer that are shown again
NO_ANSWER = "(no answer)"  # stands for a reply without a readable answer


class AskedQuestion(NamedTuple):
    """A question that a game asks, and the answers so far."""

    question: Question
    tries: int  # answers that may be given
    answers: tuple[tuple[str, Verdict], ...]  # each with its verdict, without feedback


@dataclass(frozen=True)
class QuestionGame(Delegating, FreeText, EarlierVersions):
    """A question as a one-seat game of several tries.

    It ends when an answer is accepted or the tries are used up; the last answer counts.
    """

    question: Question
    tries: int = 1
    said: tuple[tuple[str, Verdict], ...] = ()  # answers and how they were judged, without words

    version = 2
    task = "attempt"
    seats = 1
    no_answer = NO_ANSWER

    @property
    def inner(self) -> Question:
        return self.question

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        own = {name: _answering(name) for name in self.question.strategies}
        return {**own, "oracle": _solution}

    @classmethod
    def upgraded(cls, fields: dict[str, Any], version: int) -> dict[str, Any]:
        """Drop the language in which version 1 worded its feedback; it affected no score."""
        return {name: value for name, value in fields.items() if name != "language"}

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> QuestionGame:
        [question] = args
        return cls(question, **level)

    def sibling(self, rng: Random, **level: Any) -> QuestionGame:
        return QuestionGame(self.question.sibling(rng, **level), self.tries)

    def equivalent(self, rng: Random) -> QuestionGame:
        """Return the question turned or renamed, as long as no answer refers to it as it is."""
        return self if self.said else replace(self, question=self.question.equivalent(rng))

    def options(self) -> Options:
        return {} if len(self.said) >= self.tries or self._accepted() else {0: None}

    def after(self, seat: Seat, move: Move) -> QuestionGame:
        if move == NO_ANSWER:
            verdict = Verdict(0.0, "no_answer")
        else:
            verdict = self.question.check(move).without_feedback()  # worded when it is shown
        return QuestionGame(self.question, self.tries, (*self.said, (move, verdict)))

    def scores(self) -> tuple[float, ...]:
        return (self.said[-1][1].score if self.said else 0.0,)

    def values(self) -> tuple[float, ...] | None:
        value = self.said[-1][1].value if self.said else None
        return None if value is None else (value,)

    def ending(self) -> Ending:
        return Ending("goal" if self._accepted() else "limit")

    def _accepted(self) -> bool:
        """Return whether the last answer is right, or is judged by its value."""
        if not self.said:
            return False
        verdict = self.said[-1][1]
        return verdict.score >= 1.0 or verdict.value is not None

    def read(self, seat: Seat, text: str) -> Move:
        return text

    def translated(self, answer: Move, language: Language) -> str:
        return translated(self.question, answer, language)

    def sample(self, rng: Random) -> Move:
        return self.question.sample(rng)

    def text(self, seat: Seat, language: Language = "en") -> str:
        asked, feedback = self.question.text(seat, language), self.feedback(language)
        return f"{asked}\n\n{feedback}" if feedback else asked

    def feedback(self, language: Language = "en") -> str:
        """Return what is wrong with the last answer, and how many tries are left."""
        if not self.said:
            return ""
        say, left = self.say(language), self.tries - len(self.said)
        answer, _ = self.said[-1]
        if answer == NO_ANSWER:
            return say(
                "No complete answer could be found in your last reply.\nTries left: {left}.",
                left=left,
            )
        shown = self.translated(answer, language)
        shown = shown if len(shown) <= SHOWN else shown[:SHOWN] + " …"
        feedback = self.question.check(answer, language).feedback
        if self._accepted():  # the game is over, however many tries are left
            feedback = feedback or say("It is accepted.")
            return say(
                "Your last answer was:\n{answer}\n{feedback}", answer=shown, feedback=feedback
            )
        feedback = feedback or say("It is not right.")
        return say(
            "Your last answer was:\n{answer}\n{feedback}\nTries left: {left}.",
            answer=shown,
            feedback=feedback,
            left=left,
        )


def asked_question(game: Puzzle) -> AskedQuestion | None:
    """Return the question that a game asks, with the answers so far; None if it asks none."""
    if not isinstance(game, QuestionGame):
        return None
    return AskedQuestion(game.question, game.tries, game.said)


@cache
def _answering(name: str) -> Strategy:
    """Return the strategy of that name of the question that is asked."""

    def answer(asked: QuestionGame, seat: Seat, rng: Random, budget: int) -> Move:
        return asked.question.strategies[name](asked.question, seat, rng, budget)

    answer.__doc__ = f"The question's strategy `{name}`."
    return answer


def _solution(asked: QuestionGame, seat: Seat, rng: Random, budget: int) -> Move:
    """Return the solution of a question, worked out from what the seat sees."""
    return asked.question.solution()
