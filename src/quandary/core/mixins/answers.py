"""Mixins for questions with special answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from ..game import Game
from ..moves import Move
from ..puzzle import Language, Puzzle
from ..question import Question, Verdict


class AskedOnce(Question):
    """A question that is asked once, because a wrong answer reveals the right one."""


class PartlyGiven(Question):
    """A question that shows part of its answer, such as the given cells of a grid."""

    @abstractmethod
    def given_parts(self) -> Mapping[str, str]:
        """Return what of the answer the question gives, by the fields of the form of
        `answer_shape`.

        Called on a view.
        """


class TranslatedAnswers(Question):
    """A question with answers that other languages show in other words."""

    @abstractmethod
    def translated(self, answer: Move, language: Language) -> str:
        """Return an answer as it is shown in a language; it is read as the same one."""


class PublishedAnswers(Question):
    """A question for which the published wording allows more answers than ours."""

    @abstractmethod
    def check_as_published(self, answer: str, language: Language = "en") -> Verdict:
        """Judge an answer to the published prompt."""


def translated(puzzle: Puzzle, answer: Move, language: Language) -> str:
    """Return a move or an answer as it is shown in a language."""
    if isinstance(puzzle, Game | TranslatedAnswers):
        return puzzle.translated(answer, language)
    return answer


def given_parts(puzzle: Puzzle | None) -> Mapping[str, str]:
    """Return what of the answer a question gives, by the fields of its form; called on a view."""
    return puzzle.given_parts() if isinstance(puzzle, PartlyGiven) else {}


def check_as_published(question: Question, answer: str, language: Language = "en") -> Verdict:
    """Judge an answer to a published prompt, whose words may allow more than our rules."""
    if isinstance(question, PublishedAnswers):
        return question.check_as_published(answer, language)
    return question.check(answer, language)
