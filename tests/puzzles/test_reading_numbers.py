"""Lists of numbers."""

from __future__ import annotations

import pytest

from quandary.puzzles._shared.reading import read_numbers


@pytest.mark.parametrize(
    "said",
    ["[3, 1, 5]", "3, 1, 5", "3 1 5", "3 -> 1 -> 5", "3→1→5", "Operation: [3, 1, 5]", "`[3,1,5]`.",
     "list[int] = [3, 1, 5]"],
)  # fmt: skip
def test_a_list_of_numbers_is_read(said: str) -> None:
    assert [3, 1, 5] == read_numbers(said)


@pytest.mark.parametrize(
    "said",
    ["［３，１，５］", "【3，1，5】", "3、1、5。", "３ １ ５", "3，1，5", "3→1→5。",
     "答案是[3, 1, 5]。", "答案：3、1、5", "最终答案为：3，1，5", "“3、1、5”"],
)  # fmt: skip
def test_a_list_is_read_in_the_chinese_manner(said: str) -> None:
    """In full width, with Chinese commas and brackets, and after the word for answer."""
    assert [3, 1, 5] == read_numbers(said)


@pytest.mark.parametrize("said", ["3、、1", "【3、1", "不是 3、1", "3、1 等", "三、一"])
def test_chinese_words_are_not_guessed_at(said: str) -> None:
    assert read_numbers(said) is None


def test_a_list_may_be_empty_but_not_missing() -> None:
    assert [] == read_numbers("[]")
    assert all(read_numbers(said) is None for said in ("", "none", "[1, two]", "[-1]", "[1", "1.5"))
