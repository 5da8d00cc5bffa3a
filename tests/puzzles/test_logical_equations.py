"""Logical equations: one solution, no superfluous relation, and what is the same up to names."""

from __future__ import annotations

import json
import re
from itertools import permutations
from random import Random

import pytest
from proofs.second_workings.logical_equations import is_true, solutions

from quandary.puzzles.questions.planning.logical_equations import LogicalEquations
from quandary.puzzles.questions.planning.logical_equations.solver.drawing import OTHERS
from quandary.puzzles.questions.planning.logical_equations.solver.relations import (
    Relation,
    Side,
    renamed,
)
from quandary.puzzles.questions.planning.logical_equations.words import relation_words

A, B, C, D, E, F, G = range(7)
CASES = [(family, level) for family in "ab" for level in range(4)]


def side(*terms: int | tuple[int, ...]) -> Side:
    """Numbers, and products as tuples: a factor and then letters."""
    return tuple((one, ()) if isinstance(one, int) else (one[0], one[1:]) for one in terms)


def equal(left: Side, right: Side) -> Relation:
    return Relation("=", left, right)


def question(numbers: tuple[int, ...], *relations: Relation) -> LogicalEquations:
    return LogicalEquations("a", 1, numbers, relations)


def drawn(family: str, level: int, seed: int) -> LogicalEquations:
    rng = Random(f"{family}{level} {seed}")
    made = LogicalEquations.new(rng, level=level, family=family)
    assert isinstance(made, LogicalEquations)
    return made


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (  # AB = C, B > A
            question(
                (2, 3, 6),
                equal(side((1, A, B)), side((1, C))),
                Relation(">", side((1, B)), side((1, A))),
            ),
            "2 3 6",
        ),
        (question((5, 10), equal(side((1, B), (-1, A)), side(5))), "5 10"),
        (question((4, 9), Relation("≠", side((1, A)), side(4))), "9 4"),
        (question((3, 7), Relation("not_largest", side((1, A)))), "3 7"),
        (question((3, 7), Relation("not_smallest", side((1, A)))), "7 3"),
        (question((3, 6), Relation("divides", side((1, B)), side((1, A)))), "6 3"),
        (question((1, 1, 2), equal(side((1, A)), side((1, C)))), "1 2 1"),
        (question((2, 1, 2), equal(side((1, A)), side((1, C)))), "2 1 2"),  # in any order
        (  # AB = 2C + 1, A > B
            question(
                (3, 5, 7),
                equal(side((1, A, B)), side((2, C), 1)),
                Relation(">", side((1, A)), side((1, B))),
            ),
            "5 3 7",
        ),
    ],
)
def test_known_answers(asked: LogicalEquations, answer: str) -> None:
    assert asked.solutions() == 1
    assert json.loads(asked.solution()) == {"answer": answer.split(), "process": answer.split()}


@pytest.mark.parametrize(
    ("relation", "words", "chinese"),
    [
        (equal(side((2, B)), side((1, A))), "2B = A", "2B = A"),
        (equal(side((1, D, G)), side((2, F), 1)), "D × G = 2F + 1", "D × G = 2F + 1"),
        (equal(side((1, B), (-1, D)), side(1)), "B - D = 1", "B - D = 1"),
        (equal(side((-3, B), (2, A, C)), side(-1)), "-3B + 2A × C = -1", "-3B + 2A × C = -1"),
        (Relation("≠", side((1, B)), side(3)), "B ≠ 3", "B ≠ 3"),
        (Relation(">", side((1, F)), side((1, E))), "F > E", "F > E"),
        (
            Relation("divides", side((1, A)), side((1, D))),
            "A is a divisor of D",
            "A 是 D 的因数",
        ),
        (Relation("not_largest", side((1, B))), "B is not the largest", "B 不是最大的"),
        (Relation("not_smallest", side((1, B))), "B is not the smallest", "B 不是最小的"),
    ],
)
def test_how_relations_are_written(relation: Relation, words: str, chinese: str) -> None:
    asked = question((1, 2, 3, 4, 5, 6, 7), relation)

    assert relation_words(asked.say("en"), relation) == words
    assert relation_words(asked.say("zh"), relation) == chinese


@pytest.mark.parametrize(("family", "level"), CASES)
def test_the_number_of_solutions(family: str, level: int) -> None:
    """One, and more without any of the relations; by trying all orders as well."""
    for seed in range(10):
        made = drawn(family, level, seed)
        numbers = [int(number) for number in made.work().answer]

        assert solutions(made) == [tuple(numbers)]
        assert sorted(numbers) == list(made.numbers)
        for place in made.rules_in_play():
            others = tuple(one for at, one in enumerate(made.relations) if at != place)
            fewer = LogicalEquations(family, level, made.numbers, others)
            assert made.solutions(place) == fewer.solutions() == len(solutions(fewer)) > 1


def test_counting_against_every_order() -> None:
    """Of relations that were put together at random: with none, one or many solutions."""
    rng, counts = Random("random relations"), set[int]()
    for _ in range(150):
        size = rng.choice((2, 3, 4, 5))
        numbers = tuple(rng.randint(1, 6) for _ in range(size))
        letters = [tuple(rng.choices(range(size), k=rng.choice((1, 1, 2)))) for _ in range(3)]
        kinds = rng.choices(("=", "≠", ">", "divides", "not_largest", "not_smallest"), k=2)
        relations = list[Relation]()
        for kind in kinds:
            left, right = (side((1, *letters[0])), side((rng.randint(1, 3), *letters[1])))
            relations.append(Relation(kind, left, () if kind.startswith("not_") else right))
            rng.shuffle(letters)
        asked = question(numbers, *relations)
        found = solutions(asked)
        counts.add(min(len(found), 2))

        assert asked.solutions() == len(found)
        values = [sorted(set(column)) for column in zip(*found, strict=True)] or [[]] * size
        expected = [str(some[0]) if len(some) == 1 else "*" for some in values]
        assert asked.work().answer == expected
    assert counts == {0, 1, 2}


@pytest.mark.parametrize(("family", "level"), CASES)
def test_numbers_and_relations_are_those_of_the_level(family: str, level: int) -> None:
    kinds = set[str]()
    for seed in range(25):
        made = drawn(family, level, seed)
        kinds |= {relation.kind for relation in made.relations}
        repeats = len(made.numbers) - len(set(made.numbers))

        assert len(made.numbers) == (2, 4, 5, 7)[level]
        assert len(made.relations) == (1, 2, 3, 5)[level]
        assert (repeats > 0) == (family == "b" and level > 0)
    assert kinds == {"="} if level < 3 else kinds == {"=", *OTHERS}


@pytest.mark.parametrize(("family", "level"), CASES)
def test_names_and_orders_do_not_matter(family: str, level: int) -> None:
    """The form is that of all questions with other names of letters and no others."""
    for seed in range(4):
        made = drawn(family, level, seed)
        answer = made.work().answer
        for turn in range(12):
            alike = made.equivalent(Random(turn))
            assert alike.canonical() == made.canonical()
            assert sorted(alike.work().answer) == sorted(answer)
        changed = [
            LogicalEquations(family, level, made.numbers, (*made.relations[1:], other))
            for other in (
                made.relations[0]._replace(kind=">"),
                made.relations[0]._replace(left=(*made.relations[0].left, (1, ()))),
            )
        ]
        assert made.canonical() not in [other.canonical() for other in changed]


def test_equal_forms_are_those_of_isomorphic_questions() -> None:
    """By trying all names, of small questions."""
    made = [drawn("b", 1, seed) for seed in range(60)]
    made += [one.equivalent(Random(1)) for one in made[:20]]
    forms = [one.canonical() for one in made]
    images = [_images(one) for one in made]
    for at, one in enumerate(forms):
        for place, other in enumerate(forms):
            assert (one == other) == (images[at] == images[place])


def _images(one: LogicalEquations) -> tuple[tuple[int, ...], list[Relation]]:
    names = permutations(range(len(one.numbers)))
    return one.numbers, min(sorted(renamed(each, name) for each in one.relations) for name in names)


def test_values_are_exchanged_along_with_names() -> None:
    made = drawn("a", 3, 0)
    alike = made.equivalent(Random(5))
    values = [int(number) for number in alike.work().answer]

    assert all(is_true(relation, values) for relation in alike.relations)


def test_every_kind_is_drawn() -> None:
    """Of the equations, told from the shapes of their sides."""
    shapes = set[str]()
    for seed in range(120):
        made = drawn("b", 2, seed)
        for relation in made.relations:
            words = relation_words(made.say("en"), relation).replace(" ", "")
            shapes.add(re.sub("[0-9]+", "n", re.sub("[A-G]", "x", words)))
    one_letter = {"nx=x", "nx=nx", "x=x"}
    sums = {"x-x=n", "nx+x=n", "x+x=n", "x+x=x"}
    products = {"x×x=n", "x×x=x", "x×x=x+n", "x×x=nx+n"}

    assert shapes == one_letter | sums | products


def test_too_many_letters() -> None:
    with pytest.raises(ValueError, match="fewer than 5 numbers up to 4"):
        LogicalEquations.new(Random(1), level=2, family="a", largest=4)
