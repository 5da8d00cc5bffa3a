"""Worked answers of whole numbers; the promises of all categories are in tests/test_worked.py."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Self

import pytest

from quandary.core.contract import Seat
from quandary.core.words import Say
from quandary.core.worked import Words, Work, Worked, grown


@dataclass(frozen=True)
class Squares(Worked):
    """A grid of whole numbers, which is asked for again as the process."""

    rows: tuple[tuple[int, ...], ...]

    families = {"a": "the given numbers"}
    sizes = {"a": grown(side=(2, 2, 3, 3))}

    @classmethod
    def draw(cls, rng: Random, family: str, level: int, *, side: int) -> Self:
        numbers = range(1, side + 1)
        return cls(family, level, tuple(tuple(rng.choices(numbers, k=side)) for _ in numbers))

    def work(self, without: object = None) -> Work:
        return Work.repeated([list(row) for row in self.rows])

    def explain(self, say: Say) -> str:
        return say("Repeat the grid.")

    def words(self, say: Say) -> Words:
        return Words(say("the rows."), say("the same."), Work.repeated([[1, 2], [2, 1]]))

    def text(self, seat: Seat, language: str = "en") -> str:
        return str(self.rows)


def _squares(*rows: tuple[int, ...]) -> Squares:
    return Squares("a", 0, rows)


def test_their_schema_is_as_deep_as_they_are() -> None:
    grid = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}

    schema = _squares((1, 2), (2, 1)).answer_shape().schema()

    assert {"answer": grid, "process": grid} == schema["properties"]


@pytest.mark.parametrize("rows", [((1, 2), (2, 1)), ((3, 3), (3, 3)), ((0,),)])
def test_a_guess_is_another_grid_of_whole_numbers(rows: tuple[tuple[int, ...], ...]) -> None:
    question = _squares(*rows)
    for seed in range(50):
        guess = json.loads(question.sample(Random(seed)))

        assert guess["answer"] == guess["process"] != json.loads(question.solution())["answer"]
        assert {int} == {type(cell) for row in guess["answer"] for cell in row}


def test_numbers_as_texts_are_right_by_the_lenient_measure_only() -> None:
    question = _squares((1, 2), (2, 1))
    said = [["1", "2"], ["2", "1"]]
    parts = dict(question.check(json.dumps({"answer": said, "process": said})).parts)

    assert (0.0, 1.0) == (parts["answer"], parts["lenient_answer"])
    assert 1.0 == question.check(question.solution()).score


def test_the_last_of_several_numbers_is_the_answer() -> None:
    assert Work([8], [2, 4, 8]) == Work.of_steps([2, 4, 8])
