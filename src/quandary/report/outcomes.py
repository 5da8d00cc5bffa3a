"""How a match ended, in words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quandary.core.contract import Language
from quandary.core.words import Say, say_in

CAUSES: Mapping[str, str] = {
    "goal": "the goal was reached",
    "no_move": "no move was left",
    "dead_end": "a dead end was reached",
    "limit": "the limit of moves was reached",
    "illegal": "a move broke the rules",
    "unreadable": "no move could be read",
    "syntax": "the program could not be compiled",
    "crash": "the program crashed",
    "memory": "the program took too much memory",
    "flood": "the program wrote too much",
    "timeout": "the time ran out",
    "resigned": "a player gave up",
    "infrastructure": "no reply came",
    "unfinished": "it was not finished",
}
OF_QUESTIONS = {
    "goal": "the answer was checked",
    "illegal": "the answer broke the rules",
    "limit": "no try was left",
    "unreadable": "no answer could be read",
}


def outcome(
    players: Sequence[str],
    scores: Sequence[float | None] | None,
    cause: str,
    is_question: bool = False,
    language: Language = "en",
) -> str:
    """The result, and why the match ended where that is not by its goal."""
    say, known = say_in(__name__, language), [score for score in scores or () if score is not None]
    why = cause_words(cause, is_question, language)
    if len(known) < len(players):
        return say("no result: {why}", why=why) if cause != "goal" else say("no key")
    result = _result(players, known, is_question, say)
    return result if cause == "goal" else say("{result} ({why})", result=result, why=why)


def cause_words(cause: str, is_question: bool = False, language: Language = "en") -> str:
    """Why a match ended."""
    special = is_question and cause in OF_QUESTIONS
    if language != "en":
        return say_in(__name__, language).label(f"question_{cause}" if special else cause)
    return OF_QUESTIONS[cause] if special else CAUSES.get(cause, cause)


def _result(players: Sequence[str], scores: Sequence[float], is_question: bool, say: Say) -> str:
    told = " : ".join(f"{score:.3g}" for score in scores)
    if len(scores) == 1:
        if scores[0] >= 1.0:
            return say("solved")
        if scores[0] > 0.0:
            return say("score {scores}", scores=told)
        return say("wrong") if is_question else say("not solved")
    best = max(scores)
    winners = [at for at, score in enumerate(scores) if score == best]
    if len(winners) > 1:
        return say("a tie, {scores}", scores=told)
    [winner] = winners
    others = [score for at, score in enumerate(scores) if at != winner]
    of_winner = " : ".join(f"{score:.3g}" for score in (best, *others))
    name = players[winner]
    if players.count(name) > 1:
        return say(
            "{player} (seat {seat}) won {scores}", player=name, seat=winner, scores=of_winner
        )
    return say("{player} won {scores}", player=name, scores=of_winner)
