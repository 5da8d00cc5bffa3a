"""The order of levels in tables: that of their puzzle, from easy to hard."""

from __future__ import annotations

from functools import cache

from quandary.catalogue import registry
from quandary.core.errors import UserError


@cache
def level_place(puzzle: str, level: str) -> tuple[int, str]:
    """Where a level stands among those of its puzzle, from easy to hard; for sorting."""
    name = puzzle.rpartition(":")[2].partition(" ")[0]
    try:
        known = list(registry.load(name).levels)
    except UserError:  # a puzzle from outside that is not here
        known = []
    base = level.partition("@")[0].partition(",")[0]
    return (known.index(base) if base in known else len(known)), level
