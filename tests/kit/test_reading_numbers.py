"""Numbers in words."""

from __future__ import annotations

import pytest

from quandary.core.errors import Unreadable
from quandary.kit.reading import read_number, read_numbers


@pytest.mark.parametrize(
    ("said", "number"),
    [("7", "7"), (" 07 ", "7"), ("I play 7.", "7"), ("Operation: [7]", "7"), ("3 + 4, so [7]", "7"),
     ("7 stones, yes 7!", "7"), ("-7", "-7"), ("bag 2.", "2"), ("`7`", "7")],
)  # fmt: skip
def test_one_number_is_read(said: str, number: str) -> None:
    """Whatever stands around it; below zero too, for the rules to refuse."""
    assert number == read_number(said, "how")


@pytest.mark.parametrize(
    "said",
    [
        "",
        "seven",
        "3 or 4",
        "[3] or rather [7]",
        "2.5",
        ".5",
        "1,000",
        "[-2, 1]",
        "9" * 10,
        "٧",
        "[" * 5000,
    ],
)
def test_no_number_or_several_are_refused(said: str) -> None:
    """With the sentence that says how to write it."""
    with pytest.raises(Unreadable, match="how"):
        read_number(said, "how")


@pytest.mark.parametrize(
    "said",
    ["[3, 1, 5]", "3, 1, 5", "3 1 5", "3 -> 1 -> 5", "3→1→5", "Operation: [3, 1, 5]", "`[3,1,5]`.",
     "list[int] = [3, 1, 5]"],
)  # fmt: skip
def test_a_list_of_numbers_is_read(said: str) -> None:
    assert [3, 1, 5] == read_numbers(said)


def test_a_list_may_be_empty_but_not_missing() -> None:
    assert [] == read_numbers("[]")
    assert all(read_numbers(said) is None for said in ("", "none", "[1, two]", "[-1]", "[1", "1.5"))
