"""How violations are reported: each distinct one once, with where it shows first."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

LONGEST = 200  # characters of an exception's message
# What differs between places of one fault: quoted texts, and numbers other than those of lines.
DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![\w:])-?\d[\d.]*")


@dataclass(frozen=True)
class Violation:
    """One failed check."""

    puzzle: str
    level: str
    promise: str  # the invariant's name
    sentence: str
    spec: str = ""  # the first instance that shows it
    places: int = 1  # how many checks of how many levels it fails in the same way

    def __str__(self) -> str:
        promise = self.promise.replace("_", " ")
        places = f"; {self.places} places in all" if self.places > 1 else ""
        return f"{self.spec or f'{self.puzzle}/{self.level}'}: {self.sentence} ({promise}{places})"


def distinct(violations: Iterable[Violation]) -> list[Violation]:
    """Return each violation once, with the number of its places; one fault often fails many
    checks.
    """
    found: dict[tuple[str, str], Violation] = {}
    for violation in violations:
        key = (violation.puzzle, DETAIL.sub("...", violation.sentence))
        first = found.setdefault(key, replace(violation, places=0))
        found[key] = replace(first, places=first.places + violation.places)
    return list(found.values())


def raised(reason: Exception, puzzle: type) -> str:
    """Return what an exception says, and where the puzzle's own code caused it."""
    frames = traceback.extract_tb(reason.__traceback__)
    own = _files(puzzle)
    last = next((frame for frame in reversed(frames) if frame.filename in own), frames[-1])
    return (
        f"it raised {type(reason).__name__}: {str(reason)[:LONGEST]} (in {last.name}, "
        f"{Path(last.filename).name}:{last.lineno})"
    )


def _files(puzzle: type) -> set[str]:
    """Return the files of a puzzle and of the classes it builds on, without those of the
    contract.
    """
    bases = {base.__module__ for base in puzzle.__mro__}
    inside = f"{puzzle.__module__}."  # the other modules of a puzzle that is a folder
    own = [
        module
        for name, module in sys.modules.items()
        if (name in bases and not name.startswith("quandary.core.")) or name.startswith(inside)
    ]
    return {getattr(module, "__file__", None) or "" for module in own}
