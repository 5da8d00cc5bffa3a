"""What a run allows its players, and in which wording it asks them: where two runs differ in it,
their scores are not comparable.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct, structs

from quandary.arena.manifest import IMPORTED, IN_PUBLISHED_WORDING, SPECS
from quandary.arena.store import manifest_of

from .run_folders import run_names


class RunRules(Struct, frozen=True):
    """These have the names and the usual values of a suite's settings."""

    attempts: int = 5  # replies per turn that may be unreadable
    tries: int = 1  # answers per question
    count_unreadable: bool = False  # whether an unreadable reply to a question uses up a try
    published_wording: bool = False


def rules_of(folders: Iterable[Path]) -> dict[str, RunRules]:
    """Return the rules of some runs, by their names in tables."""
    return {name: _rules_in(folder) for name, folder in run_names(folders).items()}


def _rules_in(folder: Path) -> RunRules:
    manifest = manifest_of(folder, without=(SPECS,)) or {}
    rules = msgspec.convert(manifest.get("suite", {}), RunRules)
    published = str(manifest.get(IMPORTED) or "").endswith(IN_PUBLISHED_WORDING)
    return structs.replace(rules, published_wording=published)
