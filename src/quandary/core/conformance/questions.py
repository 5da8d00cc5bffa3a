"""Promises about questions and their checkers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..contract import Question, Verdict
from .case import Case
from .texts import ODD_TEXTS, mutations

MANY = 8  # instances before a coincidence is a leak
HUGE = ("x" * 1_000_000, "[" * 100_000, "1 " * 300_000, '{"answer": ' * 20_000, "\n" * 500_000)
NONSENSE = "§ this is no answer §"


def solutions_are_accepted(case: Case) -> Iterator[str]:
    for question in case.questions:
        solution = question.seen_by(0).solution()
        verdict = question.check(solution)
        if verdict.score < 1.0 and verdict.value is None:
            yield f"the checker refuses the puzzle's own solution {solution[:80]!r}: {verdict.feedback or verdict.kind}"
        for language in question.languages:
            if question.check(solution, language).score != verdict.score:
                yield f"the verdict on the solution depends on the language {language!r}"
        if not isinstance(question.seen_by(0).sample(Random(0)), str):
            yield "`sample` gives no text"


def checkers_survive_anything(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for question in case.questions:
        seen = question.seen_by(0)
        near = list(mutations(seen.solution(), rng, 40))
        guesses = [seen.sample(rng) for _ in range(10)]
        huge = HUGE if question is case.questions[0] else ()
        for answer in (*ODD_TEXTS, *near, *guesses, *huge):
            try:
                verdict = question.check(answer)
            except Exception as reason:
                yield f"`check` raised {type(reason).__name__} on {answer[:40]!r}: whatever the text, it must judge"
                continue
            if complaint := _unsound(question, answer, verdict):
                yield complaint


def _unsound(question: Question, answer: str, verdict: Verdict) -> str:
    if not isinstance(verdict, Verdict) or not 0.0 <= verdict.score <= 1.0:
        return f"`check` says {verdict!r}: a score must be from 0.0 to 1.0"
    if verdict != question.check(answer):
        return "`check` says two things of one answer"
    if verdict.score == 0.0 and verdict.value is None and not (verdict.kind and verdict.feedback):
        return f"a wrong answer gets no kind or no feedback: {answer[:40]!r}"
    return ""


def nonsense_is_not_accepted(case: Case) -> Iterator[str]:
    for question in case.questions:
        if question.check(NONSENSE).score > 0.0:
            yield f"the checker accepts {NONSENSE!r}"


def solutions_are_not_given_away(case: Case) -> Iterator[str]:
    """The text of an instance must not hold its own solution more often than another's would by accident."""
    if not case.questions:
        return
    asked = [question for question in map(case.make, range(MANY)) if isinstance(question, Question)]
    pairs = [(question.seen_by(0).solution(), question.seen_by(0).text(0)) for question in asked]
    if not all(solution in text for solution, text in pairs):
        return
    crossed = [solution in text for solution, _ in pairs for other, text in pairs if other != solution]
    if sum(crossed) * 2 <= len(crossed):
        yield f"the text gives the solution away: {pairs[0][0][:80]!r}"
