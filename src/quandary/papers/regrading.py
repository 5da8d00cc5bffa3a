"""Grades the answers of a run or an import again, by our rules or as the papers did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from quandary.arena.manifest import IMPORTED
from quandary.arena.store import RECORDS, manifest_of, read
from quandary.core.errors import UserError
from quandary.scoring.regrade import Flip, Given, Grade, Regraded, from_records, regrade, strictly

from .imports import paper_of
from .textgames import defects, grading, imported

Cause: TypeAlias = Callable[[Flip], str]


def graded(folder: Path, how: str) -> tuple[Regraded, Cause]:
    """Everything in a folder graded anew, and what says why a verdict changed."""
    if imported.is_import(folder):
        if how == "strict":
            return regrade(imported.given(folder), strictly), defects.cause
        as_they_did = _textgames(folder, imported.graded_by_the_older(folder))
        return regrade(imported.given(folder), as_they_did), lambda flip: defects.UNEXPLAINED
    if paper_of(folder):
        raise UserError(
            f"{folder} is an import without replies; play its problems first, with quandary run "
            f"--problems {folder}, and regrade that run."
        )
    given = from_records(read(folder / RECORDS))
    if how == "strict":
        return regrade(given, strictly), lambda flip: flip.kind
    paper = str((manifest_of(folder) or {}).get(IMPORTED, "")).partition(" ")[0]
    if paper == "finereason":
        return regrade(given, _finereason(folder)), lambda flip: flip.kind
    if paper == "textgames":
        return regrade(given, _textgames(folder)), _of_textgames
    if paper == "logicgame":
        raise UserError(
            "the paper of LogicGame published no grader; regrade its items with --grading strict."
        )
    raise UserError(
        f"{folder} is neither an import nor a run of one; only published problems have a "
        f"published grading."
    )


def _textgames(folder: Path, older: frozenset[str] = frozenset()) -> Grade:
    """`older` are the players whose replies the older grader judged."""
    lists = grading.lists(folder)

    def grade(session: Given, answer: str) -> tuple[bool, str]:
        by = lists._replace(older=session.player in older)
        return grading.solved(session.question, answer, by), session.question.check(answer).kind

    return grade


def _of_textgames(flip: Flip) -> str:
    """Why the published verdict differs from ours: as if ours had come later."""
    return defects.cause(flip._replace(was=bool(flip.now), now=flip.was))


def _finereason(folder: Path) -> Grade:
    from .finereason.defects import cause
    from .finereason.grading import is_right
    from .finereason.key import keys_of

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
