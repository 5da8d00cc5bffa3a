"""What runs are called in tables of several."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quandary.core.errors import UserError


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
