"""What an unreadable reply says in English before it is shown to anybody."""

from __future__ import annotations

import pytest

from quandary.core.errors import MOST_NAMED, Unreadable, choices, unknown


def test_an_unreadable_reply_says_its_phrase_in_english() -> None:
    error = Unreadable("{word} fits {n} {n:row|rows}", word="{x}", n=2)

    assert str(error) == "{x} fits 2 rows"


def test_a_text_without_values_is_shown_as_it_stands() -> None:
    assert str(Unreadable("'{a} }' is 100% wrong")) == "'{a} }' is 100% wrong"
    assert str(Unreadable()) == ""


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["easy"], "unknown level '9' of nim; choose easy."),
        (["easy", "hard"], "unknown level '9' of nim; choose easy or hard."),
        (["easy", "normal", "hard"], "unknown level '9' of nim; choose easy, normal or hard."),
        (["10", "hard"], "unknown level '9' of nim; choose 10 or hard."),
        (["9a", "hard"], "unknown level '9' of nim; did you mean '9a'?"),
    ],
)
def test_an_unknown_name_comes_with_what_can_be_chosen(names: list[str], sentence: str) -> None:
    assert str(unknown("level", "9", names, of="nim")) == sentence


def test_a_long_list_of_names_is_cut_between_names() -> None:
    names = [f"name{number}" for number in range(MOST_NAMED + 3)]

    assert choices(names).endswith(f", {names[MOST_NAMED - 1]} or one of 3 others")
    assert choices(names[:MOST_NAMED]).endswith(f" or {names[MOST_NAMED - 1]}")
