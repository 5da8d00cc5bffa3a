"""The published items of string processing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quandary.published.logicgame.prompts import NotRead
from quandary.published.logicgame.string_processing import read

from .logicgame_prompts import prompts, read_prompts

# Worked out by hand, by level and family.
BY_HAND = [
    ["ogood"],
    ["ga"],
    ["leogoodis", "ogood", "ogoodhaha", "ogoooodhaha"],
    ["dfmebgaod", "dfod", "gagadfod", "gagauudfod"],
]
BASE = "it does not say whether places are counted from 0 or from 1"
DIRECTION = "characters from the end: it does not say in which direction they are taken"


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """From level 2 on something is found, and the English level 3 of family b is unclear."""
    english, refused = read_prompts(data, "en", "string_processing")
    chinese, as_well = read_prompts(data, "zh", "string_processing")
    made = list(english.values())

    assert made == list(chinese.values()) and [one.family for one in made] == ["a", "b"] * 2
    assert [list(one.work().process) for one in made] == BY_HAND
    assert list(refused.values()) == [BASE, BASE, BASE, DIRECTION]
    assert list(as_well.values()) == [BASE] * 4


@pytest.mark.parametrize(
    ("number", "document"),
    [(4, "ogoooodhaha"), (5, "gagauuisa"), (6, "ogodooohaha"), (7, "gagauufdrahjt")],
)
def test_where_nothing_is_found(data: Path, number: int, document: str) -> None:
    """It does not matter how places are counted; what the commands leave is worked out by hand."""
    languages = ("en", "zh")[number == 7 :]
    texts = [prompts(data, one, "string_processing")[number]["contexts"][0] for one in languages]
    made = [read(re.sub(r"(?<=[ {])4 [a-z]+(?=[,}])", "4 zz", text), 2) for text in texts]

    assert made[0] == made[-1] and made[0].family == "ab"[number % 2]
    assert made[0].work().answer == [document] and "-1" in made[0].work().process


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
