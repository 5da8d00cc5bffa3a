"""Versions of puzzles in stored positions, found without making the positions.

A record of a version that this quandary does not read stays in its file, and is left out of what is
read from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from quandary.catalogue.registry import WRAPPERS, load
from quandary.core.codec import decode
from quandary.core.errors import UserError
from quandary.core.wrapper import Wrapper


class PuzzleVersion(NamedTuple):
    """A version of a puzzle or task."""

    puzzle: str
    version: int


def innermost_version(packed: Any) -> int | None:
    """Return the version of the innermost puzzle of a position as plain data."""
    *_, last = [None, *versions(packed)]
    return last.version if last else None


def versions(packed: Any) -> Iterator[PuzzleVersion]:
    """Return the versions of a position and of those inside it, from the outermost on."""
    while isinstance(packed, dict):
        puzzle, version = packed.get("puzzle"), packed.get("version")
        if not isinstance(puzzle, str) or type(version) is not int:
            return
        yield PuzzleVersion(puzzle, version)
        nested = [inner for inner in packed.values() if isinstance(inner, dict)]
        packed = nested[0] if puzzle in WRAPPERS and nested else None


def version_here(stored: Sequence[PuzzleVersion]) -> int | None:
    """Return the version that a record of such a position gets from this quandary; None if its
    puzzle is unknown.
    """
    try:
        puzzles = [load(found.puzzle) for found in stored]
    except UserError:
        return None
    increments = (
        task.version_increment(inner)
        for task, inner in pairwise(puzzles)
        if issubclass(task, Wrapper)
    )
    return puzzles[-1].version + sum(increments) if puzzles else None


class ReadVersions:
    """Tells which stored positions this quandary reads; it looks up each version once."""

    def __init__(self) -> None:
        self._known = dict[PuzzleVersion, bool]()

    def unread(self, start: msgspec.Raw) -> PuzzleVersion | None:
        """Return the version that a stored position needs, if it is not read here.

        None also for what is no position, or one of an unknown puzzle: reading it tells what is
        wrong.
        """
        for found in stored_versions(bytes(start)):
            if found not in self._known:
                self._known[found] = _is_read(found)
            if not self._known[found]:
                return found
        return None


def _is_read(found: PuzzleVersion) -> bool:
    try:
        puzzle = load(found.puzzle)
    except UserError:
        return True
    return puzzle.rules_since <= found.version <= puzzle.version


@lru_cache(maxsize=1_024)  # records that begin alike are close together
def stored_versions(start: bytes) -> tuple[PuzzleVersion, ...]:
    """Return the versions in a stored position, from the outermost on; none if it cannot be
    read.
    """
    try:
        return tuple(versions(decode(start)))
    except UserError:
        return ()
