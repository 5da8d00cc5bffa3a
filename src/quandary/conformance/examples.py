"""Checks of the examples in rule texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from random import Random

from quandary.core.contract import Game, Puzzle, Question
from quandary.core.errors import Unreadable
from quandary.core.wrapper import inner_of

from .case import Case
from .questions import NONSENSE

GUESSES = 10
# "for example: 3 4", "you could answer: banana", "Example of the format (...): {...}"
INTRODUCED = re.compile(
    r"(?:for example|e\.g\.|could answer|example of the format[^:\n]*|例如|比如|格式示例[^：\n]*)"
    r"[ ]?[:：][ ]*(?P<examples>[^\n]+)",
    re.I,
)
# "For example, ... like this:", and the lines of a board up to the next empty one
BLOCK = re.compile(r"(?:for example|例如|比如)[^\n]*[:：]\n(?P<block>(?:[^\n]+\n?)+)", re.I)
QUOTING = re.compile(r"(?:for example|例如|比如)[^\n]*", re.I)  # with texts in backticks
QUOTED = re.compile(r"`([^`\n]+)`")
OR = re.compile(r"[,，;；]?[ ]*(?:\bor|或)[ ]?[:：][ ]*")  # between two examples
BREAK = re.compile(r"[,，;；。]|\.(?:\s|$)")  # where an example may end and the sentence go on


def examples_in_rules_can_be_read(case: Case) -> Iterator[str]:
    for start in case.starts:
        if isinstance(start, Question) and not _tells_nonsense(start):
            continue
        for language in start.languages:
            for spellings in examples_in(start.rules(language)):
                read = [spelling for spelling in spellings if _is_read(start, spelling)]
                if not read:
                    yield f"the example {spellings[0]!r} in the rules cannot be read ({language})"
                elif not any(_is_within_bounds(case, start, spelling) for spelling in read):
                    yield (
                        f"the example {read[0]!r} in the rules is out of the bounds that "
                        f"`level_notation` or `notation` declares ({language}); if the default "
                        f"`how` wrote it, word your own"
                    )


def examples_in(rules: str) -> Iterator[Sequence[str]]:
    """The examples of moves or answers in a rule text, each as the texts that it may be.

    A sentence may go on after an example, so an example ends with its line or before a break.
    """
    for found in INTRODUCED.finditer(rules):
        for example in OR.split(found["examples"]):
            ends = [found.start() for found in BREAK.finditer(example)]
            yield [example.strip(), *(example[:end].strip() for end in reversed(ends))]
    yield from ([found["block"].strip()] for found in BLOCK.finditer(rules))
    for found in QUOTING.finditer(rules):
        yield from ([example] for example in QUOTED.findall(found[0]))


def _tells_nonsense(question: Question) -> bool:
    """Return whether the checker says something else of nonsense than of well-formed guesses."""
    rng = Random(0)
    return any(
        not _like_nonsense(question, question.seen_by(0).sample(rng)) for _ in range(GUESSES)
    )


def _like_nonsense(question: Question, answer: str) -> bool:
    nonsense, verdict = question.check(NONSENSE), question.check(answer)
    outcome = (verdict.score, verdict.kind, verdict.feedback)
    return outcome == (0.0, nonsense.kind, nonsense.feedback)


def _is_read(start: Puzzle, example: str) -> bool:
    """Return whether the puzzle reads an example, or the puzzle that it asks about."""
    if isinstance(start, Question) and not _like_nonsense(start, example):
        return True
    if isinstance(start, Game):
        with suppress(Unreadable):
            start.seen_by(0).read(0, example)
            return True
    inner = inner_of(start)
    return inner is not None and _is_read(inner, example)


def _is_within_bounds(case: Case, start: Puzzle, example: str) -> bool:
    """Return whether an example is a move that can be legal at the level, as far as that is
    declared.
    """
    if not isinstance(start, Game):
        inner = inner_of(start)
        return inner is None or _is_within_bounds(case, inner, example)
    notation = start.level_notation(**case.arguments) or start.notation()
    if notation is None:
        return True
    try:
        values = notation.parse(start.seen_by(0).read(0, example))
        return all(notation.fields[name].rank(value) >= 0 for name, value in values.items())
    except Unreadable:
        return True  # it is an example of an answer, not of a move
    except ValueError:
        return False
