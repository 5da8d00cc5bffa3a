"""Records that are left out because they need other versions of their puzzles: counts them, and
says which versions read them.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from functools import cache

import msgspec

from quandary.matches.versions import PuzzleVersion, ReadVersions
from quandary.version import VERSION

log_of_records = logging.getLogger(__name__)


class LeftOut:
    """Counts the records of a file, and those of them that are left out."""

    def __init__(self) -> None:
        self.records, self.needed = 0, Counter[PuzzleVersion]()
        self.versions = ReadVersions()

    def add(self, start: msgspec.Raw) -> bool:
        """Count a record by its start, and return whether it is left out."""
        needed = self.versions.unread(start)
        self.count(needed)
        return needed is not None

    def count(self, needed: PuzzleVersion | None) -> None:
        """Count a record, and the version that it needs, if that is not read here."""
        self.records += 1
        if needed is not None:
            self.needed[needed] += 1


def sentence(where: str, needed: Mapping[PuzzleVersion, int], records: int, wrote: str = "") -> str:
    """Return how many of the records of a file are left out, why, and what reads them.

    `wrote` is the version of quandary that wrote them, if it is known.
    """
    count = sum(needed.values())
    versions = [
        f"version {version} of {puzzle}" + (f" ({number:,})" if len(needed) > 1 else "")
        for (puzzle, version), number in sorted(needed.items())
    ]
    these = "that version" if len(versions) == 1 else "these versions"
    reader = f"quandary {wrote}" if wrote not in ("", VERSION) else f"a quandary with {these}"
    are, they, them = ("is", "it needs", "it") if count == 1 else ("are", "they need", "them")
    return (
        f"{count:,} of {records:,} records in {where} {are} left out, because {they} "
        f"{', '.join(versions)}; {reader} reads {them}, and nothing is removed from the file."
    )


@cache  # once, however often a command reads the file
def warn(sentence: str) -> None:
    log_of_records.warning("%s", sentence)
