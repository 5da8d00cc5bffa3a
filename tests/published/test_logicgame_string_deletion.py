"""The published items of string deletion."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.published.logicgame.prompts import NotRead
from quandary.published.logicgame.string_deletion import read

from .logicgame_items import items, read_all

CATEGORY = "字符串删改"
# Worked out by hand, by level and family; the first string does not begin as the rule needs.
BY_HAND = [
    [],
    ["abcbcab"],
    ["acccaba", "bbccab"],
    ["acbccaac", "babccaac"],
    ["baccaba", "accaba", "bbcab"],
    ["accabac", "bbcaba", "bbcaac"],
    ["baccaba", "accaba", "bbcab", "cab"],
    ["baacbaa", "baacbba", "acbba", "bbbb", "bbb", "bb", "b"],
]


def test_all_items_are_read_alike_in_both_languages(data: Path) -> None:
    english, chinese = (read_all(data, language, CATEGORY, read) for language in ("en", "zh"))

    assert english == chinese
    assert [made.family for made in english] == ["a", "b"] * 4
    assert [list(made.work().process) for made in english] == BY_HAND
    assert english[0].work().answer == ["acccaaa"]


def test_the_process_is_asked_for_as_published(data: Path) -> None:
    for item in items(data, "en", CATEGORY):
        text = item["contexts"][0]
        assert read(text, "en").asks_process == ("'process'" in text)


def test_what_is_not_understood_is_quoted(data: Path) -> None:
    text = items(data, "en", CATEGORY)[2]["contexts"][0]

    with pytest.raises(NotRead, match="double the suffix"):
        read(text.replace('change the suffix "aa"', 'double the suffix "aa"'), "en")
    with pytest.raises(NotRead, match=r"rules \[1, 2\] are found"):
        read(text.replace("3. If", "If"), "en")
    with pytest.raises(NotRead, match="the string is not found"):
        read(text.replace("acccaaa", "xyz"), "en")
