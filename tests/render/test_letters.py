"""The letters of pictures are in the fonts that come along."""

from __future__ import annotations

from functools import cache

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.scene import Label, Line, Scene
from quandary.puzzles.questions.execution.new_operator import SYMBOLS
from quandary.render.png import png
from quandary.render.svg import picture

SEEDS = range(5)
UNKNOWN = "\u0b90"  # a letter that no picture has


@cache
def _drawn(letter: str, mono: bool) -> bytes:
    return png(Scene(1, 1, (Label(0.5, 0.5, letter, size=0.7, mono=mono),)), longest=32)


def _missing(letters: set[str]) -> list[str]:
    """The letters that look like an unknown one."""
    return sorted(
        letter
        for letter in letters
        if any(_drawn(letter, mono) == _drawn(UNKNOWN, mono) for mono in (False, True))
    )


@pytest.mark.parametrize("name", registry.names())
def test_english_pictures_need_no_other_font(name: str) -> None:
    """All their letters are drawn on every machine."""
    letters = set[str]()
    for level in registry.load(name).levels:
        for seed in SEEDS:
            scene = picture(drawing.game(f"{name}/{level}#{seed}"), 0)
            for shape in scene.shapes:
                if not isinstance(shape, Line):
                    letters |= {*shape.text}

    assert _missing(letters) == []


def test_new_operators_look_different() -> None:
    """None of their symbols is missing, so no two are the same."""
    assert _missing({*SYMBOLS}) == []
    assert len({_drawn(symbol, mono=False) for symbol in SYMBOLS}) == len(SYMBOLS)
