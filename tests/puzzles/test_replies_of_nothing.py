"""A reply that is no text at all, as published replies hold it (null), is an answer of nothing to
every TextGames checker.
"""

from __future__ import annotations

import pytest

from quandary.arena.suite import members
from quandary.catalogue import drawing, registry
from quandary.core.contract import Question


@pytest.mark.parametrize("name", sorted(members("textgames")))
def test_nothing_is_judged_as_an_empty_answer(name: str) -> None:
    """It is wrong, with a sentence, and nothing raises."""
    for level in registry.load(name).levels:
        question = drawing.instance(f"{name}/{level}#1")
        assert isinstance(question, Question)
        verdict = question.check(None)  # type: ignore[arg-type]

        assert 0.0 == verdict.score
        assert verdict.feedback
        assert question.check("") == verdict
