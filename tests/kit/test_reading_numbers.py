"""Lists of numbers."""

from __future__ import annotations

import pytest

from quandary.kit.reading import read_numbers


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
