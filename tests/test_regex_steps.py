"""The steps of regular expressions are counted as they grow."""

from __future__ import annotations

import re

import pytest

from regex_steps import Matcher, steps_of, written_down


def _growth(pattern: str, piece: str) -> float:
    """How many times the steps four times a text takes."""
    found = re.compile(pattern)
    short, long = (
        steps_of(found, "finditer", text, 0, len(text)) for text in (piece * 400, piece * 1_600)
    )
    return long / short


@pytest.mark.parametrize(
    ("pattern", "piece"),
    [
        ("b", "a"),
        ("a+", "a"),
        (r"\bab?(?!c)", "ab "),
        (r"(?:[^{]|\\.)*+x", "a{"),
        ("a{1,50}b", "a"),
    ],
)
def test_linear_patterns_take_four_times_the_steps(pattern: str, piece: str) -> None:
    assert 3.5 < _growth(pattern, piece) < 5


@pytest.mark.parametrize(
    ("pattern", "piece"),
    [(r"\s+x", " "), ("a*b", "a"), (r"<.*>", "<a"), ("(?:ab)+c", "ab"), (r"\d+?x", "1")],
)
def test_quadratic_patterns_take_sixteen_times_the_steps(pattern: str, piece: str) -> None:
    assert 12 < _growth(pattern, piece) < 18


def test_two_characters_more_take_four_times_the_steps_of_nested_repeats() -> None:
    nested = Matcher(re.compile("(a+)+b"))
    counts = [nested.steps("a" * size, 0, size) for size in (8, 10, 12)]

    assert 3.5 < counts[1] / counts[0] < 4.5 and 3.5 < counts[2] / counts[1] < 4.5


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(a|ab)(c|bcd)(d*)", "abcd"), (r"(?i)(x)?(?(1)y|z)+", "XyY"), (r"(.+)\1", "abab"),
        (r"(?<=a)b(?!c)", "abab"), (r"(?>a*)a|b", "aaab"), (r"^(?:\w+?\s?){2,3}$", "ab cd ef"),
        (r"(?s)<(.)*?>", "<a\n><b>"), (r"(?:a|b|)*c", "abac"), (r"(?m)^b$", "a\nb\nc"),
    ],
)  # fmt: skip
def test_matches_are_those_of_re(pattern: str, text: str) -> None:
    """It is asserted at each start, for part of the text and for all of it."""
    known = Matcher(re.compile(pattern))
    for start in range(len(text) + 1):
        assert known.steps(text, start, len(text)) > 0
        assert known.steps(text, start, len(text), full=True) > 0


def test_another_match_than_that_of_re_is_an_error() -> None:
    known = Matcher(re.compile("a"))
    known.whole = Matcher(re.compile("b")).whole
    with pytest.raises(AssertionError):
        known.steps("a", 0, 1)


def test_uses_are_written_down() -> None:
    """Also of patterns that are compiled meanwhile, and with the part of a text they look at."""
    with written_down() as uses:
        assert ["1", "2"] == re.findall(r"\d", "1 2")
        assert re.compile("b").search("abc", 1, 2)
        assert "x-x" == re.sub("[12]", "x", "1-2")

    assert [("findall", 0, 3), ("search", 1, 2), ("sub", 0, 3)] == [
        (use.method, use.start, use.end) for use in uses
    ]
