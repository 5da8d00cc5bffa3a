"""A second opinion on positions: can this one still be solved?

It knows nothing of quandary: models for OR-Tools CP-SAT and exhaustive search, written from the
rules.  The module of a puzzle's name has `is_solvable(position)`; positions are read by the names
of their fields.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


@cache
def puzzles() -> dict[str, str]:
    """The class of each puzzle that has a second solver, and the name of the puzzle."""
    files = sorted(Path(__file__).parent.glob("[a-z]*.py"))
    return {"".join(map(str.capitalize, file.stem.split("_"))): file.stem for file in files}


def is_solvable(position: Any) -> bool:
    """Whether a position can still be solved, by the second solver of its puzzle."""
    solver = import_module(f"{__name__}.{puzzles()[type(position).__name__]}")
    return bool(solver.is_solvable(position))
