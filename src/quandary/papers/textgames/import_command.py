"""`quandary import textgames`, and how its problems are asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quandary.arena import suite
from quandary.arena.suite import Suite
from quandary.papers.imports import ImportResult
from quandary.report.tables import counted

from . import imported
from .imported import KEYS as KEYS


def settings() -> Suite:
    return suite.load("textgames")


def bring(source: Path, out: Path, tell: Callable[[int, int], None]) -> ImportResult:
    problems, replies, skipped = imported.bring(source, out, tell)
    brought = f"{counted(problems, 'problem')} and {counted(replies, 'reply', 'replies')}"
    return ImportResult(
        [f"{path.relative_to(source)} was not read: {reason}." for path, reason in skipped],
        f"{brought} are in {out}; grade them with: quandary regrade {out}",
    )
