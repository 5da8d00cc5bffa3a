"""Combinatorial calculation: every right answer counts, and nothing else."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from proofs.second_workings.combinatorial_calculation import right_answers

from quandary.puzzles.questions.planning.combinatorial_calculation import (
    CombinatorialCalculation,
    Rule,
)
from quandary.puzzles.questions.planning.combinatorial_calculation.solver import calculations


def question(
    *numbers: int, target: int, forbidden: str = "", required: str = ""
) -> CombinatorialCalculation:
    family = "b" if forbidden or required else "a"
    return CombinatorialCalculation(family, 1, numbers, target, forbidden, required)


def is_right(asked: CombinatorialCalculation, answer: Any) -> bool:
    return asked.check(json.dumps({"answer": answer})).score == 1.0


def drawn(family: str, level: int, seed: int) -> CombinatorialCalculation:
    rng = Random(f"{family}{level} {seed}")
    made = CombinatorialCalculation.new(rng, level=level, family=family)
    assert isinstance(made, CombinatorialCalculation)
    return made


@pytest.mark.parametrize(
    ("asked", "shortest"),
    [
        (question(6, 2, 4, target=7), "6 / 2 + 4"),
        (question(9, 3, 1, target=4), "9 / 3 + 1"),  # the example of the rules
        (question(2, 3, 4, target=20), "( 2 + 3 ) * 4"),
        (question(3, 8, target=-5), "3 - 8"),  # the numbers stay in this order
        (question(3, 3, 8, target=-21), "3 - 3 * 8"),
        (question(1, 2, 4, target=2), "1 / 2 * 4"),  # a fraction on the way
        (question(4, 2, target=2, forbidden="-"), "4 / 2"),
        (question(4, 2, target=2, required="-"), "4 - 2"),
        (question(7, 1, 1, target=7, forbidden="*/"), "7 + 1 - 1"),
    ],
)
def test_known_answers(asked: CombinatorialCalculation, shortest: str) -> None:
    assert json.loads(asked.solution()) == {"answer": shortest.split()}


def test_targets_that_are_out_of_reach() -> None:
    assert question(3, 8, target=5).right_answers() == []
    assert question(14, 15, 2, target=27, forbidden="*", required="/").right_answers() == []


@pytest.mark.parametrize(
    "answer",
    [
        "1 + 2 * 3",
        "1 + ( 2 * 3 )",  # brackets that change nothing
        "( ( 1 + 2 * 3 ) )",
        "( 1 ) + 2 * ( 3 )",
        "1 + 2 × 3",
        "( " * 60 + "1 + 2 * 3" + " )" * 60,
    ],
)
def test_other_spellings_are_right(answer: str) -> None:
    assert is_right(question(1, 2, 3, target=7), answer.split())


def test_all_signs_of_an_operator_are_forbidden_or_required() -> None:
    for sign in ("/", "÷"):
        assert is_right(question(4, 2, target=2, forbidden="-"), ["4", sign, "2"])
        assert is_right(question(4, 2, target=2, required="/"), ["4", sign, "2"])
        assert not is_right(question(4, 2, target=2, forbidden="/"), ["4", sign, "2"])


@pytest.mark.parametrize(
    "answer",
    [
        "1 + 2 + 3",  # another value
        "3 * 2 + 1",  # another order
        "1 + 6",
        "1 + 2 * 3 + 0",
        "1 + 2 * 3 =",
        "1 + 2 * 3 = 7",
        "1 + 2 * 03",
        "1 + 2 * 3.0",
        "1 + 2 * 3 )",
        "( 1 + 2 * 3",
        ") 1 + 2 * 3 (",
        "1 ( + ) 2 * 3",
        "1 + 2 * 3 ( )",
        "+ 1 + 2 * 3",
        "1 - - 2 * 3",
        "- ( - 1 - 2 * 3 )",
        "1 + 2 3 *",
        "1 ( 2 * 3 )",
        "1+2*3",  # glued
        "1 +2 * 3",
        "(1 + 2 * 3)",
        "1 ** 2 + 3",
        "1 + 2 ** 3",
        "",
    ],
)
def test_what_is_wrong(answer: str) -> None:
    assert not is_right(question(1, 2, 3, target=7), answer.split())


def test_numbers_are_neither_split_nor_joined() -> None:
    asked = question(12, 3, target=15)

    assert is_right(asked, ["12", "+", "3"])
    for answer in (["1", "2", "+", "3"], ["12+", "3"], ["12", "+3"], ["1", "+", "2", "+", "3"]):
        assert not is_right(asked, answer)
    assert not is_right(question(1, 5, 2, target=4), ["15", "-", "2"])


def test_minus_only_subtracts() -> None:
    for answer in (["-", "1", "+", "2"], ["-1", "+", "2"], ["(", "-", "1", ")", "+", "2"]):
        assert not is_right(question(1, 2, target=2), answer)
    assert not is_right(question(3, 1, target=2), ["3", "+", "-", "1"])
    assert is_right(question(3, 1, target=2), ["3", "-", "1"])
    assert is_right(question(3, 1, target=2), ["3", "−", "1"])


@pytest.mark.parametrize(
    "answer",
    [
        ["("] * 10_000 + ["1", "+", "2"] + [")"] * 10_000,
        ["1"] * 100_000,
        ["1", "+"] * 50_000,
        ["1", "/", "(", "2", "-", "2", ")"],
        ["9" * 100_000, "+", "2"],
        ["(" * 100_000],
        ["-"] * 300,
        [[["1"]]],
        [1, "+", 2, None],
        {"1": "+"},
        "1 + 2",
        None,
        True,
    ],
    ids=range(13),
)
def test_odd_answers_are_wrong(answer: Any) -> None:
    """They are neither read at length nor raised."""
    assert not is_right(question(1, 2, target=3), answer)


def test_a_division_by_zero_is_wrong() -> None:
    asked = question(2, 3, 3, target=2)

    assert is_right(asked, ["2", "+", "3", "-", "3"])
    assert not is_right(asked, ["2", "/", "(", "3", "-", "3", ")"])
    assert not is_right(question(5, 1, 1, target=0), ["5", "/", "(", "1", "-", "1", ")"])


def test_a_required_operator_must_occur() -> None:
    asked = question(2, 2, 1, target=4, required="*")

    assert is_right(asked, ["2", "*", "2", "*", "1"]) and is_right(
        asked, ["(", "2", "+", "2", ")", "*", "1"]
    )
    assert not is_right(asked, ["(", "2", "+", "2", ")", "/", "1"])


def test_all_calculations() -> None:
    """Two signs in two orders make 32; 4 of them have brackets that change nothing."""
    assert [one.tokens for one in calculations((3, 5))] == [
        ("3", "+", "5"), ("3", "-", "5"), ("3", "*", "5"), ("3", "/", "5"),
    ]  # fmt: skip
    texts = ["".join(one.tokens) for one in calculations((3, 5, 7))]
    assert len(texts) == len(set(texts)) == 32 - 4
    assert {"3-5-7", "3-(5-7)", "3/(5*7)", "3/5*7", "(3+5)*7", "3-(5+7)"} <= set(texts)
    assert not {"3+(5+7)", "3+(5-7)", "3*(5*7)", "3*(5/7)", "(3*5)+7"} & set(texts)


@pytest.mark.parametrize(("family", "level"), [(x, level) for x in "ab" for level in range(4)])
def test_all_right_answers_are_found_and_accepted(family: str, level: int) -> None:
    """As many as by brute force."""
    for seed in range(2 if (family, level) == ("a", 3) else 8):
        made = drawn(family, level, seed)
        found = [one.tokens for one in made.right_answers()]

        assert len(found) == len(set(found)) and set(found) == right_answers(made)
        assert all(is_right(made, list(tokens)) for tokens in found)
        assert all(is_right(made, ["(", *tokens, ")"]) for tokens in found)


def test_what_levels_promise() -> None:
    """Brackets are needed from level 2 on, and so is every rule."""
    for family in "ab":
        for level in (2, 3):
            for seed in range(12):
                made = drawn(family, level, seed)

                assert all("(" in one.tokens for one in made.right_answers())
                for rule in made.rules_in_play():
                    broken = made.work(without=rule).answer
                    assert not is_right(made, broken)
                    assert isinstance(rule, Rule)
                    assert (rule.sign in broken) == (rule.kind == "forbidden")


def test_too_many_rules() -> None:
    with pytest.raises(ValueError, match="too many for 3 numbers"):
        CombinatorialCalculation.new(Random(1), level=2, family="b", numbers=3, required=3)


def test_the_fewest_instances() -> None:
    """Two numbers from 1 to 9, by another count: of sums, differences, products and quotients."""
    pairs = [(a, b) for a in range(1, 10) for b in range(1, 10)]
    reached = [
        ({a + b} | {a - b for _ in [0] if a > b} | {a * b} | {a // b for _ in [0] if a % b == 0})
        for a, b in pairs
    ]

    assert (
        sum(map(len, reached))
        == 210
        == CombinatorialCalculation.distinct_instances["0,family=a"].instances
    )
