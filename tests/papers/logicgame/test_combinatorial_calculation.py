"""The published items of combinatorial calculation."""

from __future__ import annotations

from pathlib import Path

import pytest

from quandary.papers.logicgame.prompts import NotRead
from quandary.papers.logicgame.readers.combinatorial_calculation import read

from .prompts import prompts, read_prompts

# By hand, of the Chinese items: numbers, target, and a right answer.
BY_HAND = {
    88: ((1, 4), 5, "1 + 4"),
    89: ((3, 4), 12, "3 * 4"),
    90: ((12, 4, 5), 13, "12 - 4 + 5"),
    92: ((12, 4, 4), 32, "( 12 - 4 ) * 4"),
    94: ((5, 1, 4, 2, 3), 78, "( ( 5 + 1 ) * 4 + 2 ) * 3"),
    95: ((2, 2, 5, 12), 2, "2 * ( 2 + 5 ) - 12"),
}


def test_items_by_hand(data: Path) -> None:
    chinese, refused = read_prompts(data, "zh", "combinatorial_calculation")

    assert {
        number: (made.numbers, made.target, " ".join(made.work().answer))
        for number, made in chinese.items()
    } == BY_HAND
    assert refused == {
        91: "no expression reaches the target",
        93: "it announces 四 numbers and gives 3",
    }


def test_items_are_read_alike_in_both_languages(data: Path) -> None:
    """But for English 127, which asks to round up."""
    english, refused = read_prompts(data, "en", "combinatorial_calculation")
    chinese, _ = read_prompts(data, "zh", "combinatorial_calculation")

    assert list(english) == [36, 124, 37, 38, 39] and list(refused) == [125, 126, 127]
    assert list(english.values()) == list(chinese.values())[:-1]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Input: 12, 4, 5", "Input: 12, 4", "it announces three numbers and gives 2"),
        ("Input: 12, 4, 5", "Input: 12, 4, 16", "not all numbers are from 1 to 15"),
        ("Input: 12, 4, 5", "Input: 12; 4; 5", "0 places fit"),
        ("should be 13", "should be 1300", "no expression reaches the target"),
        ("should be 13", "should be about 13", "0 places fit"),
        ("multiplication, division, and", "multiplication, and", "not understood: 'Here are"),
        ("cannot change", "can change", "not understood: 'Here are"),
        ("exactly once", "at most once", "not understood: 'Here are"),
    ],
)
def test_what_is_not_read(data: Path, old: str, new: str, reason: str) -> None:
    item = prompts(data, "en", "combinatorial_calculation")[2]
    prompt = item["contexts"][0]
    assert old in prompt

    with pytest.raises(NotRead, match=reason):
        read(prompt.replace(old, new), 1)
