"""The questions that search trees raise."""

from __future__ import annotations

import pytest

from quandary.catalogue import registry
from quandary.core.contract import Question


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("unsolvable", ""),
        ("Unsolvable.", ""),
        ("The position is unsolvable.", ""),
        ("It cannot be solved, so it is unsolvable", ""),
        ("Not solvable.", ""),
        ("solvable", "wrong_label"),
        ("not only solvable", "unknown_label"),
        ("not unsolvable", "unknown_label"),
        ("solvable or unsolvable", "unknown_label"),
        ("unsolvable 7", "unknown_label"),
        ("", "unknown_label"),
    ],
)
def test_a_label_may_stand_among_words(words: str, kind: str) -> None:
    """The only one that is said counts, unless something is denied."""
    question = next(
        question
        for question in (
            registry.instance(f"check:game_of_24/easy#{seed}") for seed in range(1, 20)
        )
        if isinstance(question, Question) and question.solution() == "unsolvable"
    )

    assert kind == question.check(words).kind
