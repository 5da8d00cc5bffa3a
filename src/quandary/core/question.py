"""Questions: puzzles that are answered in one text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Literal, TypeAlias

from .answers import Answer
from .puzzle import Language, Puzzle, Strongest
from .wrapper import Wrapper

# "json_fence": an object in a fence that names JSON, as a paper's prompts request it.
Form: TypeAlias = Literal["line", "block", "json", "json_fence"]


@dataclass(frozen=True)
class Verdict:
    """The judgement of an answer by its checker."""

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


class Question(Puzzle):
    """A puzzle that is asked once and checked; `QuestionGame` adds tries and their feedback."""

    # `oracle` answers with `solution`, which is right.  A question overrides this if its answers
    # differ in value and its solution is not always the best one.
    strongest: ClassVar[Strongest | Mapping[str, Strongest] | None] = "optimal"

    @property
    def form(self) -> Form:
        """The shape of a reply."""
        return "line"

    @abstractmethod
    def check(self, answer: str, language: Language = "en") -> Verdict:
        """Judge an answer; never raises, whatever the text.

        The language affects only the wording of the feedback.
        """

    @abstractmethod
    def solution(self) -> str:
        """Return an answer that `check` accepts; the best known one if answers differ in value.

        Called on a view.
        """

    def answer_shape(self) -> Answer | None:
        """Return the shape of an answer, for how-to sentences, schemas and forms; None if it has
        none.

        Called on a view; solutions and samples must fit it.
        """
        return None

    @abstractmethod
    def sample(self, rng: Random) -> str:
        """Return a well-formed guess, right or wrong; called on a view."""


def form_of(puzzle: Puzzle) -> Form:
    """Return the shape of a reply: a line for a move, and what a question says for its answer."""
    while not isinstance(puzzle, Question) and isinstance(puzzle, Wrapper):
        puzzle = puzzle.inner
    return puzzle.form if isinstance(puzzle, Question) else "line"
