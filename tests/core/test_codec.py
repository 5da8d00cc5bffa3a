"""Positions, views and records as JSON."""

from __future__ import annotations

import json

import pytest

from quandary.catalogue import drawing, registry
from quandary.core import codec
from quandary.core.errors import UserError
from quandary.puzzles.duels.card_nim import CardNim
from quandary.tasks.question_game import QuestionGame

PILE = CardNim(5, ((1, 2, 3), (1, 2)), 1, 3)


def test_a_position_is_tagged_with_its_puzzle_and_version() -> None:
    """JSON says what it is."""
    raw = json.loads(codec.to_json(PILE))

    assert (raw["puzzle"], raw["version"], raw["stones"]) == ("card_nim", CardNim.version, 5)
    assert registry.from_json(codec.to_json(PILE)) == PILE


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"puzzle": "card_mim"}, "did you mean 'card_nim'"),
        ({"puzzle": None}, "name of its puzzle"),
        ({"version": 99}, "version 99"),
        ({"stones": "five"}, "Expected `int`"),
        ({"hands": [[1]]}, "length 2"),
        ({"colour": "red"}, "no field 'colour'"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, object], advice: str) -> None:
    """Nothing is decoded that the types do not allow, and the sentence says what is wrong."""
    raw = json.loads(codec.to_json(PILE)) | change

    with pytest.raises(UserError, match=advice):
        registry.from_json(json.dumps(raw))


def test_text_that_is_no_json_is_a_mistake() -> None:
    """Any text is decoded or refused."""
    for text in ("", "{", "[]", "null", '"x"', "[" * 10_000):
        with pytest.raises(UserError):
            registry.from_json(text)


def test_a_view_holds_no_secret() -> None:
    """Secret fields are absent from a view's JSON, and of Private ones only the owner's entry is
    there.
    """
    for name in registry.names():
        puzzle = registry.load(name)
        marks = dict(registry_marks(name))
        game = drawing.game(f"{name}/{next(iter(puzzle.levels))}#1")
        raw = codec.view(game, 0)
        if isinstance(game, QuestionGame):
            raw = raw["question"]
        for field, mark in marks.items():
            if mark == "secret":
                assert field not in raw
            if mark == "private":
                assert raw[field] == getattr(game, field)[0]


def registry_marks(name: str) -> tuple[tuple[str, str], ...]:
    from quandary.core.secrecy import hidden_fields

    return hidden_fields(registry.load(name))


def test_a_schema_describes_the_view() -> None:
    """A program's author is told exactly the fields of a view."""
    for name in registry.names():
        puzzle = registry.load(name)
        instance = drawing.instance(f"{name}/{next(iter(puzzle.levels))}#1")
        described = codec.schema(puzzle)["$defs"][puzzle.__name__]["properties"]

        assert set(codec.view(instance, 0)) == set(described)
