"""The published items of string insertion."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.string_insertion import read

from .prompts import prompts, read_prompts

# By hand, of the Chinese items.
BY_HAND = {
    20: "ACABCA",
    21: "ABACCBC",
    24: "ABBDDACCBADABCABCD ABBDDACCBADABCABCDB ABBDDACCBADABCABCDB ABBDDACCBADABDCABCDB",
    25: "ABBBBBCDDCDADABB ABBBBBCDDCCDADABB ABBBBBCDDCCDADABB ABBBBBCDDCCDADDABB",
    26: "ABBDDAEECCBADEABCABCD ABBDDAEECCBADEABCABCDB ABBDDAEECCBADEABCABCDB "
    "ABBDDAEECCBADEADBCABCDB ABBDDAEECCBADEADBCABCDB",
    27: "ABBBBBABCDADAEEBCCBADEABCBCDE ABBBBBABCDADAEEBCCBADEABCBCDEB "
    "ABBBBBABCDADAEEBCCBADEABCBCDEB ABBBBBABCDADAEEBCCBADDEABCBCDEB "
    "ABBBBBABCDADAEEBCCBADDEEABCBCDEB",
}


def test_items_by_hand(data: Path) -> None:
    chinese, _ = read_prompts(data, "zh", "string_insertion")

    assert {number: " ".join(made.work().process) for number, made in chinese.items()} == BY_HAND
    assert "".join(made.family for made in chinese.values()) == "ababab"


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """But for items 10, with digits in its English letters, and 91, with other sides,
    so that its fourth instruction parts what its fifth one looks for.
    """
    english, refused = read_prompts(data, "en", "string_insertion")
    chinese, refused_too = read_prompts(data, "zh", "string_insertion")
    twice = "it does not say at which of 2 places of BCA"

    assert list(refused) == [9, 89, 10] and list(refused_too.items()) == [(22, twice), (23, twice)]
    assert refused[9] == refused[89] == twice and "insert the character A2" in refused[10]
    assert [english[number] for number in (8, 88, 90, 11)] == [
        chinese[number] for number in (20, 21, 25, 26)
    ]
    assert {rule.side for rule in english[91].instructions} == {"after"}
    assert english[91].work().answer == ["ABBBBBABCDADAEEBCCBADEABDCBCDEB"]
    assert english[91].string == chinese[27].string


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1. ", "2. ", r"its instructions have the numbers \[2\]"),
        ("insert the character A", "insert the character X", "not understood: '1. If there is"),
        ("ACABC", "ACABCABC", "it does not say at which of 2 places of ABC"),
        ("one operation", "two operations", "not understood: 'Question"),
        ("after the substring", "inside the substring", "not understood: '1. If there is"),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "string_insertion")[0]["contexts"][0]

    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 0)
