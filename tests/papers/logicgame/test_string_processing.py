"""The published items of string processing."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.string_processing import read

from .prompts import prompts, read_prompts

# Worked out by hand, by level and family.
BY_HAND = [
    "ogood",
    "ga",
    "leogoodis ogood ogoodhaha ogoooodhaha",
    "dfmebgaod dfod gagadfod gagauudfod",
    "leogoodis ogood ogoodhaha -1 ogoooodhaha 3",
    "isgancoa isa gagaisa 1 gagauuisa 5",
    "leogoodis ogood ogoodhaha -1 ogoooodhaha 3 ogodooohaha 4",
    "areabdfhjt ardfhjt gagaardfhjt 8 gagauuardfhjt 6 gagauufdrahjt 7",
]
DIRECTION = "characters from the end: it does not say in which direction they are taken"


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """Only the English level 3 of family b is unclear."""
    english, refused = read_prompts(data, "en", "string_processing")
    chinese, as_well = read_prompts(data, "zh", "string_processing")
    made = list(chinese.values())

    assert [*english.values()] == made[:-1] and [one.family for one in made] == ["a", "b"] * 4
    assert [" ".join(one.work().process) for one in made] == BY_HAND
    assert refused == {107: DIRECTION} and not as_well


def test_the_answer_is_the_document_and_not_what_is_found(data: Path) -> None:
    chinese, _ = read_prompts(data, "zh", "string_processing")

    assert [chinese[number].work().answer for number in range(56, 60)] == [
        ["ogoooodhaha"],
        ["gagauuisa"],
        ["ogodooohaha"],
        ["gagauufdrahjt"],
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Append the string", "Add the string", "not understood"),
        ("2 a b: Slice", "3 a b: Slice", "its operations are"),
        ("before the a-th", "after the a-th", "not understood"),
        ("3 5 oo}", "3 5}", "not understood: '3 5'"),
        ("{1 is,", "{6 is,", "not understood: '6 is'"),
        ("2 3 5,", "2 6 5,", "does not fit 'leogoodis'"),
        ("Given the string", "Given the text", "0 places fit"),
    ],
)
def test_what_is_not_understood(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "string_processing")[2]["contexts"][0]

    assert text.count(old) == 1
    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 1)
