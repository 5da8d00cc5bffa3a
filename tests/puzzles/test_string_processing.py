"""String processing: known documents, what commands do, and commands that fit their documents."""

from __future__ import annotations

from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.string_processing import StringProcessing
from quandary.puzzles.questions.execution.string_processing.solver import (
    OPERATIONS,
    Command,
    Edited,
    executed,
)

FAMILIES = [(family, level) for family in "ab" for level in range(4)]


def drawn(family: str, level: int, seeds: int) -> list[StringProcessing]:
    return [instance(f"string_processing/{level},family={family}#{seed}") for seed in range(seeds)]


def test_the_worked_example() -> None:
    commands = (
        Command("append", text="s"),
        Command("keep", 3, 4),
        Command("find_first", text="et"),
    )
    work = StringProcessing("a", 2, OPERATIONS["a"][4], "planet", commands).work()

    assert work.process == ["planets", "anet", "3"] and work.answer == ["anet"]


@pytest.mark.parametrize(
    ("command", "document", "output"),
    [
        (Command("append", text="xy"), "abc", "abcxy"),
        (Command("prepend", text="xy"), "abc", "xyabc"),
        (Command("insert", 2, text="xy"), "abc", "axybc"),
        (Command("insert", 1, text="xy"), "abc", "xyabc"),
        (Command("keep", 2, 3), "abcdef", "bcd"),
        (Command("delete", 2, 3), "abcdef", "aef"),
        (Command("delete", 5, 2), "abcdef", "abcd"),
        (Command("reverse", 2, 3), "abcdef", "adcbef"),
        (Command("reverse", 5, 2), "abcdef", "abcdfe"),
        (Command("reverse_before", 2, 3), "abcdef", "abedcf"),
        (Command("reverse_before", 1, 2), "abcdef", "abcdfe"),
        (Command("find_first", text="ab"), "cababa", "2"),
        (Command("find_last", text="ab"), "cababa", "4"),
        (Command("find_last", text="aba"), "cababa", "4"),  # occurrences can overlap
        (Command("find_first", text="bb"), "cababa", "-1"),
        (Command("find_last", text="bb"), "cababa", "-1"),
    ],
)
def test_commands(command: Command, document: str, output: str) -> None:
    after = executed(command, Edited(document, ""))

    assert after.output == output
    assert after.document == (document if command.operation.startswith("find") else output)


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_commands_that_fit(family: str, level: int) -> None:
    for made in drawn(family, level, 20):
        assert made.operations == OPERATIONS[family][(1, 3, 4, 5)[level]]
        assert len(made.commands) == (1, 4, 6, 8)[level]
        assert {command.operation for command in made.commands} == set(made.operations)
        before = made.document
        for command, output in zip(made.commands, made.work().process, strict=True):
            if not command.operation.startswith("find"):
                assert command.place + max(0, command.number - 1) <= len(before)
                assert output != before and len(output) >= 4
                before = output
        assert made.work().answer == [before]


@pytest.mark.parametrize("family", "ab")
def test_what_is_looked_for_is_sometimes_missing_and_sometimes_there_again(family: str) -> None:
    numbers = list[int]()
    differ = 0
    for made in drawn(family, 3, 40):
        swapped = {"find_first": "find_last", "find_last": "find_first"}
        other = tuple(
            one._replace(operation=swapped.get(one.operation, one.operation))
            for one in made.commands
        )
        process = StringProcessing(family, 3, made.operations, made.document, other).work().process
        differ += process != made.work().process
        numbers += [int(output) for output in made.work().process if not output.isalpha()]

    assert 0.2 < numbers.count(-1) / len(numbers) < 0.6
    assert differ >= 10


def test_renamed_letters_are_the_same_task() -> None:
    one = StringProcessing("a", 0, ("append",), "abca", (Command("append", text="cd"),))
    other = StringProcessing("a", 0, ("append",), "xyzx", (Command("append", text="za"),))

    assert one.canonical() == other.canonical()
    assert (
        one.canonical()
        != StringProcessing("a", 0, one.operations, "abcb", one.commands).canonical()
    )


def test_commands_in_words() -> None:
    made = StringProcessing(
        "a", 1, OPERATIONS["a"][3], "xyz", (Command("insert", 2, text="ab"), Command("keep", 1, 4))
    )

    assert made.text(0).splitlines() == ["The document: xyz", "The commands:", "3 2 ab", "2 1 4"]
    assert made.text(0, "zh").splitlines() == ["文档：xyz", "各条指令：", "3 2 ab", "2 1 4"]


def test_what_is_asked_for_depends_on_the_commands() -> None:
    """One command has no others before it, and documents alone are not called outputs."""
    one, some, finding = (drawn("b", level, 1)[0].rules() for level in (0, 1, 3))

    assert "the document after the command." in one and "before it" not in one
    assert "the list of the documents after each command" in some and "output" not in some
    assert 'numbers too (for example "3")' in finding
    assert "only commands with the code 5 count from the end" in finding


def test_too_few_commands_are_refused() -> None:
    with pytest.raises(ValueError, match="5 operations need 5 commands or more"):
        StringProcessing.new(Random(0), level=3, commands=4)
