"""Pictures in a report are small, so they show the most telling part of a position."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.boards import Cell, beside, board, captions, cards, stack
from quandary.core.scene import Box, Label, Line, Scene
from quandary.render.svg import MARGIN, Text, elements, picture
from quandary.report.page.pictures import thumbnail

SHOWN = 64  # pixels
LEGIBLE = 5.5  # pixels of letters that can be told apart


def _texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if not isinstance(shape, Line) and shape.text]


def test_the_board_with_most_on_it_is_shown_alone() -> None:
    one, other = (board([["", ""], [text, Cell(fill="shade")]], first=1) for text in ("", "7"))
    scene = stack(captions("some words"), beside(one, other), captions("more words"))

    shown = thumbnail(scene)

    assert (shown.width, shown.height) == pytest.approx((2, 2))
    assert len(shown.shapes) == 4
    assert _texts(shown) == ["7"]


def test_a_long_row_is_cut_after_whole_cells() -> None:
    assert _texts(thumbnail(cards([*"abcdefgh"], title="letters"))) == [*"abcd"]


def test_of_wide_cells_the_middle_is_shown() -> None:
    shown = thumbnail(board([["12"], ["24"], ["6"]], size=(8, 1)))

    assert shown.width < 8
    assert {shape.x + shape.width / 2 for shape in shown.shapes if isinstance(shape, Box)} == {
        shown.width / 2
    }


@pytest.mark.parametrize("scene", [captions("words", "alone"), Scene(2, 1, (Label(1, 0.5, "x"),))])
def test_words_alone_stay_as_they_are(scene: Scene) -> None:
    assert thumbnail(scene) == scene


@pytest.mark.parametrize("name", registry.names())
def test_there_is_something_to_see_of_every_puzzle(name: str) -> None:
    for level in registry.load(name).levels:
        scene = picture(drawing.game(f"{name}/{level}#1"), 0)
        shown = thumbnail(scene)

        assert shown.shapes
        assert shown.width <= scene.width and shown.height <= scene.height


@pytest.mark.parametrize(
    "name", ["card_nim", "minesweeper", "game_of_24", "beat_or_bomb_det", "beat_or_bomb_sto"]
)
def test_letters_of_cards_and_cells_are_legible(name: str) -> None:
    for level in registry.load(name).levels:
        shown = thumbnail(picture(drawing.game(f"{name}/{level}#1"), 0))
        unit = SHOWN / (max(shown.width, shown.height) + 2 * MARGIN)
        drawn = [element for shape in shown.shapes for element in elements(shape)]

        assert min(text.size for text in drawn if isinstance(text, Text)) * unit >= LEGIBLE
