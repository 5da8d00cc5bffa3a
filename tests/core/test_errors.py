"""What an unreadable reply says in English before it is shown to anybody."""

from __future__ import annotations

from quandary.core.errors import Unreadable


def test_an_unreadable_reply_says_its_phrase_in_english() -> None:
    error = Unreadable("{word} fits {n} {n:row|rows}", word="{x}", n=2)

    assert str(error) == "{x} fits 2 rows"


def test_a_text_without_values_is_shown_as_it_stands() -> None:
    assert str(Unreadable("'{a} }' is 100% wrong")) == "'{a} }' is 100% wrong"
    assert str(Unreadable()) == ""
