"""Answers of TextGames graded again: published replies, and those of runs of its problems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quandary.papers.regrading import Cause
from quandary.scoring.regrade import ChangedVerdict, Given, Grade, Regraded, regrade, strictly

from . import defects, grading, imported


def graded_import(folder: Path, how: str) -> tuple[Regraded, Cause] | None:
    if not imported.is_import(folder):
        return None
    if how == "strict":
        return regrade(imported.given(folder), strictly), defects.cause
    as_they_did = _as_published(folder, imported.graded_by_the_older(folder))
    return regrade(imported.given(folder), as_they_did), lambda change: defects.UNEXPLAINED


def graded_run(folder: Path, given: Iterable[Given]) -> tuple[Regraded, Cause]:
    return regrade(given, _as_published(folder)), _cause


def _as_published(folder: Path, older: frozenset[str] = frozenset()) -> Grade:
    """`older` are the players whose replies the older grader judged."""
    lists = grading.lists(folder)

    def grade(session: Given, answer: str) -> tuple[bool, str]:
        by = lists._replace(older=session.player in older)
        return grading.solved(session.question, answer, by), session.question.check(answer).kind

    return grade


def _cause(change: ChangedVerdict) -> str:
    """Return why the published verdict differs from ours: as if ours had come later."""
    return defects.cause(change._replace(was=bool(change.now), now=change.was))
