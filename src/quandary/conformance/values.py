"""Checks of raw values."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

from quandary.core.contract import Puzzle

from .case import Case


def references_are_not_beaten(case: Case) -> Iterator[str]:
    for start, who, value in _reached(case):
        best = start.reference()
        if best is None or isclose(value, best, abs_tol=1e-9):
            continue
        if (value > best) == (start.better == "high"):
            yield f"`reference` is {best}, but {who} reaches {value}, which is better"


def _reached(case: Case) -> Iterator[tuple[Puzzle, str, float]]:
    """Reached values with their starts; of only one question, as references may take long."""
    for question in case.questions[:1]:
        value = question.check(question.seen_by(0).solution()).value
        if value is not None:
            yield question, "the puzzle's own solution", value
    played = [("the oracle", match.start, match.position) for match in case.matches_of_the_oracle]
    played += [
        ("a random match", match[0], match[-1])
        for match in case.matches
        if isinstance(match[0], case.puzzle)
    ]
    for who, start, last in played:
        if start.seats == 1 and (values := last.values()) is not None:
            yield start, who, values[0]
