"""Checks of raw values."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose, isfinite

from quandary.core.contract import Puzzle
from quandary.core.mixins.objectives import better, reference

from .case import Case, played_out


def references_are_not_beaten(case: Case) -> Iterator[str]:
    for start, who, value in _reached(case):
        best = case.reference(start)
        if best is None:
            continue
        if not isfinite(best):
            yield f"`reference` is {best}, which is not a number to compare values with"
        elif not isclose(value, best, abs_tol=1e-9) and (value > best) == (better(start) == "high"):
            yield f"`reference` is {best}, but {who} reaches {value}, which is better"


def _reached(case: Case) -> Iterator[tuple[Puzzle, str, float]]:
    """The values that the strongest player and random play reach, with their starts."""
    for question in case.questions:
        value = question.check(question.seen_by(0).solution()).value
        if value is not None:
            yield question, "the puzzle's own solution", value
    played = [("the oracle", match.start, match.position) for match in case.matches_of_the_oracle]
    played += [
        ("a random match", match[0], match[-1])
        for match in case.matches
        if isinstance(match[0], case.puzzle)
    ]
    played += [
        ("the oracle", start, played_out(start, case.name).position)
        for start in case.games
        if start.seats > 1 and "oracle" in start.strategies and reference(start) is not None
    ]
    for who, start, last in played:
        for value in last.values() or ():
            yield start, who, value
