"""String deletion: known strings, why edits end, and strings under the same rules."""

from __future__ import annotations

from itertools import permutations

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.string_deletion import StringDeletion
from quandary.puzzles.questions.execution.string_deletion.solver import Edit, edited, kind_of

FAMILIES = [(family, level) for family in "ab" for level in range(4)]


def drawn(family: str, level: int, seeds: int) -> list[StringDeletion]:
    return [instance(f"string_deletion/{level},family={family}#{seed}") for seed in range(seeds)]


def process(string: str, *edits: Edit) -> list[str]:
    work = StringDeletion("a", 2, edits, string).work()
    assert work.answer == [(work.process or [string])[-1]]
    return list(work.process)


def test_the_worked_example() -> None:
    rules = Edit("prefix", "xy", "y"), Edit("suffix", "xx", last=1)

    assert process("xyxx", *rules) == ["yxx", "yx"]


def test_the_next_turn_is_that_of_the_next_rule() -> None:
    """After rule 1, rule 2 has its turn, though rule 1 would apply again."""
    rules = Edit("prefix", "a", first=1), Edit("prefix", "ab", "cc")

    assert process("aab", *rules) == ["ab", "cc"]


@pytest.mark.parametrize(
    ("rule", "string", "after"),
    [
        (Edit("prefix", "ab", "ba"), "abab", "baab"),
        (Edit("suffix", "ab", "ba"), "abab", "abba"),
        (Edit("prefix", "ab", "cc", last=1), "abab", "cca"),
        (Edit("prefix", "ab", "cc", last=1), "aba", "cc"),
        (Edit("prefix", "ab", "cc", last=1), "ab", None),
        (Edit("suffix", "ab", "cc", first=1), "abab", "bcc"),
        (Edit("suffix", "ab", first=1), "ab", "b"),
        (Edit("suffix", "ab", last=2), "ab", ""),
        (Edit("prefix", "ab", last=2), "cab", None),
    ],
)
def test_edits(rule: Edit, string: str, after: str | None) -> None:
    assert edited(rule, string) == after


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_kinds_of_rules(family: str, level: int) -> None:
    """Numbers of rules and letters are the paper's; each level has a kind of its own."""
    new = {
        "a": ("prefix replace", "prefix both", "prefix delete", "either two"),
        "b": ("suffix replace", "suffix across", "prefix both", "either two"),
    }
    for made in drawn(family, level, 10):
        assert len(made.edits) == (1, 3, 4, 6)[level]
        assert len(made.string) in (7, 8)
        assert new[family][level] in map(kind_of, made.edits)
        assert len(made.edits) <= len(made.work().process) <= len(made.edits) + 3
        assert len(made.work().answer[0]) >= 2


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_edits_end(family: str, level: int) -> None:
    """In some order of the letters, every rule deletes letters or puts earlier ones there."""
    for made in drawn(family, level, 10):
        assert any(
            all(
                rule.first + rule.last > 0
                or list(map(order.index, rule.new or "")) < list(map(order.index, rule.pattern))
                for rule in made.edits
            )
            for order in permutations("abc")
        )


def test_renamed_letters_are_the_same_task() -> None:
    one = StringDeletion("a", 1, (Edit("prefix", "bc", "a", last=1),), "bcb")
    other = StringDeletion("a", 1, (Edit("prefix", "ca", "b", last=1),), "cac")

    assert one.canonical() == other.canonical()
    assert one.canonical() != StringDeletion("a", 1, one.edits, "bca").canonical()


def test_a_rule_in_words() -> None:
    rules = StringDeletion(
        "b", 3, (Edit("suffix", "ab", "c", first=1), Edit("prefix", "b", last=2)), ""
    )

    assert rules.rules().splitlines()[1:3] == [
        '1. If the string ends with "ab", delete its first letter and replace this "ab" by "c".',
        '2. If the string starts with "b", delete its last 2 letters.',
    ]
    assert rules.rules("zh").splitlines()[1:3] == [
        "1. 如果字符串以“ab”结尾，就删去第一个字母，并把这个“ab”换成“c”。",
        "2. 如果字符串以“b”开头，就删去最后面的 2 个字母。",
    ]
