"""String insertion: known strings, what instructions look for, and how many there are."""

from __future__ import annotations

from itertools import product

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.string_insertion import SIDES, StringInsertion
from quandary.puzzles.questions.execution.string_insertion.solver import Insertion, inserted

FAMILIES = [(family, level) for family in "ab" for level in range(4)]
LENGTHS = [(5, 6), (9, 15), (16, 17), (20, 28)]
PATTERNS = {"a": [{3}, {3}, {3}, {3}], "b": [{3}, {3, 4}, {4}, {4}]}


def drawn(family: str, level: int, seeds: int) -> list[StringInsertion]:
    return [instance(f"string_insertion/{level},family={family}#{seed}") for seed in range(seeds)]


def test_the_worked_example() -> None:
    rules = Insertion("PQ", "P", "after"), Insertion("QP", "Q", "before")

    assert StringInsertion("b", 2, rules, "PQQ").work() == (["PQQPQ"], ["PQPQ", "PQQPQ"])


def test_an_instruction_that_changes_nothing_has_an_entry() -> None:
    rules = Insertion("QP", "Q", "before"), Insertion("PQ", "P", "after")

    assert StringInsertion("b", 2, rules, "PQQ").work() == (["PQPQ"], ["PQQ", "PQPQ"])


@pytest.mark.parametrize(
    ("rule", "string", "after"),
    [
        (Insertion("ABA", "C", "after"), "ABABA", "ABACBAC"),
        (Insertion("ABA", "C", "before"), "ABABA", "CABCABA"),
        (Insertion("AB", "B", "after"), "ABAB", "ABBABB"),
        (Insertion("AB", "A", "before"), "CAB", "CAAB"),
        (Insertion("AA", "A", "after"), "AAA", "AAAAA"),
        (Insertion("AB", "C", "after"), "BA", None),
    ],
)
def test_every_place_counts_once(rule: Insertion, string: str, after: str | None) -> None:
    assert inserted(rule, string) == after


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_instructions(family: str, level: int) -> None:
    """Sizes are the paper's; where there are several instructions, one needs another."""
    for made in drawn(family, level, 20):
        low, high = LENGTHS[level]
        patterns = [rule.pattern for rule in made.instructions]

        assert low <= len(made.string) <= high
        assert set(made.string) <= set("ABCDE"[: (3, 3, 4, 5)[level]])
        assert len(set(patterns)) == len(patterns) == (1, 3, 4, 5)[level]
        assert set(map(len, patterns)) <= PATTERNS[family][level]
        assert {rule.side for rule in made.instructions} <= set(SIDES[family])
        assert level == 0 or any(pattern not in made.string for pattern in patterns)


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_every_instruction_decides_the_answer(family: str, level: int) -> None:
    for made in drawn(family, level, 10):
        for rule in made.rules_in_play():
            assert made.work(without=rule).answer != made.work().answer


def test_the_numbers_of_small_levels_are_counted() -> None:
    """Whatever the letters are called."""
    counted = {}
    for family, sides in SIDES.items():
        seen = set()
        for size in (5, 6):
            for string in map("".join, product("ABC", repeat=size)):
                for at, letter, side in product(range(size - 2), "ABC", sides):
                    rule = Insertion(string[at : at + 3], letter, side)
                    seen.add(StringInsertion(family, 0, (rule,), string).canonical())
        counted[family] = seen
    small = StringInsertion.distinct_instances

    assert len(counted["a"]) == small["0,family=a"].instances
    assert len(counted["b"]) == small["0,family=b"].instances
    assert len(counted["a"] | counted["b"]) == small["0"].instances


def test_instructions_in_words() -> None:
    rules = StringInsertion(
        "b", 3, (Insertion("AB", "C", "after"), Insertion("BA", "D", "before")), ""
    )

    assert rules.rules().splitlines()[1:3] == [
        '1. Insert "C" right after every "AB".',
        '2. Insert "D" right before every "BA".',
    ]
    assert rules.rules("zh").splitlines()[1:3] == [
        "1. 紧挨着每个“AB”的后面插入“C”。",
        "2. 紧挨着每个“BA”的前面插入“D”。",
    ]
