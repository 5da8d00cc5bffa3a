"""Answers of runs of FineReason's problems graded as published."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quandary.core.errors import UserError
from quandary.papers.regrading import Cause
from quandary.scoring.regrade import Given, Grade, Regraded, regrade

from .defects import cause
from .grading import is_right
from .key import keys_of


def graded_import(folder: Path, how: str) -> tuple[Regraded, Cause] | None:
    return None  # no replies were published


def graded_run(folder: Path, given: Iterable[Given]) -> tuple[Regraded, Cause]:
    return regrade(given, _as_published(folder)), lambda change: change.kind


def _as_published(folder: Path) -> Grade:
    keys = keys_of(folder)

    def grade(session: Given, answer: str) -> tuple[bool | None, str]:
        if session.name not in keys:
            raise UserError(f"{folder} has no key of {session.name}; run the same command again.")
        key, ours = keys[session.name], session.question.check(answer)
        theirs = is_right(session.question, key, answer)
        if theirs == (ours.score == 1.0):
            return theirs, ours.kind
        return theirs, cause(session.question, key, answer, ours, theirs)

    return grade
