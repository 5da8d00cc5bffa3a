"""Shapes of answers, tried on the questions there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from quandary.catalogue import drawing, registry
from quandary.conformance.shapes import data, filled_form, fits
from quandary.core.answers import Answer, Grid, JsonObject, ListOf, Number, Text
from quandary.core.contract import Question
from quandary.core.forms import FormField
from quandary.core.worked import Worked

DECLARED: dict[str, Callable[[Any], Answer]] = {
    "anagram_scribble": lambda q: Text(),
    "bracket_game": lambda q: Text(),
    "password_game": lambda q: Text(),
    "string_search": lambda q: Text(),
    "check:sudoku": lambda q: Text(choices=("solvable", "unsolvable")),
    "count_maximal_cocktails": lambda q: (
        Number(0) if q.asked == "count" else ListOf(ListOf(Number(1, q.drugs)))
    ),
    "optimal_touring": lambda q: ListOf(Number(1, len(q.sites))),
    "ordering_text": lambda q: ListOf(Text(choices=q.words), count=len(q.words), lines=True),
    **{
        f"whole:{name}": lambda q: ListOf(Text(), lines=True)
        for name in ("game_of_24", "k_queens", "sudoku", "takuzu", "tidy_tower")
    },
    "crossword_arranger": lambda q: Grid(q.size, q.size),
    "islands": lambda q: Grid(q.size, q.size, ".#o" if q.trees else ".#"),
    "text_sudoku": lambda q: Grid(q.size, q.size, q.symbols),
    **{
        name: lambda q: q.answer_shape()
        for name in registry.names()
        if issubclass(registry.load(name), Worked)
    },
    "reversi": lambda q: JsonObject(
        {
            "answer": Grid(len(q.board), len(q.board), "01*"),
            "process": ListOf(Grid(len(q.board), len(q.board), "01*"), count=len(q.places)),
        }
    ),
    "minesweeper": lambda q: JsonObject(
        {
            "answer": ListOf(ListOf(Text())),
            "process": ListOf(ListOf(ListOf(Text())), count=len(q.boards)),
        }
    ),
}


def questions() -> Iterator[tuple[str, Question, Answer]]:
    for name, declare in DECLARED.items():
        for level in registry.load(name.partition(":")[2] or name).levels:
            question = drawing.instance(f"{name}/{level}#1")
            assert isinstance(question, Question)
            yield f"{name}/{level}", question, declare(question)


EXAMPLES = [pytest.param(q, shape, id=name) for name, q, shape in questions()]


def test_every_question_is_tried() -> None:
    groups = {name: registry.group(name) for name in registry.names()}

    assert {name for name, group in groups.items() if group.startswith("questions")} <= set(
        DECLARED
    )


@pytest.mark.parametrize(("question", "shape"), EXAMPLES)
def test_a_right_answer_stays_right_as_data(question: Question, shape: Answer) -> None:
    right = question.seen_by(0).solution()
    value = data(shape, right)

    assert fits(value, shape.schema())
    assert question.check(shape.write(value)) == question.check(right)
    assert question.check(right).score > 0


@pytest.mark.parametrize(("question", "shape"), EXAMPLES)
def test_a_right_answer_stays_right_through_a_form(question: Question, shape: Answer) -> None:
    right = question.seen_by(0).solution()
    typed = filled_form(shape, data(shape, right))

    assert list(typed) == [field.name for field in shape.form()]
    assert question.check(shape.write(shape.from_form(typed))) == question.check(right)


@pytest.mark.parametrize("name", ["string_synthesis", "minesweeper", "lights_out", "path_movement"])
def test_what_a_person_would_type_is_right(name: str) -> None:
    """Entries with blanks and brackets, rounds that are left empty, and boards without JSON."""
    for level in registry.load(name).levels:
        for seed in range(1, 6):
            question = drawing.instance(f"{name}/{level}#{seed}").seen_by(0)
            assert isinstance(question, Question)
            shape = question.answer_shape()
            assert shape is not None
            typed = filled_form(shape, data(shape, question.solution()))
            assert not any("\\" in said or '"' in said for said in typed.values())
            written = shape.write(shape.from_form(typed))
            assert question.check(written).score == 1.0, (level, seed)


@pytest.mark.parametrize(("question", "shape"), EXAMPLES)
def test_an_answer_that_is_text_already_stays_as_it_is(question: Question, shape: Answer) -> None:
    right = question.seen_by(0).solution()

    assert shape.write(right) == right


@pytest.mark.parametrize(("question", "shape"), EXAMPLES)
@pytest.mark.parametrize(
    "value", [None, 1_000_000, True, [], {}, [1, [2, None]], {"answer": {"a": []}}]
)
def test_unfitting_data_becomes_text_that_is_judged(
    question: Question, shape: Answer, value: object
) -> None:
    assert question.check(shape.write(value)).score < 1.0


@pytest.mark.parametrize(("question", "shape"), EXAMPLES)
def test_an_empty_form_becomes_text_that_is_judged(question: Question, shape: Answer) -> None:
    assert question.check(shape.write(shape.from_form({}))).score < 1.0


@pytest.mark.parametrize(
    ("shape", "wrong"),
    [
        (Text(), 7),
        (Text(choices=("a", "b")), "c"),
        (Number(1, 9), 10),
        (Number(1, 9), "3"),
        (Number(0), -1),
        (Grid(1, 2, "ab"), [["a"]]),
        (Grid(1, 2, "ab"), [["a", "c"]]),
        (Grid(1, 2), [["a", "cd"]]),
        (ListOf(Number(), count=2), [1]),
        (ListOf(Number()), ["1"]),
        (JsonObject({"answer": Number()}), {}),
    ],
)
def test_schemas_refuse_other_shapes(shape: Answer, wrong: object) -> None:
    assert not fits(wrong, shape.schema())


def test_fields_carry_what_a_page_offers() -> None:
    assert Text(choices=("a", "b")).form() == (FormField("answer", "choice", choices=("a", "b")),)
    assert Number(1, 9).form() == (FormField("answer", "number", low=1, high=9),)
    assert [field.name for field in Grid(2, 2).form()] == [
        "answer.1.1",
        "answer.1.2",
        "answer.2.1",
        "answer.2.2",
    ]
    assert ListOf(Text()).form() == (FormField("answer", "list"),)
    assert ListOf(ListOf(Number())).form() == (FormField("answer", "table"),)
    assert ListOf(Text(), lines=True).form() == (FormField("answer", "area"),)
    assert ListOf(ListOf(ListOf(Text()))).form() == (FormField("answer", "tables"),)
    assert ListOf(Grid(2, 2)).form() == (FormField("answer", "area"),)


@pytest.mark.parametrize(
    ("shape", "typed", "meant"),
    [
        (ListOf(Number()), "3 1 4", [3, 1, 4]),
        (ListOf(Number()), "[3, 1, 4]", [3, 1, 4]),
        (ListOf(Number()), "3、1；4", [3, 1, 4]),
        (ListOf(Number()), "[]", []),
        (ListOf(Number()), "", []),
        (ListOf(ListOf(Text())), "", [[]]),
        (ListOf(ListOf(ListOf(Text()))), " \n", []),
        (
            ListOf(ListOf(ListOf(Text()))),
            "1 2\n3 4\n\n5 6\n",
            [[["1", "2"], ["3", "4"]], [["5", "6"]]],
        ),
        (ListOf(ListOf(ListOf(Text()))), '[[["1"]]]', [[["1"]]]),
        (
            ListOf(Text(), lines=True),
            "[B] [C] -> {A}\n{A} -> (C)",
            ["[B] [C] -> {A}", "{A} -> (C)"],
        ),
        (ListOf(Text(), lines=True), '["[B] [C] -> {A}"]', ["[B] [C] -> {A}"]),
        (ListOf(Text()), '["a b", "c"]', ["a b", "c"]),
        (ListOf(Text()), "a b", ["a", "b"]),
        (ListOf(Text()), "2 * (3 + 4)", ["2", "*", "(", "3", "+", "4", ")"]),
        (ListOf(ListOf(Text())), "(1, 2)\n[3 4]", [["1", "2"], ["3", "4"]]),
        (ListOf(ListOf(Number())), "1 2\n\n(3, 4)", [[1, 2], [3, 4]]),
        (ListOf(ListOf(Number())), "[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        (ListOf(ListOf(Number())), "[[]]", [[]]),
    ],
)
def test_lists_are_typed_in_words_or_as_json(shape: Answer, typed: str, meant: object) -> None:
    assert meant == shape.from_form({"answer": typed})


@pytest.mark.parametrize("typed", ["", "x", "1.5", "--3", "²", "9" * 50])
def test_a_number_field_keeps_what_is_no_number(typed: str) -> None:
    assert Number().from_form({"answer": typed}) == typed


def test_a_number_field_gives_a_number() -> None:
    assert Number().from_form({"answer": " -12 "}) == -12
