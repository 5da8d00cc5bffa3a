"""Puzzles about the words of one language."""

from __future__ import annotations

from typing import ClassVar

from ..puzzle import Language, Puzzle


class WordPuzzle(Puzzle):
    """A puzzle about words: translations change its rules, not its words."""

    word_language: ClassVar[Language] = "en"  # the language of its words
    kept_words: ClassVar[tuple[str, ...]] = ()  # words of that language in translated sentences


def word_language_of(puzzle: type[Puzzle]) -> Language | None:
    """Return the language of a puzzle about words; None for any other puzzle."""
    return puzzle.word_language if issubclass(puzzle, WordPuzzle) else None
