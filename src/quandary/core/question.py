"""Questions: puzzles that are answered in one text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from .answers import Answer
from .puzzle import Language, Puzzle, Strongest


@dataclass(frozen=True)
class Verdict:
    """What a checker says about an answer."""

    score: float  # 0.0 wrong to 1.0 right
    kind: str = ""  # the kind of error, for counting: "length", "not_a_word"
    feedback: str = ""  # the error in a sentence, shown before the next try
    value: float | None = None  # raw objective; None if there is none or the answer has none
    parts: tuple[tuple[str, float], ...] = ()  # sub-scores: answer, process
    # The entry of a process, counted from 1, at which it first differs from the right one; None if
    # it does not, or if there is no process to compare.
    first_wrong_step: int | None = None

    def without_feedback(self) -> Verdict:
        if not self.feedback:
            return self
        score, kind, value = self.score, self.kind, self.value
        return Verdict(score, kind, "", value, self.parts, self.first_wrong_step)


class AskedQuestion(NamedTuple):
    """A question that a game asks, and the answers so far."""

    question: Question
    tries: int  # answers that may be given
    answers: tuple[tuple[str, Verdict], ...]  # each with its verdict, without feedback


class Question(Puzzle):
    """A puzzle that is asked once and checked; `QuestionGame` adds retries and their feedback."""

    # Whether a second try is meaningful; it is not if a wrong answer reveals the right one.
    retry: ClassVar[bool] = True
    # Whether there is a key to judge answers by; without one, matches have no scores.
    is_scored: ClassVar[bool] = True
    # `oracle` answers with `solution`, which is right; a question whose answers differ in value
    # and whose solution is not always the best one says so.
    strongest: ClassVar[Strongest | Mapping[str, Strongest] | None] = "optimal"

    @abstractmethod
    def check(self, answer: str, language: Language = "en") -> Verdict:
        """Judge an answer; never raises, whatever the text.

        The language affects only the wording of the feedback.
        """

    def check_as_published(self, answer: str, language: Language = "en") -> Verdict:
        """Judge an answer to a published prompt, whose words may allow more than our rules."""
        return self.check(answer, language)

    @abstractmethod
    def solution(self) -> str:
        """An answer that `check` accepts; the best known one if answers differ in value.

        Called on a view.
        """

    def answer_shape(self) -> Answer | None:
        """The shape of an answer, for how-to sentences, schemas and forms; None if it has none.

        Called on a view; solutions and samples must fit it.
        """
        return None

    def given_parts(self) -> Mapping[str, str]:
        """What of the answer the question gives, by the fields of the form of `answer_shape`.

        Called on a view.
        """
        return {}

    @abstractmethod
    def sample(self, rng: Random) -> str:
        """A well-formed guess, right or wrong; called on a view."""
