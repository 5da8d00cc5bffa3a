"""The published items of synthesis and decomposition."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.synthesis_and_decomposition import read

from .prompts import prompts, read_prompts

NAME = "synthesis_and_decomposition"
# Worked out by hand: by the level and family of an item, the answer and the number of steps.
BY_HAND = {
    "0a": ("0 0 5", 4),
    "0b": ("0 0 5", 3),
    "0c": ("0 0 1 1 2", 3),
    "0d": ("0 0 9 3", 6),
    "1a": ("0 1 0 3", 4),
    "1b": ("0 1 0 6", 4),
    "1c": ("0 0 8 6", 8),
    "2a": ("1 0 4 0 2", 4),
    "2b": ("0 0 0 9 5", 7),
    "2c": ("2 0 0 1 5", 8),
    "3a": ("1 0 1 4 1 3", 6),
    "3b": ("0 1 0 4 0 5", 12),
    "3c": ("0 0 1 3 15 8", 10),
}
# These ask for a list that lacks goods: levels 1 to 3 of the kitchen.
SHORT = [
    f"it asks for the numbers of ABXY, and has {names}" for names in ("ABCXY", "ABCXY", "ABCDEXYZ")
]


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """One English item asks for a good that does not exist; one Chinese list lacks a good."""
    english, refused = read_prompts(data, "en", NAME)
    chinese, as_well = read_prompts(data, "zh", NAME)
    one, other = (
        {f"{made.level}{made.family}": made for made in read.values()}
        for read in (english, chinese)
    )

    assert refused.pop(213) == "it asks for the numbers of ABCXY, and has ABXY"
    assert as_well.pop(300) == "it asks for the numbers of ABCXY, and has ABCDXY"
    assert list(refused.values()) == list(as_well.values()) == SHORT
    assert {**other, **one} == {**one, **other}
    assert set(one) == set(BY_HAND) - {"1c"} and set(other) == set(BY_HAND) - {"3a"}
    for name, made in (one | other).items():
        work = made.work()
        assert (" ".join(work.answer), len(work.process)) == BY_HAND[name]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Two units of crop C and", "Some units of crop C and", "not understood: 'Method 3: Some"),
        ("Method 3: Two", "Method 5: Two", r"its methods have the numbers \[1, 2, 5, 4\]"),
        ("After Method 4", "After Method 3", r"its methods have the numbers \[1, 2, 3, 4\]"),
        (
            "Two units of crop A",
            "Two units of crop E",
            "it starts with ABC, and its methods name E",
        ),
        ("order of crop A, B, C", "order of crop B, A, C", "it asks for the numbers of BACXY"),
        ("corresponding to A, B, C, X, Y", "corresponding to A, X, Y", "the numbers of AXY, and"),
        ("in the given order,", "in any order,", "not understood: 'these methods in any"),
        ("initial farmland contains 5", "farmland contains 5", "0 places say what there is"),
        ("2 units of crop B, and 5", "2 units of crop A, and 5", "A comes twice"),
        ("Xiao Li is a farm owner", "An ingredient is a farm owner", "not understood: 'An ingr"),
    ],
)
def test_what_is_not_understood(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", NAME)[8]["contexts"][0]

    assert text.count(old) == 1
    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 2)
