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
        if inside and not (path / MANIFEST).exists():
            found += inside
        else:
            context_of(path)  # refuses what is not a run
            found.append(path)
    return found
