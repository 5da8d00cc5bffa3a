"""The published items of string splitting."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.string_splitting import read

from .prompts import prompts, read_prompts

# By hand, of the English items.
BY_HAND = {
    108: "124G 9S 890",
    112: "GAC BDEEEFGHHIIJ",
    109: "013H 8Q789QSHJAO27D31",
    113: "HAB BB CBCDDAB ABDEEEFGHHIIJ",
    110: "013 H 8 Q 789 QSHJAO 27 D 31",
    114: "HA B B BCC DDA BAC BDEEEFGHIIJ",
    111: "01 3 H 8 Q 781 9 QS 2 HJAO 27 D 31",
    115: "HA B B BCC DDA BAC BDEEEFGHHIIJ LL",
}


def test_items_by_hand(data: Path) -> None:
    """A reference to item 111 that was once public had lost one of these characters."""
    english, refused = read_prompts(data, "en", "string_splitting")

    assert not refused
    assert {number: " ".join(made.work().answer) for number, made in english.items()} == BY_HAND
    assert all(made.work().process == made.work().answer for made in english.values())


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """But for item 114, whose English string has lost a letter."""
    english, _ = read_prompts(data, "en", "string_splitting")
    chinese, refused = read_prompts(data, "zh", "string_splitting")
    pairs = list(zip(english.values(), chinese.values(), strict=True))
    different = [(one.string, other.string) for one, other in pairs if one != other]

    assert not refused
    assert different == [("HABBBCCDDABACBDEEEFGHIIJ", "HABBBCCDDABACBDEEEFGHHIIJ")]
    assert all(one.cuts == other.cuts and one.family == other.family for one, other in pairs)
    assert "".join(one.family for one, _ in pairs) == "abababab"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1. ", "2. ", r"its rules have the numbers \[2\]"),
        ("adjacent to a letter", "next to a letter", "not understood: '1. If a number"),
        ("gradually", "quickly", "not understood: 'Divide the string quickly"),
        ("124G9S890", "124g9s890", "not understood: 'Provide string: 124g9s890"),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "string_splitting")[0]["contexts"][0]

    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 0)
