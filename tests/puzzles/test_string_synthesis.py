"""String synthesis: known blocks, how methods follow one another, and starts for their methods."""

from __future__ import annotations

from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution._shared.synthesis.solver import (
    Course,
    Method,
    packed,
    unpacked,
)
from quandary.puzzles.questions.execution.string_synthesis import StringSynthesis

FAMILIES = [(family, level) for family in "ab" for level in range(4)]


def drawn(family: str, level: int, seeds: int) -> list[StringSynthesis]:
    return [instance(f"string_synthesis/{level},family={family}#{seed}") for seed in range(seeds)]


def blocks(counts: tuple[int, ...], *methods: tuple[str, str], level: int = 1) -> StringSynthesis:
    """Methods such as ("200", "010"): the digits are numbers of blocks."""
    made = [Method(*(tuple(map(int, side)) for side in method)) for method in methods]
    return StringSynthesis("a", level, tuple(made), counts)


def test_the_worked_example() -> None:
    """Its third kind, the fourth of ours, is written {A}."""
    made = blocks((5, 0, 0, 0), ("2000", "0100"), ("1100", "0001"))

    assert made.work().answer == ["0", "1", "0", "1"]
    assert made.work().process == ["[A] [A] -> [B]", "[A] [B] -> {A}", "[A] [A] -> [B]"]


def test_a_turn_uses_a_method_once() -> None:
    """After method 1, method 2 has its turn, though there is enough for method 1 again."""
    made = blocks((4, 0, 0), ("200", "001"), ("100", "010"))

    assert made.work().process == ["[A] [A] -> [C]", "[A] -> [B]", "[A] -> [B]"]
    assert made.work().answer == ["0", "2", "1"]


def test_at_level_0_the_process_is_the_answer() -> None:
    work = blocks((3, 2, 1), ("110", "001"), level=0).work()

    assert work.answer == work.process == ["1", "0", "3"]


def test_all_that_is_taken_must_be_there() -> None:
    method = Method((1, 2, 0), (0, 0, 3))

    course = Course.of([method], 3)

    assert course.run(packed((1, 2, 5))) == ([0], packed((0, 0, 8)))
    assert course.run(packed((9, 1, 5))) == ([], packed((9, 1, 5)))


@pytest.mark.parametrize("missing", range(9))
def test_any_kind_can_be_missing(missing: int) -> None:
    """Packed counts of the other kinds do not make up for it, and are not touched."""
    takes = tuple(3 if kind == missing else 1 for kind in range(9))
    course = Course.of([Method(takes, (0,) * 9)], 9)
    counts = [900] * 9
    counts[missing] = 2

    assert course.run(packed(counts)) == ([], packed(counts))
    counts[missing] = 5
    left = [899] * 9
    left[missing] = 2
    assert course.run(packed(counts)) == ([0], packed(left))
    assert unpacked(packed(left), 9) == tuple(left)


def test_methods_that_never_end_are_told() -> None:
    endless = Method((1, 0), (1, 1))
    question = StringSynthesis("a", 1, (endless,), (1, 0))

    assert 5 < len(Course.of([endless], 2).run(packed((1, 0)), most=5)[0]) < 10
    with pytest.raises(ValueError, match="can still be used after 1,000 steps"):
        question.work()


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes(family: str, level: int) -> None:
    """Numbers of kinds and methods are the paper's; blocks in square brackets are given."""
    for made in drawn(family, level, 10):
        assert len(made.counts) == (3, 4, 6, 9)[level]
        assert len(made.methods) == (1, 3, 4, 6)[level]
        assert all(made.counts[:3]) and not any(made.counts[3:])
        assert all(any(column) for column in zip(*sum(made.methods, ()), strict=True))
        taken = [method.takes for method in made.methods]
        plain = all(max(takes) == 1 or sum(takes) == 2 for takes in taken)
        assert plain == (family == "a")


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_methods_come_to_an_end(family: str, level: int) -> None:
    """Each makes only kinds that come after all those that it takes."""
    for made in drawn(family, level, 10):
        for takes, makes in made.methods:
            last = max(kind for kind, number in enumerate(takes) if number)
            assert last < min(kind for kind, number in enumerate(makes) if number)


@pytest.mark.parametrize("family", "ab")
def test_level_3_has_products_of_products(family: str) -> None:
    for made in drawn(family, 3, 10):
        above = [sum(map(bool, makes[6:])) for _, makes in made.methods]
        assert sorted(above) == [0, 0, 0, 0, 1, 2]
        assert any("{" in entry.split("->")[0] for entry in made.work().process)


def test_renamed_kinds_are_the_same_task() -> None:
    one = blocks((3, 2, 0), ("210", "001"))

    assert one.canonical() == blocks((2, 3, 0), ("120", "001")).canonical()
    assert one.canonical() != blocks((2, 3, 0), ("210", "001")).canonical()


def test_a_method_in_words() -> None:
    rules = blocks((3, 2, 1), ("210", "001"))

    assert rules.text(0) == "At the start there are 3 [A], 2 [B] and 1 [C]."
    assert rules.rules().splitlines()[2] == "Method 1: combine 2 [A] and 1 [B] into 1 [C]."
    assert rules.rules("zh").splitlines()[2] == "方法 1：2 个 [A] 和 1 个 [B] 合成 1 个 [C]。"


def test_too_few_methods_are_refused() -> None:
    with pytest.raises(ValueError, match="9 kinds need 5 methods or more"):
        StringSynthesis.new(Random(0), level=3, methods=4)
