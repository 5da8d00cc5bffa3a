"""Finding puzzles and making instances."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

import pytest

from quandary.catalogue import drawing, registry
from quandary.core.codec import to_json
from quandary.core.contract import Game, Question
from quandary.core.errors import UserError

SCRIPT = """
import json, random, sys
random.seed(int(sys.argv[1]))
from quandary.core import codec
from quandary.catalogue import drawing, registry
specs = json.load(sys.stdin)
if sys.argv[2] == "backwards":
    specs = specs[::-1]
print(json.dumps({spec: codec.to_json(drawing.instance(spec)) for spec in specs}))
"""


def _elsewhere(specs: Sequence[str], hash_seed: str, order: str) -> dict[str, str]:
    """The same instances, made in another process."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, hash_seed, order],
        input=json.dumps(specs), capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )  # fmt: skip
    result: dict[str, str] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.heavy) for n in (2, 3, 4))]
)
def test_a_name_is_the_same_instance_everywhere(seed: int) -> None:
    """Another process, another hash seed, another order: the same instances."""
    specs = [
        f"{name}/{level}#{seed}"
        for name in registry.names()
        for level in registry.load(name).levels
    ]
    here = {spec: to_json(drawing.instance(spec)) for spec in specs}

    assert here == _elsewhere(specs, "1", "forwards")
    assert here == _elsewhere(specs, "4242", "backwards")


def test_names_rooms_and_classes_agree() -> None:
    """A puzzle is found by its file's name and knows it."""
    for name in registry.names():
        puzzle = registry.load(name)

        assert name == registry.name_of(puzzle)
        group = registry.group(name).split("/")[0]
        seats = {"duels": 2, "solo": 1}.get(group)
        assert (
            issubclass(puzzle, Question)
            if seats is None
            else issubclass(puzzle, Game) and puzzle.seats == seats
        )


@pytest.mark.parametrize(
    ("spec", "advice"),
    [
        ("card_nimm/easy#1", "did you mean 'card_nim'"),
        ("card_nim/esy#1", "did you mean 'easy'"),
        ("card_nim/easy,stone=3#1", "did you mean 'stones'"),
        ("card_nim/easy,stones=x#1", "write a number"),
        ("card_nim/easy,stones=9..5#1", "range is empty"),
        (
            "islands/easy,size=3-4#1",
            r"size=3-4 does not fit islands: write a number, or a range such as 3\.\.4",
        ),
        ("islands/easy,size=3..4..5#1", r"a range such as 3\.\.4"),
        ("card_nim/easy,stones=100,top=2..3#1", "no hands"),
        ("check:card_nim/easy#1", "more than one seat"),
        ("whole:card_nim/easy#1", "more than one seat"),
    ],
)
def test_a_wrong_spec_gets_advice(spec: str, advice: str) -> None:
    """Unknown names and impossible arguments are refused with a sentence."""
    with pytest.raises(UserError, match=advice):
        drawing.instance(spec)


def test_arguments_in_a_spec_reach_the_generator() -> None:
    """A spec may set what the level does not."""
    pile = drawing.instance("card_nim/easy,stones=5,top=3#1")

    assert (pile.stones, pile.hands) == (5, ((1, 2, 3), (1, 2, 3)))  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["stones=30", "stones=30..30", "stones=030"])
def test_one_instance_has_one_spelling(text: str) -> None:
    """However an argument is written, it is the same instance of the same name."""
    assert "card_nim/easy,stones=30#1" == str(drawing.named(f"card_nim/easy,{text}#1"))
    assert drawing.instance("card_nim/easy,stones=30#1") == drawing.instance(
        f"card_nim/easy,{text}#1"
    )


def test_an_argument_of_the_level_is_no_change() -> None:
    """Saying what the level says anyway names the same instance."""
    assert "sudoku/easy#1" == str(drawing.named("sudoku/easy,side=4#1"))


@pytest.mark.parametrize(
    "text", ["stones=+30", "stones=3_0", "stones= 30", "stones=３０", "stones=1e1"]
)
def test_odd_numbers_are_refused(text: str) -> None:
    """A number has one way to be written."""
    with pytest.raises(UserError, match="write a number"):
        drawing.instance(f"card_nim/easy,{text}#1")


@pytest.mark.parametrize("name", ["attempt", "whole", "check", "next"])
def test_ways_of_asking_are_no_puzzles(name: str) -> None:
    """Wrappers are named by tasks, not as puzzles."""
    with pytest.raises(UserError, match="unknown puzzle"):
        drawing.instance(f"{name}/only#1")


def test_judging_a_position_is_asked_once() -> None:
    """A wrong label names the right one, so there is no second try."""
    assert 1 == drawing.game("check:sudoku/easy#1", tries=3).tries  # type: ignore[attr-defined]
    assert 3 == drawing.game("next:sudoku/easy#1", tries=3).tries  # type: ignore[attr-defined]
