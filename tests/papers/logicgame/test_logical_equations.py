"""The published items of logical equations."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.logical_equations import read

from .prompts import prompts, read_prompts

# By hand, of the Chinese items.
BY_HAND = {
    80: "2 1",
    81: "5 10",
    82: "4 2 1 3",
    83: "2 1 2 1",
    84: "2 1 4 5 3",
    85: "1 5 1 4 3",
    86: "4 7 3 5 6 2 1",
    87: "2 6 3 4 5 7 1",
}


def test_items_by_hand(data: Path) -> None:
    chinese, refused = read_prompts(data, "zh", "logical_equations")

    assert {number: " ".join(made.work().answer) for number, made in chinese.items()} == BY_HAND
    assert not refused


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """But for English 35, in which numbers of relations are glued to the relations."""
    english, refused = read_prompts(data, "en", "logical_equations")
    chinese, _ = read_prompts(data, "zh", "logical_equations")
    expected = [made for number, made in chinese.items() if number != 86]

    assert list(english) == [32, 120, 33, 121, 34, 122, 123]
    assert list(english.values()) == expected
    assert refused == {35: "its relations are not numbered one by one"}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("2. C = 2B", "2. C = 2E", "names a letter that is not listed"),
        ("2. C = 2B", "2. C is 2B", "not understood: 'C is 2B'"),
        ("2. C = 2B", "2. C = 2B2", "not understood: '2B2'"),
        ("2. C = 2B", "2. C = 3B", "0 solutions fit"),
        ("2. C = 2B", "2. C = A", "2 solutions fit"),
        ("2. C = 2B", "C = 2B", "2 solutions fit"),
        ("numbers 1, 1, 2, and 2", "numbers 1, 1, and 2", "it has 4 letters and 3 numbers"),
        ("letters A, B, C, and D", "letters B, A, C, and D", "0 places fit"),
        ("There are four", "There are five", "not understood: 'There are five"),
    ],
)
def test_what_is_not_read(data: Path, old: str, new: str, reason: str) -> None:
    item = prompts(data, "en", "logical_equations")[3]
    prompt = item["contexts"][0]
    assert old in prompt

    with pytest.raises(NotRead, match=reason):
        read(prompt.replace(old, new), 1)
