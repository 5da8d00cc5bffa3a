"""Reasoning for worked examples, made from what the puzzle itself knows, so that it is true.

A question shows a guess, what its checker says of it, and the right answer; a game shows what moves
are worth under best play, where that is known.
"""

from __future__ import annotations

from random import Random

from quandary.core.contract import Game, Language, Move, Question, Seat, Verdict
from quandary.core.mixins.answers import translated
from quandary.core.mixins.objectives import judge
from quandary.core.wrapper import inner_of

from .wording import words_in

LONGEST_GUESS = 400  # characters
COMPARED = 4  # moves


def reasoning(position: Game, seat: Seat, move: Move, language: Language, rng: Random) -> str:
    """Return why `move` is chosen in the true position of an example."""
    if isinstance(question := inner_of(position), Question):
        return _of_question(question, move, language, rng)
    return _of_game(position, seat, move, language, rng)


def _of_question(question: Question, answer: str, language: Language, rng: Random) -> str:
    words = words_in(language)
    lines, guess = list[str](), question.seen_by(0).sample(rng)
    verdict, right = (question.check(text, language) for text in (guess, answer))
    if len(guess) <= LONGEST_GUESS and verdict.score < right.score:
        shown = translated(question, guess, language)
        lines.append(words["guess"].format(guess=shown, verdict=_judged(verdict, language)))
    accepted = right.value is None and right.score >= 1
    found = words["accepted"] if accepted else _judged(right, language)
    return "\n".join([*lines, words["checked"].format(verdict=found)])


def _judged(verdict: Verdict, language: Language) -> str:
    words = words_in(language)
    if verdict.feedback:
        return verdict.feedback
    if verdict.value is not None:
        return words["value"].format(value=f"{verdict.value:g}")
    return words["wrong"]


def _of_game(position: Game, seat: Seat, move: Move, language: Language, rng: Random) -> str:
    words = words_in(language)
    judged = judge(position.seen_by(seat), seat) or {}
    legal = judged or position.legal(seat)
    count = words["count"].format(count=len(legal)) if legal else ""
    if judged and judged.get(move) == max(judged.values()):
        others = [other for other in judged if other != move]
        shown = [move, *rng.sample(others, min(len(others), COMPARED - 1))]
        listed = "\n".join(
            words["worth"].format(move=one, worth=f"{judged[one]:.2f}")
            for one in rng.sample(shown, len(shown))
        )
        return count + words["compared"].format(moves=listed, move=move)
    return count + words["chosen"].format(move=move)
