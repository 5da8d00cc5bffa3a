"""The published items of string rearrangement."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.string_rearrangement import read

from .prompts import prompts, read_prompts

# By hand, of the Chinese items.
BY_HAND = {
    44: "4202",
    45: "3",
    46: "4202 -2101.4201",
    47: "2 -3.8",
    48: "4202 -2101.4201 9305/6278 43%",
    49: "2 -3.8 4/8 4%",
    50: "4202 -2101.4201 9305/6278 43% -654.7+2i",
    51: "2 -3.8 4/8 4% -6.7+7i",
}


def test_items_by_hand(data: Path) -> None:
    chinese, refused = read_prompts(data, "zh", "string_rearrangement")

    assert not refused
    assert {number: " ".join(made.work().answer) for number, made in chinese.items()} == BY_HAND
    assert all(made.work().process == made.work().answer for made in chinese.values())
    assert "".join(made.family for made in chinese.values()) == "abababab"


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """But for item 20, of which only the question is left in English."""
    english, refused = read_prompts(data, "en", "string_rearrangement")
    chinese, _ = read_prompts(data, "zh", "string_rearrangement")

    assert refused == {20: "its rules are missing"}
    assert list(english.values()) == [made for number, made in chinese.items() if number != 44]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1. ", "2. ", "not understood: '2. An integer reversal"),
        ("swap all", "drop all", "not understood: '1. An integer reversal is to drop"),
        ("-1012.1024", "-1012/1024", "it has 2 rules, not those of its numbers"),
        ("\nThe current", "\n3. Zeros are dropped.\nThe current", "not understood: '3. Zeros"),
        ("reverse operation", "mirror operation", "0 places fit '.*Define"),
        ("are 2024", "are MMXXIV", "0 places fit '.*The "),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "string_rearrangement")[2]["contexts"][0]

    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 1)
