"""Prompts with pictures say what the colours in them mean."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing, registry
from quandary.conformance.case import as_game, walk
from quandary.core.scene import COLOURS, Box, Disc, Line, meaningful_colours
from quandary.matches.player import Turn
from quandary.models.provider import Picture
from quandary.players.prompts.messages import opening, question
from quandary.players.prompts.settings import PromptSettings
from quandary.players.prompts.wording import COLOUR_WORDS
from quandary.puzzles.duels.sudokill import Sudokill
from quandary.render.svg import picture

CASES = [
    pytest.param(name, level, id=f"{name}/{level}", marks=() if number == 0 else pytest.mark.heavy)
    for name in registry.names()
    for number, level in enumerate(registry.load(name).levels)
]  # pictures take long to draw, so `make test` draws those of the first level
PLIES = (0, 5)


def _asked(turn: Turn, language: str = "en") -> str:
    """The text that comes with the picture of a turn."""
    settings = PromptSettings(modality="image", language=language)
    message = question(turn, settings, "luck")

    assert any(isinstance(part, Picture) for part in message.parts)
    return "\n".join(part for part in message.parts if isinstance(part, str))


@pytest.mark.parametrize(("name", "level"), CASES)
def test_every_colour_of_a_picture_is_explained(name: str, level: str) -> None:
    """For every puzzle, at the start and some moves later, in every language."""
    start = as_game(drawing.instance(f"{name}/{level}#1"))
    for ply, position in enumerate(walk(start, "test")):
        if ply > PLIES[-1]:
            break
        if ply not in PLIES:
            continue
        for seat in range(position.seats):
            seen = position.seen_by(seat)
            drawn = picture(position, seat)
            fills = {shape.fill for shape in drawn.shapes if isinstance(shape, Box | Disc)}
            lines = {shape.colour for shape in drawn.shapes if isinstance(shape, Line)}
            for language in seen.languages:
                sign = {"en": ": ", "zh": "："}[language]
                told = _asked(Turn(seat, seen, None), language)
                for colour in (fills - {"paper"}) | (lines - {"ink", "line", "quiet"}):
                    assert f"- {COLOUR_WORDS[language][colour]}{sign}" in told


def test_the_cell_that_was_filled_last_is_explained() -> None:
    """In sudokill it decides where one may play, and the picture shows it by its colour alone."""
    start = Sudokill("1..." + "." * 12)
    after = start.play(0, "0 1 2")

    assert "yellow" not in _asked(Turn(0, start, None))
    assert "- yellow: the cell that was filled last" in _asked(Turn(1, after, None))
    assert "- 黄色：最后填入的格子" in _asked(Turn(1, after, None), "zh")


def test_every_colour_has_a_word_in_every_language() -> None:
    """And no two colours have the same one."""
    for words in COLOUR_WORDS.values():
        assert tuple(words) == COLOURS
        assert len(set(words.values())) == len(COLOURS)


def test_prompts_without_pictures_have_no_legend() -> None:
    """Text says everything in words."""
    position = Sudokill("1..." + "." * 12).play(0, "0 1 2")
    messages = opening(Turn(1, position, None), PromptSettings(), [], "luck")

    assert not any("colours" in str(part) for message in messages for part in message.parts)


@pytest.mark.parametrize("dimension", [9, 10])
def test_probed_places_can_be_read_off_the_picture(dimension: int) -> None:
    """Every place has a cell of its own, grey where a probe found nothing."""
    spec = f"exclusivity_probes/normal,dimension={dimension}..{dimension}#1"
    position = drawing.game(spec)
    probed = ["0" * dimension, "01" * (dimension // 2) + "1" * (dimension % 2), "1" * dimension]
    for place in probed:
        position = position.play(0, place)
    drawn = picture(position, 0)
    cells = [shape for shape in drawn.shapes if isinstance(shape, Box)]

    assert len(cells) == 2**dimension
    marked = {place for place, cell in enumerate(cells) if cell.fill != "paper"}
    assert marked == {int(place, 2) for place in probed}


def test_probed_places_of_larger_spaces_are_listed_beside_the_picture() -> None:
    """There are too many places to draw them one by one."""
    position = drawing.game("exclusivity_probes/hard,dimension=11..11#1")
    for place in ("00000000000", "00000000001", "10000000001"):
        position = position.play(0, place)

    assert "00000000000-00000000001 10000000001" in _asked(Turn(0, position.seen_by(0), None))


def test_meaningful_colours_leave_out_what_means_nothing() -> None:
    """Paper, and plain letters and lines, tell nothing apart."""
    scene = picture(drawing.game("superply/easy#1"), 0)

    assert set(meaningful_colours(scene)) == {"blue", "red"}
