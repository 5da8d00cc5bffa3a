"""The published items of string deletion."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.string_deletion import read

from .prompts import prompts, read_prompts

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
    english, refused = read_prompts(data, "en", "string_deletion")
    chinese, none = read_prompts(data, "zh", "string_deletion")
    made = list(english.values())

    assert not refused and not none and made == list(chinese.values())
    assert [one.family for one in made] == ["a", "b"] * 4
    assert [list(one.work().process) for one in made] == BY_HAND
    assert made[0].work().answer == ["acccaaa"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('change the suffix "aa"', 'double the suffix "aa"', "double the suffix"),
        ('change the suffix "aa"', 'change the suffix "ab"', 'change the suffix "ab"'),
        ('change the suffix "aa"', 'change the prefix "aa"', 'change the prefix "aa"'),
        ("If the suffix of", "If the middle of", "not understood: 'If the middle of"),
        ("3. If", "If", "not understood: 'If the prefix"),
        ("\n3. If", "\n4. If", r"rules \[1, 2, 4\] are found, and level 1 has 3 of them"),
        ("in order", "in any order", "not understood: 'Cycle through"),
        ('"acccaaa,"', '"xyz,"', "0 places fit"),
    ],
)
def test_what_is_not_understood(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "string_deletion")[2]["contexts"][0]

    assert text.count(old) == 1
    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 1)
