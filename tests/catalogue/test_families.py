"""Families in specs, suites and JSON."""

from __future__ import annotations

import json
from random import Random

import pytest

from broken_puzzles import SoundFamilies
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing, registry
from quandary.core.codec import schema, to_json, view_json
from quandary.core.contract import Puzzle
from quandary.core.errors import UserError
from quandary.core.mixins.families import families_of, family_of
from quandary.puzzle_docs.puzzle_page import page
from quandary.puzzles.questions.execution.reversi import Reversi

WITH_FAMILIES = [name for name in registry.names() if families_of(registry.load(name))]
SUITE = (
    "[[puzzles]]\npuzzle = 'reversi'\nlevels = ['2']\nseeds = '1-2'\nchanges = {{family = '{}'}}"
)


def test_an_unknown_family_is_refused_with_the_nearest_name() -> None:
    """In a spec a wrong family gets advice, like a wrong level."""
    with (
        registry.registered(SoundFamilies),
        pytest.raises(UserError, match="did you mean 'double'"),
    ):
        drawing.instance("sound_families/only,family=duble#1")
    with pytest.raises(UserError, match="unknown family 'c' of reversi; choose a or b"):
        drawing.instance("reversi/0,family=c#1")


def test_an_unknown_family_is_refused_by_new() -> None:
    """Whoever calls `new` is told the names of the families."""
    with pytest.raises(ValueError, match="family=c is unknown; choose one of a, b"):
        Reversi.new(Random(0), family="c")


@pytest.mark.parametrize("name", WITH_FAMILIES)
def test_a_spec_names_the_family(name: str) -> None:
    """Every family can be asked for, at every level, as a puzzle or as something to play."""
    puzzle = registry.load(name)
    for level in puzzle.levels:
        for family in families_of(puzzle):
            spec = f"{name}/{level},family={family}#3"

            assert str(drawing.named(spec)) == spec
            assert family_of(drawing.instance(spec)) == family
            assert family_of(drawing.game(spec)) == family


def test_puzzles_without_families_have_none() -> None:
    """There is no family to name, and none can be asked for."""
    assert family_of(drawing.game("sudoku/easy#1")) == ""
    with pytest.raises(UserError, match="unknown argument 'family' of sudoku"):
        drawing.instance("sudoku/easy,family=a#1")


def test_a_suite_may_choose_a_family() -> None:
    """`family` is one of the arguments that an entry may change."""
    suite = read_suite("mine", SUITE.format("b"))

    assert [str(spec) for spec in suite.specs] == ["reversi/2,family=b#1", "reversi/2,family=b#2"]
    assert {family_of(drawing.instance(spec)) for spec in suite.specs} == {"b"}
    with pytest.raises(UserError, match="unknown family 'c' of reversi"):
        read_suite("mine", SUITE.format("c"))


def _elsewhere(text: str) -> str:
    """A position or view as JSON, with a family that does not exist."""
    return json.dumps({**json.loads(text), "family": "c"})


def test_json_of_an_unknown_family_is_refused() -> None:
    """Positions and views are of families that exist, and the schema lists these."""
    question: Puzzle = drawing.instance("reversi/0,family=b#1")

    assert registry.from_json(to_json(question)) == question
    with pytest.raises(UserError, match="unknown family 'c' of reversi"):
        registry.from_json(_elsewhere(to_json(question)))
    with pytest.raises(UserError, match="unknown family 'c' of reversi"):
        registry.from_view_json(_elsewhere(view_json(question, 0)))
    assert schema(Reversi)["$defs"]["Reversi"]["properties"]["family"]["enum"] == ["a", "b"]


@pytest.mark.parametrize("name", WITH_FAMILIES)
def test_the_page_lists_the_families(name: str) -> None:
    """The page of a puzzle says what its families are, and how one is chosen."""
    text, families = page(name), families_of(registry.load(name))
    level, first = next(iter(registry.load(name).levels)), next(iter(families))

    assert "## Families" in text
    assert all(f"- `{key}`: {words}\n" in text for key, words in families.items())
    assert f"`{name}/{level},family={first}#1`" in text
    assert "## Families" not in page("sudoku")
