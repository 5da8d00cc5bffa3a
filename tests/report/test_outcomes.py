"""How matches ended, in words."""

from __future__ import annotations

from typing import get_args

import pytest

from quandary.core.contract import Cause, FailureCause, Ruled
from quandary.report.outcomes import cause_words, causes, outcome


@pytest.mark.parametrize(
    ("players", "scores", "cause", "is_question", "sentence"),
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
    sentence: str,
) -> None:
    assert sentence == outcome(players, scores, cause, is_question)


def test_every_cause_has_words() -> None:
    assert {*get_args(Ruled), *get_args(FailureCause), "unfinished"} == set(causes())
    assert get_args(Cause)


def test_results_are_told_in_the_language_of_a_match() -> None:
    players = ["human", "human"]
    assert outcome(players, [1.0, 0.0], "goal", language="zh") == "human（0 号座位） 以 1 : 0 获胜"
    assert outcome(["a"], [0.0], "resigned", True, "zh") == "错误（有一方放弃了）"
    assert outcome(["a"], None, "unfinished", language="zh") == "没有结果：对局没有完成"


def test_a_question_with_one_try_is_not_said_to_have_no_more() -> None:
    assert outcome(["a"], [0.0], "limit", is_question=True, answers=1) == "wrong"
    assert outcome(["a"], [0.5], "limit", is_question=True, answers=1) == "score 0.5"
    assert outcome(["a"], [0.0], "limit", is_question=True, answers=3).endswith("(no try was left)")
    assert outcome(["a"], [0.0], "limit", answers=1).endswith("(the limit of moves was reached)")
    assert cause_words("limit", is_question=True, answers=1) == "the answer was checked"
