"""English words in translated texts."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing
from quandary.conformance.languages import names_of
from quandary.core.translations import english_in
from quandary.puzzles.questions.words.crossword_arranger import CrosswordArranger


def test_words_that_a_puzzle_is_about_stay() -> None:
    """The solution and what feedback quotes are the puzzle's own words; its sentences are not."""
    game = drawing.game("crossword_arranger/easy#1")
    puzzle = game.inner
    assert isinstance(puzzle, CrosswordArranger)
    first, second, third = puzzle.words[:3]
    after = game.play(0, f"{first}\n{second}\n{third}")
    column = first[0] + second[0] + third[0]
    allowed = names_of(after, 0)

    assert {first, second, third, column, *puzzle.solution().split()} <= allowed
    assert {"Board", "rows", "letters", "Words", "Column", "reads", "which"}.isdisjoint(allowed)
    assert [] == english_in(after.text(0, "zh"), allowed)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_pieces_of_a_long_text_stay(level: str) -> None:
    """A picture shows a text in lines that divide its words."""
    game = drawing.game(f"bracket_game/{level}#0")
    scene = game.seen_by(0).scene(0, "zh")
    allowed = names_of(game, 0)

    assert scene is not None
    assert [] == [
        word for shape in scene.shapes for word in english_in(getattr(shape, "text", ""), allowed)
    ]
    assert {"Depth", "exactly"}.isdisjoint(allowed)
