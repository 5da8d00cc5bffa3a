"""The picture of a string and what is done with it."""

from __future__ import annotations

from collections.abc import Iterable

from quandary.core.boards import TEXT_WIDTH, captions, letters, stack
from quandary.core.scene import Scene


def string_picture(title: str, string: str, rules: Iterable[str]) -> Scene:
    """Return the letters in cells, and below them the rules in words."""
    return stack(
        letters(string, title=title),
        captions(*rules, size=0.5, width=TEXT_WIDTH, indent="   "),
        gap=0.5,
    )
