"""What the checker of a question says about an answer, for people."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from quandary.core.contract import Game, Language, Verdict
from quandary.core.mixins.answers import translated
from quandary.core.words import Say, say_in
from quandary.tasks.published_wording import is_scored
from quandary.tasks.question_game import asked_question

# "valued" answers differ in value, and none of them is simply wrong; "no key" means that nobody
# knows the right answer.
Judgement: TypeAlias = Literal["right", "partly right", "wrong", "valued", "no key"]


class Checked(NamedTuple):
    """An answer to a question, checked."""

    judgement: Judgement
    score: float | None  # None without a key
    value: float | None
    sentence: str  # the checker's; "" if it has none


def checked(position: Game, answer: str, language: Language) -> Checked | None:
    """What the checker says about an answer given at this position; None if nothing was asked."""
    asked = asked_question(position)
    if asked is None:
        return None
    if not is_scored(asked.question):
        return Checked("no key", None, None, "")
    verdict = asked.question.check(answer, language)
    return Checked(_judgement(verdict), verdict.score, verdict.value, verdict.feedback)


def _judgement(verdict: Verdict) -> Judgement:
    if verdict.score >= 1.0:
        return "right"
    if verdict.value is not None:
        return "valued"
    return "partly right" if verdict.score > 0.0 else "wrong"


def right_answer(position: Game, language: Language) -> str:
    """The solution of the question that is asked at this position; "" if there is none to show."""
    asked = asked_question(position)
    if asked is None or not is_scored(asked.question):
        return ""
    view = asked.question.seen_by(0)
    return translated(view, view.solution(), language)


def in_words(found: Checked, language: Language) -> str:
    """The verdict in a few words, with the checker's sentence."""
    say = say_in(__name__, language)
    words = _words(found, say)
    if not found.sentence:
        return words
    return say("{verdict}: {sentence}", verdict=words, sentence=found.sentence)


def _words(found: Checked, say: Say) -> str:
    score = "" if found.score is None else f"{found.score:.3g}"
    value = "" if found.value is None else f"{found.value:g}"
    if found.judgement == "right":
        return say("right")
    if found.judgement == "wrong":
        return say("wrong")
    if found.judgement == "partly right":
        return say("partly right, score {score}", score=score)
    if found.judgement == "valued":
        return say("value {value}, score {score}", value=value, score=score)
    return say("not checked: there is no key")
