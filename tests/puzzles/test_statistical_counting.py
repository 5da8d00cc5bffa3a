"""Statistical counting: known strings, and what is drawn."""

from __future__ import annotations

import pytest

from quandary.catalogue import drawing
from quandary.core.errors import UserError
from quandary.puzzles.questions.execution.statistical_counting import StatisticalCounting


def worked(string: str, start: int, **points: int) -> tuple[str, str]:
    made = StatisticalCounting("b", 1, string, start, tuple(points.items()))
    (answer,), process = made.work()
    return answer, " ".join(process)


def test_the_example_of_the_specification() -> None:
    assert worked("XXYXYYYXX", 0, X=2, Y=-1) == ("3", "2 1")


@pytest.mark.parametrize(
    ("string", "points", "result"),
    [
        ("PPQPPPQQP", {"P": 1, "Q": 10}, ("12", "2 1")),  # as the rules say
        ("PPQPPPQQP", {"Q": 10, "P": 1}, ("12", "1 2")),  # in the order of the rules
        ("PPPPPP", {"P": -4}, ("-4", "1")),  # a long run counts once
        ("PQPQRRPQ", {"P": 3, "Q": 2}, ("0", "0 0")),  # R has no rule
        ("SRRPP", {"RRS": 5}, ("5", "1")),  # from the back
        ("SRRPP", {"SRR": 5}, ("0", "0")),
        ("ABABABA", {"ABA": -1}, ("-3", "3")),  # overlapping
    ],
)
def test_strings_by_hand(string: str, points: dict[str, int], result: tuple[str, str]) -> None:
    assert worked(string, 0, **points) == result


def test_other_sizes() -> None:
    made = drawing.instance(
        "statistical_counting/2,family=a,length=60,letters=9,rules=8,pattern=0#1"
    )
    patterns = drawing.instance("statistical_counting/2,family=b,rules=2,pattern=2#1")

    assert isinstance(made, StatisticalCounting) and isinstance(patterns, StatisticalCounting)
    assert (len(made.string), len(made.points), len(set(made.string))) == (60, 8, 9)
    assert [len(what) for what, _ in patterns.points] == [2, 2]
    with pytest.raises(UserError, match="made no instance"):
        drawing.instance("statistical_counting/2,length=7,rules=4#1")
