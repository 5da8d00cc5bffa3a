"""Puzzles by group, and how many there are, from their names with their tasks."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from quandary.catalogue import registry
from quandary.core.errors import UserError

GROUPS = {"duels": "Two-player games", "solo": "Solo puzzles", "questions": "Questions"}


def group_of(puzzle: str) -> str:
    """Return what the puzzles of a group are called together."""
    task = puzzle.rpartition(":")[0]
    if task:
        return "Questions about positions and whole solutions"
    try:
        kind, _, part = registry.group(bare_name(puzzle)).partition("/")
    except (UserError, KeyError):  # a puzzle from outside that is not here
        return "Others"
    title = GROUPS.get(kind, kind)
    return f"{title}: {part.replace('_', ' ').replace('/', ', ')}" if part else title


def bare_name(puzzle: str) -> str:
    """Return the name of a puzzle without its task, and without how it is shown."""
    return puzzle.rpartition(":")[2].partition(" ")[0]


def puzzle_count(puzzles: Iterable[str]) -> str:
    """Return how many puzzles there are, in whichever ways they are asked."""
    count = len(set(map(bare_name, puzzles)))
    return f"{count:,} puzzle{'' if count == 1 else 's'}"


def noun_of(puzzles: Collection[str]) -> str:
    """Return what is counted where a puzzle that is asked in several ways counts several times."""
    return "puzzles" if len(set(map(bare_name, puzzles))) == len(puzzles) else "puzzles and tasks"
