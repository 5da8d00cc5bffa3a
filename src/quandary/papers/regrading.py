"""Grades the answers of a run or an import again, by our rules or as the papers did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Protocol, TypeAlias, cast

from quandary.arena.manifest import IMPORTED
from quandary.arena.store import RECORDS, manifest_of, read
from quandary.catalogue.paper import Paper
from quandary.catalogue.papers import paper_named
from quandary.core.errors import UserError
from quandary.scoring.regrade import (
    ChangedVerdict,
    Given,
    Regraded,
    from_records,
    regrade,
    strictly,
)

from .imports import paper_of

Cause: TypeAlias = Callable[[ChangedVerdict], str]  # says why a verdict changed


class PublishedGrading(Protocol):
    """What the module of a paper has that `Paper.grading` names."""

    def graded_import(self, folder: Path, how: str) -> tuple[Regraded, Cause] | None:
        """Return the published replies of an import, graded anew; None if it has no replies."""

    def graded_run(self, folder: Path, given: Iterable[Given]) -> tuple[Regraded, Cause]:
        """Return the answers of a run of the paper's problems, graded as published."""


def graded(folder: Path, how: str) -> tuple[Regraded, Cause]:
    """Everything in a folder graded anew, and what says why a verdict changed."""
    if name := paper_of(folder):
        grading = _grading(paper_named(name))
        found = grading.graded_import(folder, how) if grading else None
        if found is None:
            raise UserError(
                f"{folder} is an import without replies; play its problems first, with quandary "
                f"run --problems {folder}, and regrade that run."
            )
        return found
    given = from_records(read(folder / RECORDS))
    if how == "strict":
        return regrade(given, strictly), lambda change: change.kind
    paper = paper_named(str((manifest_of(folder) or {}).get(IMPORTED, "")).partition(" ")[0])
    if paper is None:
        raise UserError(
            f"{folder} is neither an import nor a run of one; only published problems have a "
            f"published grading."
        )
    grading = _grading(paper)
    if grading is None:
        raise UserError(
            f"the paper of {paper.title} published no grader; regrade its items with --grading "
            f"strict."
        )
    return grading.graded_run(folder, given)


def _grading(paper: Paper | None) -> PublishedGrading | None:
    return cast(PublishedGrading, import_module(paper.grading)) if paper and paper.grading else None
