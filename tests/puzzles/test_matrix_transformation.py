"""Matrix transformation: known matrices, no symmetric ones, and what is told."""

from __future__ import annotations

import re
from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution.matrix_transformation import MatrixTransformation

LEVELS = [(family, level) for family in "ab" for level in range(4)]


def transformed(family: str, matrix: str) -> str:
    answer, process = MatrixTransformation(family, 2, tuple(matrix.split("/"))).work()
    assert answer == process
    return "/".join(map("".join, answer))


def test_the_worked_example_of_the_specification() -> None:
    turned = MatrixTransformation("a", 2, ("abc", "def")).work().answer

    assert turned == [["d", "a"], ["e", "b"], ["f", "c"]]


@pytest.mark.parametrize("family", ["a", "b"])
def test_the_example_of_the_rules(family: str) -> None:
    rules = MatrixTransformation(family, 2, ()).rules()
    before, after = re.findall(r"the matrix (.*?) \(where.*?becomes (.*?)\.", rules)[0]

    assert transformed(family, before.replace(" ", "")) == after.replace(" ", "")


@pytest.mark.parametrize(("family", "after"), [("a", "JGDA/KHEB/LIFC"), ("b", "CBA/FED/IHG/LKJ")])
def test_by_hand(family: str, after: str) -> None:
    assert transformed(family, "ABC/DEF/GHI/JKL") == after


@pytest.mark.parametrize(("family", "level"), LEVELS)
def test_sizes_and_symmetry(family: str, level: int) -> None:
    """The sizes are the paper's; turned the other way or upside down, a matrix differs."""
    sizes = {"a": ((2, 2), (4, 4), (5, 5), (8, 5)), "b": ((2, 2), (3, 4), (5, 5), (5, 8))}
    for seed in range(20):
        made = instance(f"matrix_transformation/{level},family={family}#{seed}")
        rows = [list(row) for row in made.matrix]
        upside_down = rows[::-1]
        left_turn = [list(column) for column in zip(*rows, strict=True)][::-1]

        assert (len(rows), len(rows[0])) == sizes[family][level]
        assert made.work().answer not in (rows, upside_down, left_turn)
        assert made.asks_process == (level > 0)


@pytest.mark.parametrize("family", ["a", "b"])
def test_both_languages_name_the_same(family: str) -> None:
    made = instance(f"matrix_transformation/1,family={family}#1")

    matrices = r"\b[a-z](?: [a-z/](?![a-z]))+"

    assert len(re.findall(matrices, made.rules())) == 2
    assert re.findall(matrices, made.rules()) == re.findall(matrices, made.rules("zh"))
    assert made.text(0).splitlines()[1:] == made.text(0, "zh").splitlines()[1:]


def test_turned_matrices_are_the_same_task() -> None:
    """A matrix that is turned before it is turned; one that is mirrored would be turned back."""
    one, turned, mirrored = (
        MatrixTransformation("a", 1, rows) for rows in (("AB", "CD"), ("CA", "DB"), ("BA", "DC"))
    )

    assert one.canonical() == turned.canonical() != mirrored.canonical()


def test_mirrored_matrices_are_the_same_task() -> None:
    one, mirrored, flipped, turned = (
        MatrixTransformation("b", 1, rows)
        for rows in (("AB", "CD"), ("BA", "DC"), ("CD", "AB"), ("CA", "DB"))
    )

    assert one.canonical() == mirrored.canonical() == flipped.canonical() != turned.canonical()


def test_large_matrices_are_refused() -> None:
    with pytest.raises(ValueError, match="rows=60 is out of bounds; write 2 to 20"):
        MatrixTransformation.new(Random(0), rows=60)
