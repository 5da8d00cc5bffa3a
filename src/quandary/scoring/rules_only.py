"""Puzzles about the words of one language: only their rules are translated.

They say nothing about how well a model understands another language, so comparisons between
languages leave them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quandary.catalogue import registry
from quandary.core.contract import WordPuzzle
from quandary.core.errors import MOST_NAMED, UserError


def is_rules_only(puzzle: str) -> bool:
    """Return whether a puzzle, with or without its task, keeps its words in every language."""
    try:
        return issubclass(registry.load(puzzle.rpartition(":")[2]), WordPuzzle)
    except UserError:  # a puzzle from outside that is not here
        return False


def rules_only(puzzles: Iterable[str]) -> list[str]:
    """Those of some puzzles that keep their words, each once and sorted."""
    return sorted(filter(is_rules_only, set(puzzles)))


def named(puzzles: Sequence[str]) -> str:
    """Puzzles as a part of a sentence."""
    more = f" and {len(puzzles) - MOST_NAMED} more" if len(puzzles) > MOST_NAMED else ""
    return f"{', '.join(puzzles[:MOST_NAMED])}{more}"
