"""Self-reasoning: known sheets, one choice of letters, no question to spare, and what is told."""

from __future__ import annotations

from random import Random

import pytest
from proofs.second_workings.self_reasoning import work

from quandary.puzzles.questions.planning.self_reasoning import SelfReasoning
from quandary.puzzles.questions.planning.self_reasoning.solver import Asked, drawn_questions

LEVELS = [(family, level) for family in "ab" for level in range(4)]


def sheet(*questions: Asked, family: str = "a", level: int = 1) -> SelfReasoning:
    return SelfReasoning(family, level, questions)


def test_the_worked_example_of_the_specification():
    """Q1 counts B: 0, 1 or 2; Q2 asks for the letter of Q1: C, B or A."""
    question = sheet(Asked("count", ("0", "1", "2"), "B"), Asked("answer", ("C", "B", "A"), one=0))

    assert question.work() == (["A", "C"], ["A", "C"])
    assert question.is_unique()


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        (Asked("first", ("2", "1"), "A"), "AAB"),
        (Asked("before", ("2", "none"), "A", one=2), "AAA"),  # the first question has it too
        (Asked("after", ("none", "1"), "B", one=1), "AAA"),
        (Asked("after", ("none", "1"), "A", one=0), ""),  # the second one has it
        (Asked("repeated", ("A", "B")), "AAA"),
        (Asked("apart", ("1", "0"), one=0), ""),  # A is 0 apart, B is 1: neither option is true
        (Asked("apart", ("0", "2"), one=0), "AAA"),
        (Asked("as_many", ("1", "2"), one=0), ""),  # A makes it 2, B makes it 1
        (Asked("as_many", ("2", "0"), one=0), "AAA"),
        (Asked("is", ("no", "yes"), "A", one=0), "AAB"),
        (Asked("alike", ("no", "yes"), one=0, two=1), "AAB"),
    ],
)
def test_each_kind(last: Asked, answer: str):
    """The first two questions have the answer A; the third one tells what an option means."""
    first = Asked("answer", ("A", "C"), one=1)
    question = sheet(first, Asked("answer", ("A", "C"), one=0), last)

    if answer:
        assert "".join(question.work().answer) == answer
        assert work(question) == question.work()
    else:
        with pytest.raises(ValueError, match="no candidate fits"):
            question.work()


def test_differences_are_those_of_the_numbers_in_the_options():
    """Three more than 1 is 4, whatever the letters of these options are."""
    question = sheet(
        Asked("count", ("1", "5"), "A"),
        Asked("count", ("4", "3"), "B"),
        Asked("more", ("1", "2", "3"), one=1, two=0),
        family="b",
    )
    with pytest.raises(ValueError, match="no candidate fits"):
        question.work()  # for two B there are not three
    other = sheet(
        Asked("count", ("1", "5"), "A"),
        Asked("count", ("3", "2"), "B"),
        Asked("more", ("2", "1"), one=1, two=0),
        family="b",
    )

    assert "".join(other.work().answer) == "ABB"


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_one_choice_of_letters_and_no_question_to_spare(family: str, level: int):
    """As trying every choice finds it; sizes are those of the level."""
    compare(family, level, range(5))


def compare(family: str, level: int, seeds: range) -> None:
    for seed in seeds:
        question = SelfReasoning.new(Random(seed), family=family, level=level)
        answer, process = question.work()

        assert (answer, process) == work(question)
        assert len(answer) == question.sizes[family][level]["questions"]
        assert question.uses_every_rule()
        assert question.asks_process == (family == "a" and level > 0)


def test_every_kind_is_drawn():
    def kinds(family: str, level: int) -> set[str]:
        made = (SelfReasoning.new(Random(seed), family=family, level=level) for seed in range(25))
        return {asked.about for one in made for asked in one.questions}

    assert kinds("a", 3) == {"count", "first", "before", "after", "answer", "apart"}
    assert kinds("a", 2) == kinds("a", 3) | {"repeated"}
    assert kinds("b", 3) == {"count", "as_many", "answer", "more", "is", "alike"}


def test_a_chosen_option_is_the_only_true_one_unless_several_questions_are_named():
    """An option that is not chosen and true would make its question ambiguous."""
    rng, found = Random("options"), 0
    for _ in range(40):
        asked = drawn_questions(rng, ("count", "first", "answer", "apart"), (4, 4, 4, 4))
        if asked is None:
            continue
        found += 1
        question = SelfReasoning("a", 2, asked)
        letters = question.work().answer
        for place, own in enumerate(asked):
            others = [letter for letter in "ABCD" if letter != letters[place]]
            for letter in others:
                swapped = list(own.options)
                at, chosen = "ABCD".index(letter), "ABCD".index(letters[place])
                swapped[at], swapped[chosen] = swapped[chosen], swapped[at]
                sheet_ = (*asked[:place], own._replace(options=tuple(swapped)), *asked[place + 1 :])
                left = SelfReasoning("a", 2, sheet_)
                assert not left.is_unique() or left.work().answer != letters
    assert found > 10


@pytest.mark.parametrize(
    ("sizes", "advice"),
    [
        ({"questions": 9}, "questions=9 is out of bounds"),
        ({"options": 7}, "options=7 is out of bounds"),
        ({"questions": 8, "options": 6}, "at most 100,000 are possible"),
    ],
)
def test_sizes_out_of_reach_are_refused(sizes: dict[str, int], advice: str):
    with pytest.raises(ValueError, match=advice):
        SelfReasoning.new(Random(1), level=1, **sizes)
