"""Where the runs are that a command is given, and what they are called in tables of several."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quandary.arena.store import MANIFEST
from quandary.core.errors import UserError

from .run_context import context_of

TABLES = "tables"  # the folder of its tables in that of a run


def run_folders(paths: Iterable[Path]) -> list[Path]:
    """Return the folders of runs; a folder that contains runs of several suites stands for all of
    them.
    """
    found = list[Path]()
    for path in paths:
        inside = sorted(each.parent for each in path.glob(f"*/{MANIFEST}"))
        found += [path] if (path / MANIFEST).exists() or not inside else inside
    for folder in found:
        context_of(folder)  # refuses what is not a run
    return found


def run_names(folders: Iterable[Path]) -> dict[str, Path]:
    """Runs by name: the shortest ends of their paths that tell them apart."""
    paths = dict.fromkeys(folders)
    whole = [path.resolve().parts for path in paths]
    if len(set(whole)) < len(whole):
        raise UserError("a run is named twice; name each once.")
    for length in range(1, max(map(len, whole), default=0) + 1):
        names = ["/".join(parts[-length:]) for parts in whole]
        if len(set(names)) == len(names):
            return dict(zip(names, paths, strict=True))
    return {}
