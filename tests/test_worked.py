"""Promises of all questions with worked answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

import pytest

from quandary.catalogue import registry
from quandary.core.mixins.families import families_of
from quandary.core.worked import Worked
from worked_replies import REPLIES

NAMES = [name for name in registry.names() if issubclass(registry.load(name), Worked)]
FAMILIES = [
    (name, family, level)
    for name in NAMES
    for family in families_of(registry.load(name))
    for level in range(4)
]
FEW, MANY = 5, 300  # instances per family and level
ODD = [
    [],
    [""],
    ["\ud800"],
    ["x"] * 99,
    [[]],
    [["x"], []],
    [["-1", "1e9"]],
    [[["x"]]],
    [[[]]],
    [0.5],
]


ODD_ENTRIES: list[Any] = [
    *(
        "",
        " ",
        "0",
        "X",
        "*",
        "(",
        ")",
        "()",
        "+",
        "×",
        "-1",
        "1/0",
        "0.5",
        "1e999",
        "½",
        "٣",
        "二",
    ),
    *("9" * 5_000, "\ud800", "\x00", "a b", "((((" * 99, None, True, 7, 10**30, [], ["1"], {}),
]


def _replaced(value: Any, odd: Any, last: bool) -> Any:
    """The same with its first or last entry replaced."""
    if not isinstance(value, list) or not value:
        return odd
    place = len(value) - 1 if last else 0
    return [_replaced(one, odd, last) if at == place else one for at, one in enumerate(value)]


def _instances(name: str, family: str, level: int, amount: int) -> Iterator[Worked]:
    puzzle = registry.load(name)
    for seed in range(amount):
        rng = Random(f"{name}/{level},family={family}#{seed}")
        made = puzzle.new(rng, **puzzle.levels[str(level)] | {"family": family})
        assert isinstance(made, Worked)
        yield made


def _check_second_working(name: str, instances: Iterable[Worked]) -> None:
    assert find_spec(f"proofs.second_workings.{name}"), (
        f"write proofs/second_workings/{name}.py, as CONTRIBUTING.md shows"
    )
    second = import_module(f"proofs.second_workings.{name}")
    for number, made in enumerate(instances):
        own, other = tuple(made.work()), tuple(second.work(made))
        assert own == other, (
            f"instance {number} of {name}/{made.level},family={made.family} is worked to\n{own}\n"
            f"by the puzzle, and by proofs/second_workings/{name}.py to\n{other}"
        )


def _check_scores(name: str, instances: Iterable[Worked]) -> None:
    """What is right has all points in every language; an entry that is changed costs some."""
    rng = Random(name)
    for made in instances:
        right = json.loads(made.solution())
        for language in made.languages:
            assert {1.0} == set(dict(made.check(made.solution(), language).parts).values())
        wrong = dict(
            made.check(json.dumps(right | {"answer": _changed(right["answer"], rng)})).parts
        )
        assert (0.0, 0.0) == (wrong["answer"], wrong["answer_and_process"])
        if "process" not in right:
            continue
        for process in (
            _changed(right["process"], rng),
            right["process"][:-1],
            [*right["process"], right["process"][-1]],
        ):
            wrong = dict(made.check(json.dumps(right | {"process": process})).parts)
            assert (1.0, 0.0) == (wrong["answer"], wrong["answer_and_process"])
            assert wrong["process"] < 1.0


def _changed(value: Any, rng: Random) -> Any:
    """The same with one entry changed."""
    if isinstance(value, str | int):
        return type(value)(f"{value}1")
    if not value:
        return ["1"]
    place = rng.randrange(len(value))
    return [_changed(one, rng) if at == place else one for at, one in enumerate(value)]


@pytest.mark.parametrize(("name", "family"), [each[:2] for each in FAMILIES if each[2] == 3])
def test_a_second_way_of_working_agrees(name: str, family: str) -> None:
    """At every level, the easiest first."""
    for level in range(4):
        _check_second_working(name, _instances(name, family, level, FEW))


@pytest.mark.parametrize(("name", "family", "level"), FAMILIES)
def test_every_entry_counts(name: str, family: str, level: int) -> None:
    _check_scores(name, _instances(name, family, level, FEW))


@pytest.mark.parametrize(("name", "family"), [each[:2] for each in FAMILIES if each[2] == 3])
def test_any_reply_is_judged(name: str, family: str) -> None:
    """Whatever it is, and whatever its answer consists of."""
    texts = [text for text, _, _ in REPLIES.values()]
    texts += [json.dumps({"answer": odd, "process": odd}) for odd in ODD]
    for made in _instances(name, family, 3, 1):
        verdicts = [made.check(text) for text in texts]
        assert all(verdict.kind and verdict.score == 0.0 for verdict in verdicts)


@pytest.mark.parametrize(("name", "family"), [each[:2] for each in FAMILIES if each[2] == 3])
def test_an_answer_of_our_shape_is_judged(name: str, family: str) -> None:
    """Whatever stands in place of one entry, also where several answers are right."""
    for made in _instances(name, family, 3, 1):
        right = json.loads(made.solution())
        for odd in ODD_ENTRIES:
            for answer in (_replaced(right["answer"], odd, last) for last in (False, True)):
                for process in ({}, {"process": right.get("process")}, {"process": answer}):
                    verdict = made.check(json.dumps({"answer": answer} | process))
                    assert verdict.score in (0.0, 1.0) and bool(verdict.kind) != verdict.score


@pytest.mark.parametrize(("name", "family", "level"), FAMILIES)
def test_siblings_have_the_same_rules(name: str, family: str, level: int) -> None:
    """Which they all use from level 2 on; where rules are drawn, the answer is another one."""
    for seed, made in enumerate(_instances(name, family, level, FEW)):
        sibling = made.sibling(Random(seed), **made.levels[str(level)])

        assert sibling.rules() == made.rules()
        assert sibling != made or registry.load(name).distinct_instances
        assert level == 0 or not made.drawn_rules or sibling.work() != made.work()
        assert level < 2 or sibling.uses_every_rule()


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "family", "level"), FAMILIES)
def test_promises_hold_for_many(name: str, family: str, level: int) -> None:
    instances = list(_instances(name, family, level, MANY))
    _check_second_working(name, instances)
    _check_scores(name, instances)
    assert level < 2 or all(made.uses_every_rule() for made in instances)
