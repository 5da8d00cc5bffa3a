"""How matches ended, in words."""

from __future__ import annotations

from typing import get_args

import pytest

from quandary.core.contract import Cause, FailureCause, Ruled
from quandary.report.outcomes import CAUSES, OF_QUESTIONS, cause_words, outcome


@pytest.mark.parametrize(
    ("players", "scores", "cause", "is_question", "said"),
    [
        (("a",), (1.0,), "goal", True, "solved"),
        (("a",), (0.0,), "goal", True, "wrong"),
        (("a",), (0.0,), "limit", True, "wrong (no try was left)"),
        (("a",), (0.0,), "dead_end", False, "not solved (a dead end was reached)"),
        (("a",), (0.4321,), "goal", True, "score 0.432"),
        (("a", "b"), (1.0, 0.0), "goal", False, "a won 1 : 0"),
        (("a", "b"), (0.0, 1.0), "illegal", False, "b won 1 : 0 (a move broke the rules)"),
        (("a", "a"), (0.0, 1.0), "goal", False, "a (seat 1) won 1 : 0"),
        (("a", "b"), (0.5, 0.5), "goal", False, "a tie, 0.5 : 0.5"),
        (("a",), (None,), "infrastructure", True, "no result: no reply came"),
        (("a",), None, "unfinished", True, "no result: it was not finished"),
        (("a",), None, "goal", True, "no key"),
    ],
)
def test_outcomes(
    players: tuple[str, ...],
    scores: tuple[float | None, ...] | None,
    cause: str,
    is_question: bool,
    said: str,
) -> None:
    assert said == outcome(players, scores, cause, is_question)


def test_outcomes_in_chinese() -> None:
    """Every cause has words of its own there, also those of questions."""
    assert "b 以 1 : 0 获胜（走法违规）" == outcome(("a", "b"), (0.0, 1.0), "illegal", False, "zh")
    assert "没有结果：没有收到回复" == outcome(("a",), None, "infrastructure", True, "zh")
    words = [cause_words(cause, False, "zh") for cause in CAUSES]
    words += [cause_words(cause, True, "zh") for cause in OF_QUESTIONS]
    assert len(words) == len(set(words)) and not any(word.isascii() for word in words)


def test_every_cause_has_words() -> None:
    assert {*get_args(Ruled), *get_args(FailureCause), "unfinished"} == set(CAUSES)
    assert get_args(Cause)
