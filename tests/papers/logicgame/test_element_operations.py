"""The published items of element operations."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.element_operations import read

from .prompts import prompts, read_prompts

# What is left, by hand.
BY_HAND = {
    44: "CD",
    136: "C/D",
    45: "BCDE/CDEF/DEFG",
    137: "GL/GP/BC",
    46: "CDFEFC/EFHGFE",
    138: "CHTG/LMSB/ETER/THNC/HAGP",
    47: "ABCCBATU/BDDDDBHH/CDFEFCJC/EFHGHGFE/BDDDDBHH",
    139: "HTGT/MSBD/TERO/HNCY/AGPO/KOWW",
}


def test_rows_and_columns_are_read_alike_in_both_languages(data: Path) -> None:
    english, _ = read_prompts(data, "en", "element_operations")
    chinese, _ = read_prompts(data, "zh", "element_operations")
    left = {
        at: "/".join("".join(row) for row in made.work().answer) for at, made in english.items()
    }

    assert left == BY_HAND
    assert list(english.values()) == list(chinese.values())


def test_diagonals_are_refused_because_their_answers_depend_on_corners(data: Path) -> None:
    """A single letter reads the same from both ends; the paper does not say whether it counts."""
    _, english = read_prompts(data, "en", "element_operations")
    _, chinese = read_prompts(data, "zh", "element_operations")

    assert (list(english), list(chinese)) == ([260, 261, 262, 263], [114, 117, 120, 123])
    assert {*english.values(), *chinese.values()} == {
        "it does not say whether a diagonal of one letter is deleted"
    }


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("delete that row", "double that row", "not understood: 'Given a character matrix"),
        ("the matrix after", "the sum after", "not understood: 'then the sum after"),
        ("A B B A", "A B B", "its rows have 4, 4, 3, 4 letters"),
        ("A B B A", "A B 8 A", "not understood: 'A B 8 A'"),
    ],
)
def test_what_is_not_understood_is_told(data: Path, old: str, new: str, reason: str) -> None:
    text = prompts(data, "en", "element_operations")[3]["contexts"][0]

    with pytest.raises(NotRead, match=reason):
        read(text.replace(old, new), 1)
