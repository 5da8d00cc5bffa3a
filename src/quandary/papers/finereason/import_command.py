"""`quandary import finereason`, and how its problems are asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quandary.arena import suite
from quandary.arena.suite import Suite
from quandary.papers.imports import ImportResult
from quandary.report.tables import counted

from . import imported
from .key import KEYS as KEYS


def settings() -> Suite:
    return suite.load("finereason")


def bring(source: Path, out: Path, tell: Callable[[int, int], None]) -> ImportResult:
    problems, other_counts = imported.bring(source, out)
    return ImportResult(
        [
            f"{file} has {counted(rows, 'row')}; the published file has {published}."
            for file, rows, published in other_counts
        ],
        f"{counted(problems, 'problem')} are in {out}; play them with: quandary run "
        f"--problems {out} --player PLAYER --out DIR",
    )
