"""How a match ended, in words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from quandary.core.contract import Language
from quandary.core.words import Say, say_in


@cache
def causes(language: Language = "en") -> Mapping[str, str]:
    """Return why matches end."""
    say = say_in(__name__, language)
    return {
        "goal": say("the goal was reached"),
        "no_move": say("no move was left"),
        "dead_end": say("a dead end was reached"),
        "limit": say("the limit of moves was reached"),
        "illegal": say("a move broke the rules"),
        "unreadable": say("no move could be read"),
        "syntax": say("the program could not be compiled"),
        "crash": say("the program crashed"),
        "memory": say("the program took too much memory"),
        "flood": say("the program wrote too much"),
        "timeout": say("the time ran out"),
        "resigned": say("a player gave up"),
        "infrastructure": say("no reply came"),
        "unfinished": say("it was not finished"),
    }


@cache
def _causes_of_questions(language: Language) -> Mapping[str, str]:
    """Those that are told otherwise where an answer was asked for."""
    say = say_in(__name__, language)
    return {
        "goal": say("the answer was checked"),
        "illegal": say("the answer broke the rules"),
        "limit": say("no try was left"),
        "unreadable": say("no answer could be read"),
    }


def outcome(
    players: Sequence[str],
    scores: Sequence[float | None] | None,
    cause: str,
    is_question: bool = False,
    language: Language = "en",
    *,
    answers: int = 0,
) -> str:
    """Return the result, and why the match ended where that is not by its goal.

    `answers`: how many a question was given, where that is known.
    """
    say = say_in(__name__, language)
    known = [score for score in scores or () if score is not None]
    why = cause_words(cause, is_question, language, answers=answers)
    if len(known) < len(players):
        return say("no result: {why}", why=why) if cause != "goal" else say("no key")
    result = _result(players, known, is_question, say)
    if cause == "goal" or (is_question and cause == "limit" and answers == 1):
        return result  # there was one try, so that nobody expects another
    return say("{result} ({why})", result=result, why=why)


def cause_words(
    cause: str, is_question: bool = False, language: Language = "en", *, answers: int = 0
) -> str:
    """Return why a match ended."""
    if is_question and cause == "limit" and answers == 1:
        cause = "goal"
    known = _causes_of_questions(language).get(cause) if is_question else None
    return known or causes(language).get(cause, cause)


def _result(players: Sequence[str], scores: Sequence[float], is_question: bool, say: Say) -> str:
    text = " : ".join(f"{score:.3g}" for score in scores)
    if len(scores) == 1:
        if scores[0] >= 1.0:
            return say("solved")
        if scores[0] > 0.0:
            return say("score {score}", score=text)
        return say("wrong") if is_question else say("not solved")
    best = max(scores)
    winners = [at for at, score in enumerate(scores) if score == best]
    if len(winners) > 1:
        return say("a tie, {score}", score=text)
    [winner] = winners
    name = players[winner]
    if players.count(name) > 1:
        name = say("{player} (seat {seat})", player=name, seat=winner)
    others = [score for at, score in enumerate(scores) if at != winner]
    shown = " : ".join(f"{score:.3g}" for score in (best, *others))
    return say("{player} won {score}", player=name, score=shown)
