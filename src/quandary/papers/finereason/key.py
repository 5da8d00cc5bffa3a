"""What the published graders compare an answer with, as the published rows have it.

A question has the same positions as our puzzle writes them, where the order of expressions is lost
and a parent that equals the current table is replaced.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from quandary.papers.imports import read_lines

KEYS = "keys.jsonl"


class Key(Struct, omit_defaults=True):
    """A line of the keys of an import."""

    problem: str = ""  # its name
    label: str = ""  # Solvable or Unsolvable
    parent: Any = None
    current: Any = None
    child: Any = None
    conditions: list[str] = []  # of the clues of a grid that were not applied yet
    applied: list[str] = []  # of those that were
    solution: Any = None


def keys_of(folder: Path) -> dict[str, Key]:
    """Return the keys of an import, or of a run of its problems, by the name of the problem."""
    return {key.problem: key for _, key in read_lines(folder / KEYS, Key)}
