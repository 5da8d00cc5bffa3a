"""Questions in the words in which a paper published them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from quandary.core.answers import Answer
from quandary.core.contract import (
    AskedOnce,
    Form,
    Language,
    Puzzle,
    Question,
    Seat,
    Strategy,
    Verdict,
)
from quandary.core.mixins.answers import check_as_published
from quandary.core.wrapper import Task, Wrapper, innermost

from .delegation import Delegating

NO_KEY = '{"answer": []}'  # an answer where nobody knows the right one


@dataclass(frozen=True)
class PublishedWording(Delegating, Question):
    """A question of ours, asked with the published prompt: our key judges the answers."""

    question: Question
    prompt: str

    task = "published_wording"

    @property
    def inner(self) -> Question:
        return self.question

    @property
    def form(self) -> Form:
        return "json_fence"

    @property
    def strategies(self) -> Mapping[str, Strategy]:
        return self.question.strategies

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> PublishedWording:
        return cls(*args)

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.prompt

    def check(self, answer: str, language: Language = "en") -> Verdict:
        return check_as_published(self.question, answer, language)

    def solution(self) -> str:
        return self.question.solution()

    def sample(self, rng: Random) -> str:
        return self.question.sample(rng)

    def answer_shape(self) -> Answer | None:
        return self.question.answer_shape()


@dataclass(frozen=True)
class Unscored(Task, AskedOnce):
    """A published prompt that has no question of ours, so that nothing judges its answers."""

    prompt: str
    language: Language
    why: str  # it has none

    task = "unscored"

    @property
    def form(self) -> Form:
        return "json_fence"

    @property
    def languages(self) -> tuple[Language, ...]:
        return (self.language,)

    @classmethod
    def new(cls, rng: Random, *args: Any, **level: Any) -> Unscored:
        return cls(*args)

    def rules(self, language: Language = "en") -> str:
        return self.prompt

    def text(self, seat: Seat, language: Language = "en") -> str:
        return self.prompt

    def check(self, answer: str, language: Language = "en") -> Verdict:
        return Verdict(0.0, "unscored")

    def solution(self) -> str:
        return NO_KEY

    def sample(self, rng: Random) -> str:
        return NO_KEY


def published_prompt(puzzle: Puzzle) -> str:
    """Return all that a model is sent, in a paper's own words; "" where we word it."""
    while isinstance(puzzle, Wrapper) and not isinstance(puzzle, PublishedWording):
        puzzle = puzzle.inner
    return puzzle.prompt if isinstance(puzzle, PublishedWording | Unscored) else ""


def is_scored(puzzle: Puzzle) -> bool:
    """Return whether there is a key to judge answers by; without one, matches have no scores."""
    return not isinstance(innermost(puzzle), Unscored)
