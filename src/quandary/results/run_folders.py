"""Where the runs are that a command is given."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quandary.arena.store import MANIFEST

from .run_context import context_of


def run_folders(paths: Iterable[Path]) -> list[Path]:
    """The folders of runs; a folder that contains runs of several suites stands for all of them."""
    found = list[Path]()
    for path in paths:
        inside = sorted(each.parent for each in path.glob(f"*/{MANIFEST}"))
        found += [path] if (path / MANIFEST).exists() or not inside else inside
    for folder in found:
        context_of(folder)  # refuses what is not a run
    return found
