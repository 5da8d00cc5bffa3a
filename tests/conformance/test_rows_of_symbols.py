"""Rows of symbols in translated texts, which look like English words."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing
from quandary.conformance.languages import names_of, shown_texts
from quandary.core.translations import english_in


@pytest.mark.parametrize("spec", ["text_sudoku/hard,symbols=letters#1", "islands/hard#1"])
def test_rows_of_symbols_are_no_english(spec: str) -> None:
    """The rows of boards and of their examples stay, but no word of a sentence does."""
    game = drawing.game(spec)
    allowed = names_of(game, 0)

    assert [] == [
        word for _, text in shown_texts(game, 0, "zh") for word in english_in(text, allowed)
    ]
    assert {"Map", "Board", "Symbols", "tiles", "one", "row", "per", "as"}.isdisjoint(allowed)


def test_symbols_of_other_puzzles_are_not_looked_for() -> None:
    """Only where an answer is a grid can a word be a row of it."""
    assert "WXYZ" not in names_of(drawing.game("optimal_touring/easy#1"), 0)
