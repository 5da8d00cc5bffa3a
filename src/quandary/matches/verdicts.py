"""The verdicts of a question's checker, in words for people."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

from quandary.core.contract import Game, Language, Verdict
from quandary.core.mixins.answers import translated
from quandary.core.words import Say, say_in
from quandary.tasks.published_wording import is_scored
from quandary.tasks.question_game import asked_question
from quandary.tasks.state_check import UNKNOWN_LABEL

# "valued" answers differ in value, and none of them is simply wrong; "no key" means that nobody
# knows the right answer.
Judgement: TypeAlias = Literal["right", "partly right", "wrong", "valued", "no key"]
Part: TypeAlias = Literal["", "answer", "process"]


class Checked(NamedTuple):
    """An answer to a question, checked."""

    judgement: Judgement
    score: float | None  # None without a key
    value: float | None
    sentence: str  # the checker's; "" if it has none
    is_possible: bool = True  # whether it is one of the answers to choose from, if there are such
    right_part: Part = ""  # of a worked answer of which one part is right and the other is not


def checked(position: Game, answer: str, language: Language) -> Checked | None:
    """Return what the checker says about an answer given at this position; None if nothing was
    asked.
    """
    asked = asked_question(position)
    if asked is None:
        return None
    if not is_scored(asked.question):
        return Checked("no key", None, None, "")
    verdict = asked.question.check(answer, language)
    return Checked(
        _judgement(verdict),
        verdict.score,
        verdict.value,
        verdict.feedback,
        verdict.kind != UNKNOWN_LABEL,
        _right_part(verdict),
    )


def _judgement(verdict: Verdict) -> Judgement:
    if verdict.score >= 1.0:
        return "right"
    if verdict.value is not None:
        return "valued"
    return "partly right" if verdict.score > 0.0 else "wrong"


def _right_part(verdict: Verdict) -> Part:
    """Return the part of a worked answer that alone is right; "" if both are, none is, or it has
    none.
    """
    shares = dict(verdict.parts)
    right = [name for name in get_args(Part) if shares.get(name, 0.0) >= 1.0]
    return right[0] if len(right) == 1 and verdict.score < 1.0 else ""


def right_answer(position: Game, language: Language) -> str:
    """Return the solution of the question that is asked at this position; "" if there is none to
    show.
    """
    asked = asked_question(position)
    if asked is None or not is_scored(asked.question):
        return ""
    view = asked.question.seen_by(0)
    return translated(view, view.solution(), language)


def in_words(found: Checked, language: Language) -> str:
    """Return the verdict in a few words, with the checker's sentence."""
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
    if not found.is_possible:
        return say("wrong (not one of the possible answers)")
    if found.right_part == "answer":
        return say("wrong (the answer is right, the process is not)")
    if found.right_part == "process":
        return say("wrong (the process is right, the answer is not)")
    if found.judgement == "wrong":
        return say("wrong")
    if found.judgement == "partly right":
        return say("partly right, score {score}", score=score)
    if found.judgement == "valued":
        return say("value {value}, score {score}", value=value, score=score)
    return say("not checked: there is no key")
