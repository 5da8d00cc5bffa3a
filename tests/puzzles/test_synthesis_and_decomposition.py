"""Synthesis and decomposition: known goods, kinds of methods, and starts for their methods."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from quandary.catalogue.drawing import instance
from quandary.puzzles.questions.execution._shared.synthesis.solver import KINDS, Method
from quandary.puzzles.questions.execution.synthesis_and_decomposition import (
    SynthesisAndDecomposition,
)

FAMILIES = [(family, level) for family in "abcd" for level in range(4)]
GOODS = {"a": (2, 3, 3, 4), "b": (2, 3, 3, 3), "c": (3, 2, 3, 4), "d": (2, 3, 3, 5)}
PRODUCTS = {"a": (1, 1, 2, 2), "b": (1, 1, 2, 3), "c": (2, 2, 2, 2), "d": (2, 2, 2, 3)}
METHODS = {"a": (2, 3, 4, 5), "b": (2, 3, 4, 5), "c": (2, 3, 3, 4), "d": (2, 3, 4, 5)}
KNOWN = {"a": (1, 2, 3, 3), "b": (1, 1, 2, 3), "c": (1, 2, 2, 3), "d": (1, 2, 2, 3)}


def drawn(family: str, level: int, seeds: int) -> list[SynthesisAndDecomposition]:
    name = "synthesis_and_decomposition"
    return [instance(f"{name}/{level},family={family}#{seed}") for seed in range(seeds)]


def kind_of(method: Method, goods: int) -> str:
    takes_goods, takes_products = any(method.takes[:goods]), any(method.takes[goods:])
    if any(method.makes[:goods]):
        return "change"
    return "make" if not takes_products else "refine" if takes_goods else "combine"


def test_the_worked_example() -> None:
    """2 ore make a bar; a bar and coal make a gear."""
    methods = Method((2, 0, 0, 0), (0, 0, 1, 0)), Method((0, 1, 1, 0), (0, 0, 0, 1))
    work = SynthesisAndDecomposition("b", 1, methods, (4, 1, 0, 0), 2).work()

    assert work.process == [["2", "1", "1", "0"], ["2", "0", "0", "1"], ["0", "0", "1", "1"]]
    assert work.answer == ["0", "0", "1", "1"]


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_sizes_and_kinds_of_methods(family: str, level: int) -> None:
    """Numbers of goods, products and methods are the paper's; all are taken or made."""
    for made in drawn(family, level, 10):
        goods, products = GOODS[family][level], PRODUCTS[family][level]
        assert (made.goods, len(made.counts)) == (goods, goods + products)
        assert len(made.methods) == METHODS[family][level]
        assert all(made.counts[:goods]) and not any(made.counts[goods:])
        kinds = {kind_of(method, goods) for method in made.methods}
        assert kinds == set(KINDS[family][: KNOWN[family][level]])
        for kind in range(goods):
            assert any(method.takes[kind] for method in made.methods)
        for kind in range(goods, goods + products):
            assert any(method.makes[kind] for method in made.methods)
        assert (3, 4, 4, 6)[level] <= len(made.work().process) <= (6, 9, 9, 12)[level]


@pytest.mark.parametrize(("family", "level"), FAMILIES)
def test_methods_come_to_an_end(family: str, level: int) -> None:
    """In some order of the goods, each makes only what comes after all that it takes."""
    for made in drawn(family, level, 5):
        products = tuple(range(made.goods, len(made.counts)))
        assert any(
            all(
                max(order.index(kind) for kind, number in enumerate(takes) if number)
                < min(order.index(kind) for kind, number in enumerate(makes) if number)
                for takes, makes in made.methods
            )
            for order in (goods + products for goods in permutations(range(made.goods)))
        )


def test_siblings_are_found_where_few_starts_are_good() -> None:
    """For some of these methods it is fewer than one in a hundred; so near ones are tried too."""
    for seed, made in enumerate(drawn("d", 3, 300)):
        assert made.sibling(Random(seed), level=3).work().answer != made.work().answer


@pytest.mark.parametrize(
    ("family", "english", "chinese"),
    [
        (
            "a",
            "Exchange 2 units of crop A for 1 unit of product X.",
            "2 份作物 A 换成 1 份农产品 X。",
        ),
        ("b", "Turn 2 machines of type A into 1 part of type X.", "2 台机械 A 变成 1 个零件 X。"),
        (
            "c",
            "Use up 2 units of sample A to get 1 unit of molecule X.",
            "用掉 2 份样本 A，得到 1 份分子 X。",
        ),
        (
            "d",
            "Use up 2 units of ingredient A to make 1 unit of dish X.",
            "用掉 2 份食材 A，做出 1 份菜品 X。",
        ),
    ],
)
def test_a_method_in_words(family: str, english: str, chinese: str) -> None:
    made = SynthesisAndDecomposition(family, 0, (Method((2, 0), (0, 1)),), (2, 0), 1)

    assert made.rules().splitlines()[1] == f"Method 1: {english}"
    assert made.rules("zh").splitlines()[1] == f"方法 1：{chinese}"


@pytest.mark.parametrize(
    ("level", "story"),
    [
        (0, "of the types A and B into parts of type X by these methods:"),
        (1, "of the types A, B and C into parts of type X by these methods:"),
        (2, "into parts of the types X and Y, or into other machines, by these methods:"),
        (3, "X, Y and Z or into other machines, and parts into other parts, by these methods:"),
    ],
)
def test_what_machines_are_turned_into(level: int, story: str) -> None:
    for made in drawn("b", level, 3):
        assert made.rules().splitlines()[0].endswith(story)


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        ({"family": "a", "level": 3, "methods": 2}, "3 kinds of methods need 3 methods or more"),
        ({"family": "c", "level": 1, "products": 1}, "need 2 products or more in family c"),
    ],
)
def test_sizes_out_of_reach(sizes: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SynthesisAndDecomposition.new(Random(0), **sizes)
