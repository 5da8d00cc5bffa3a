"""Questions in the words in which a paper published them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from quandary.core.answers import Answer
from quandary.core.contract import Form, Language, Question, Seat, Strategy, Verdict

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
    def published_prompt(self) -> str:
        return self.prompt

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
        return self.question.check_as_published(answer, language)

    def solution(self) -> str:
        return self.question.solution()

    def sample(self, rng: Random) -> str:
        return self.question.sample(rng)

    def answer_shape(self) -> Answer | None:
        return self.question.answer_shape()


@dataclass(frozen=True)
class Unscored(Question):
    """A published prompt that has no question of ours, so that nothing judges its answers."""

    prompt: str
    language: Language
    why: str  # it has none

    task = "unscored"
    is_scored = False
    retry = False

    @property
    def published_prompt(self) -> str:
        return self.prompt

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
