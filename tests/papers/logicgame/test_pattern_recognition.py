"""The published items of pattern recognition."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.pattern_recognition import read

from .prompts import prompts, read_prompts

# By hand.  The grid of item 50 also holds a square of which only the edge is of one letter.
BY_HAND = {48: "22", 140: "21", 49: "33", 141: "21", 50: "22", 142: "32", 51: "62", 143: "63"}


def test_all_items_are_read_alike_in_both_languages(data: Path) -> None:
    english, refused = read_prompts(data, "en", "pattern_recognition")
    chinese, refused_too = read_prompts(data, "zh", "pattern_recognition")

    assert not refused and not refused_too
    assert list(english.values()) == list(chinese.values())
    assert {at: "".join(made.work().answer) for at, made in english.items()} == BY_HAND
    assert all(made.work().process == made.work().answer for made in english.values())


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("the same character", "any characters", "not understood: 'Given a character matrix"),
        ("bottom-right vertex", "top-right vertex", "not understood: 'please provide the row"),
        ("O A A", "O A B", "its grid has 0 squares"),
        ("O X O \nX A A", "A A O\nA A A", "its grid has 2 squares"),
        ("O X O", "O X", "its rows have 2, 3, 3 letters"),
        ("O X O \n", "", "its grid has 2 rows"),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "pattern_recognition")[2]["contexts"][0]

    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 1)
