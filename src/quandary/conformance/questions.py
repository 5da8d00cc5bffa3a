"""Checks of questions and their checkers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from quandary.core import codec
from quandary.core.contract import AskedOnce, Question, Verdict
from quandary.core.mixins.objectives import Objective
from quandary.core.question import form_of

from .case import Case
from .texts import ODD_TEXTS, lookalikes, mutations

MANY = 8  # instances after which a coincidence counts as a leak
HUGE = ("x" * 1_000_000, "[" * 100_000, "1 " * 300_000, '{"answer": ' * 20_000, "\n" * 500_000)
NONSENSE = "§ this is not an answer §"
GUESSES = 50  # different guesses; a checker that accepts all of them is too lenient
GAPS = re.compile(r'(?:\\n|[\s,"\[\]()])+')  # the difference between a list and a line


def solutions_are_accepted(case: Case) -> Iterator[str]:
    for question in case.questions:
        solution = question.seen_by(0).solution()
        verdict = question.check(solution)
        if verdict.score < 1.0 and verdict.value is None:
            yield (
                f"the checker refuses the puzzle's own solution {solution[:80]!r}: "
                f"{verdict.feedback or verdict.kind}"
            )
        for language in question.languages:
            if question.check(solution, language).score != verdict.score:
                yield f"the verdict on the solution depends on the language {language!r}"


def solutions_of_many_are_accepted(case: Case) -> Iterator[str]:
    """A solution may be wrong in few instances; these were drawn already."""
    if issubclass(case.puzzle, Objective):  # where it may take long to find
        return
    if any(solutions_are_accepted(case)):
        return
    for key, instances in case.kept.items():
        for seed, one in enumerate(instances):
            if isinstance(one, Question):
                solution = one.seen_by(0).solution()
                verdict = one.check(solution)
                if verdict.score < 1.0 and verdict.value is None:
                    yield (
                        f"the checker refuses the puzzle's own solution {solution[:80]!r} of "
                        f"{case.name}/{key}#{seed}: {verdict.feedback or verdict.kind}"
                    )
                    return


def blanks_around_a_solution_do_not_matter(case: Case) -> Iterator[str]:
    for question in case.questions:
        solution = question.seen_by(0).solution()
        verdict = question.check(solution)
        for dressed in (f"  {solution} ", f"{solution}\n", f"\n{solution}\r\n"):
            again = question.check(dressed)
            if (again.score, again.value) != (verdict.score, verdict.value):
                yield (
                    f"the checker judges the solution differently with blanks around it: "
                    f"{dressed[:80]!r}"
                )


def nothing_is_added_to_a_solution(case: Case) -> Iterator[str]:
    if form_of(case.starts[0]) == "json":  # the end of an object is unambiguous
        return
    for question in case.questions:
        solution = question.seen_by(0).solution()
        if question.check(solution).score < 1.0:
            continue
        is_free = len(solution.split()) > 1 and _accepts_all(
            question, (f"7 {solution}", f"x {solution}")
        )
        if not is_free and _accepts_all(
            question, (f"{solution} 7", f"{solution} x", f"{solution}\n7")
        ):
            yield f"the checker accepts the solution with more after it: {f'{solution[-40:]} 7'!r}"


def _accepts_all(question: Question, answers: Iterable[str]) -> bool:
    return all(question.check(answer).score >= 1.0 for answer in answers)


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
                yield (
                    f"`check` raised {type(reason).__name__} on {answer[:40]!r}: it must judge "
                    f"any text"
                )
                continue
            if complaint := _unsound(question, answer, verdict):
                yield complaint


def _unsound(question: Question, answer: str, verdict: Verdict) -> str:
    if not isinstance(verdict, Verdict) or not 0.0 <= verdict.score <= 1.0:
        return f"`check` gives {verdict!r}: a score must be from 0.0 to 1.0"
    if verdict != question.check(answer):
        return "`check` gives two verdicts on one answer"
    if verdict.score == 0.0 and verdict.value is None and not (verdict.kind and verdict.feedback):
        return f"a wrong answer gets no kind or no feedback: {answer[:40]!r}"
    return ""


def nonsense_is_not_accepted(case: Case) -> Iterator[str]:
    for question in case.questions:
        if question.check(NONSENSE).score > 0.0:
            yield f"the checker accepts {NONSENSE!r}"


def guesses_are_not_all_accepted(case: Case) -> Iterator[str]:
    rng = Random(case.name)
    for question in case.questions:
        accepted = set[str]()
        for guess in _guesses(question.seen_by(0), rng):
            if question.check(guess).score < 1.0:
                break
            accepted.add(guess)
        else:
            if len(accepted) > GUESSES:
                yield f"the checker accepts all of {len(accepted)} different guesses"


def guesses_can_be_wrong(case: Case) -> Iterator[str]:
    """The random player, which gives samples, must not solve every instance."""
    questions = [one for one in case.neighbours if isinstance(one, Question)]
    rng = Random(case.name)
    if questions and all(one.check(one.seen_by(0).sample(rng)).score == 1.0 for one in questions):
        yield f"`sample` is right in all of {len(questions)} instances; guesses must often be wrong"


def _guesses(seen: Question, rng: Random) -> Iterator[str]:
    """Well-formed answers; those that need the solution come last."""
    for _ in range(GUESSES):
        yield seen.sample(rng)
    yield from lookalikes(seen.solution(), rng, GUESSES)


def solutions_are_not_given_away(case: Case) -> Iterator[str]:
    if not case.questions:
        return
    rng = Random(case.name)
    asked = [question for question in map(case.make, range(MANY)) if isinstance(question, Question)]
    solutions = [question.seen_by(0).solution() for question in asked]
    given = {
        "the text": [question.seen_by(0).text(0) for question in asked],
        "the JSON": [codec.view_json(question, 0) for question in asked],
        "the scene": [_drawn(question) for question in asked],
    }
    samples = [
        dict.fromkeys(question.seen_by(0).sample(rng) for _ in range(MANY)) for question in asked
    ]
    wrong = [
        [guess for guess in guesses if question.check(guess).score < 1.0]
        for question, guesses in zip(asked, samples, strict=True)
    ]
    if not isinstance(asked[0], AskedOnce):  # which may reveal the right answer
        misses = [lookalikes(solution, rng, 2) for solution in solutions]
        given["the feedback to nonsense"] = [_feedback(question, [NONSENSE]) for question in asked]
        given["the feedback to guesses"] = list(map(_feedback, asked, samples))
        given["the feedback to near misses"] = list(map(_feedback, asked, misses))
    for what, words in given.items():
        if _holds_the_solution(words, solutions) and not _holds_as_many_others(words, wrong):
            yield f"{what} gives the solution away: {solutions[0][:80]!r}"


def _holds_the_solution(given: Sequence[str], solutions: Sequence[str]) -> bool:
    """Return whether texts contain their own instances' solutions more often than by
    coincidence.
    """
    pairs = [
        (_plain(solution), _plain(words)) for solution, words in zip(solutions, given, strict=True)
    ]
    if not all(solution in words for solution, words in pairs):
        return False
    crossed = [
        solution in words for solution, _ in pairs for other, words in pairs if other != solution
    ]
    return sum(crossed) * 2 <= len(crossed)


def _holds_as_many_others(given: Sequence[str], wrong: Sequence[Sequence[str]]) -> bool:
    """Return whether texts contain wrong guesses too, so that finding the right one is the
    puzzle.
    """
    there = [
        _plain(guess) in _plain(words)
        for words, guesses in zip(given, wrong, strict=True)
        for guess in guesses
    ]
    return len(there) >= len(given) and all(there)


def _plain(text: str) -> str:
    return GAPS.sub(" ", text).strip()


def _drawn(question: Question) -> str:
    """Return all texts in the picture, cell by cell."""
    scene = question.seen_by(0).scene(0)
    return "".join(getattr(shape, "text", "") for shape in scene.shapes) if scene else ""


def _feedback(question: Question, answers: Iterable[str]) -> str:
    """Return the feedback to the wrong ones among some answers."""
    verdicts = [question.check(answer) for answer in answers]
    return "\n".join(verdict.feedback for verdict in verdicts if verdict.score < 1.0)
