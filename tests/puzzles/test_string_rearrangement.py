"""String rearrangement: known numbers, how they are written, and what is drawn."""

from __future__ import annotations

import re
from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.string_rearrangement import StringRearrangement
from quandary.puzzles.questions.execution.string_rearrangement.solver import FORMATS, format_of

FAMILIES = [(family, level) for family in "ab" for level in range(4)]
WRITTEN = {
    "integer": r"-?[1-9]\d+",
    "decimal": r"-?[1-9]\d*\.\d+",
    "fraction": r"-?[1-9]\d*/[1-9]\d*",
    "percentage": r"-?[1-9]\d*%",
    "complex": r"-?[1-9]\d*(\.\d+)?[-+][1-9]\d*(\.\d+)?i",
}


def drawn(family: str, level: int, seeds: int) -> list[StringRearrangement]:
    return [
        instance(f"string_rearrangement/{level},family={family}#{seed}") for seed in range(seeds)
    ]


def changed(family: str, *numbers: str, without: str = "") -> list[str]:
    answer, process = StringRearrangement(family, 3, 5, numbers).work(without)
    assert answer == process
    return list(answer)


def test_the_worked_example() -> None:
    assert changed("a", "307", "-12.45") == ["703", "-21.54"]


@pytest.mark.parametrize(
    ("number", "other_way", "total"),
    [
        ("-120", "-021", "-3"),
        ("10.050", "01.050", "1.5"),
        ("100.99", "001.99", "1.18"),
        ("-12/240", "-21/042", "-3/6"),
        ("305%", "503%", "8%"),
        ("12+34i", "21-43i", "3-7i"),
        ("-12.5-34i", "-21.5+43i", "-3.5+7i"),
        ("-12-30.10i", "-21+03.01i", "-3+3.1i"),
    ],
)
def test_numbers_of_all_formats(number: str, other_way: str, total: str) -> None:
    assert changed("a", number) == [other_way]
    assert changed("b", number) == [total]


def test_rules_that_are_taken_away() -> None:
    numbers = ("12", "1.23", "12/34", "12%", "12-34i")

    for way, number in zip(FORMATS, numbers, strict=True):
        left = changed("a", *numbers, without=way)
        assert [one for one in left if one in numbers] == [number]


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_every_format_of_a_level_is_there_once(family: str, level: int) -> None:
    for made in drawn(family, level, 20):
        known = FORMATS[: (1, 2, 4, 5)[level]]

        assert made.formats == len(known)
        assert sorted(map(format_of, made.numbers)) == sorted(known)
        assert all(re.fullmatch(WRITTEN[format_of(one)], one) for one in made.numbers)
        assert all(one != new for one, new in zip(made.numbers, made.work().answer, strict=True))


@pytest.mark.parametrize("level", range(4))
def test_reversing_twice_gives_the_same_numbers(level: int) -> None:
    for made in drawn("a", level, 10):
        again = StringRearrangement("a", level, made.formats, tuple(made.work().answer))

        assert again.work().answer == list(made.numbers)


def test_more_numbers_than_formats() -> None:
    made = instance("string_rearrangement/1,family=a,numbers=7#1")

    assert len(made.numbers) == 7 and set(map(format_of, made.numbers)) == set(FORMATS[:2])
    assert "a list with one string" in instance("string_rearrangement/0#1").rules()
    assert "a list with one string" not in instance("string_rearrangement/0,numbers=2#1").rules()
    with pytest.raises(ValueError, match="tries with formats=2, numbers=1"):
        StringRearrangement.new(Random(1), level=1, numbers=1)


def test_numbers_in_another_order_are_the_same_task() -> None:
    one = StringRearrangement("a", 1, 2, ("12", "3.45"))

    assert one.canonical() == StringRearrangement("a", 1, 2, ("3.45", "12")).canonical()
    assert one.canonical() != StringRearrangement("b", 1, 2, ("12", "3.45")).canonical()


@pytest.mark.parametrize(
    ("family", "english", "chinese"),
    [
        (
            "a",
            "Write the digits of the given integer in reverse order.",
            "把给出的整数的各位数字倒过来写。",
        ),
        (
            "b",
            "Replace the given integer by the sum of its digits.",
            "把给出的整数改写为各位数字之和。",
        ),
    ],
)
def test_one_integer_needs_no_list_of_rules(family: str, english: str, chinese: str) -> None:
    one = StringRearrangement(family, 0, 1, ("123",))
    two = StringRearrangement(family, 0, 1, ("123", "45"))

    assert one.rules().startswith(english) and one.rules("zh").startswith(chinese)
    assert "\n1. An integer: " in two.rules() and "\n1. " not in one.rules()


@pytest.mark.parametrize(
    ("family", "example"), [("a", "7.05 becomes 7.50"), ("b", "1.55 becomes 1.10")]
)
def test_zeros_of_decimals_are_told_where_there_are_some(family: str, example: str) -> None:
    number, _, other = example.split()

    assert changed(family, number) == [other]
    for level in range(4):
        assert (example in drawn(family, level, 1)[0].rules()) == (level > 0)
