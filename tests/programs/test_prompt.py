"""The prompt for a program is derived for every puzzle, and what it says of views is true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice, pairwise
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from quandary.catalogue import drawing, registry
from quandary.cli.main import main
from quandary.core import codec
from quandary.core.contract import Game, Puzzle, Question, Seat
from quandary.core.errors import UserError
from quandary.core.mixins.families import families_of, family_of
from quandary.core.naming import name_of
from quandary.matches.match import Match
from quandary.matches.player import Reply
from quandary.programs.prompt import program_prompt

VIEWS, FEW_VIEWS = 200, 20  # per puzzle


@pytest.mark.parametrize("name", registry.names())
def test_every_level_and_family_has_its_rules(name: str) -> None:
    puzzle = registry.load(name)
    instances = [drawing.instance(f"{name}/{place}#1") for place in _places(puzzle)]
    if puzzle.drawn_rules:
        prompts = [
            program_prompt(puzzle, instance, place=place)
            for place, instance in zip(_places(puzzle), instances, strict=True)
        ]
    else:
        prompts = [program_prompt(puzzle)] * len(instances)

    for prompt, instance in zip(prompts, instances, strict=True):
        assert instance.rules() in prompt
        assert '"code"' in prompt and "def play(self, view: dict)" in prompt


def _places(puzzle: type[Puzzle]) -> list[str]:
    """The levels, or the families of all levels."""
    families = [f"{level},family={key}" for level in puzzle.levels for key in families_of(puzzle)]
    return families or list(puzzle.levels)


@pytest.mark.parametrize("name", registry.names())
def test_only_rules_that_are_declared_as_drawn_differ_within_a_level(name: str) -> None:
    puzzle = registry.load(name)
    differ = any(
        len({drawing.instance(f"{name}/{place}#{seed}").rules() for seed in range(1, 9)}) > 1
        for place in _places(puzzle)
    )

    assert puzzle.drawn_rules == differ


@pytest.mark.parametrize("name", registry.names())
def test_every_field_is_described(name: str) -> None:
    puzzle = registry.load(name)
    (own,) = [
        definition["properties"]
        for title, definition in codec.schema(puzzle)["$defs"].items()
        if title == puzzle.__name__
    ]
    plain = {"puzzle", "version"}

    assert plain == {field for field, schema in own.items() if "description" not in schema}


@pytest.mark.parametrize("name", registry.names())
def test_every_field_of_a_class_inside_is_described(name: str) -> None:
    puzzle = registry.load(name)
    for title, definition in codec.schema(puzzle)["$defs"].items():
        if title != puzzle.__name__:
            entries = definition.get("prefixItems", []) + [
                schema for key, schema in definition.get("properties", {}).items() if key != "type"
            ]

            assert entries and all("description" in entry for entry in entries), title
            assert "prefixItems" not in definition or all("title" in entry for entry in entries)
            assert "\n    " not in definition["description"]


def test_drawn_rules_need_an_instance() -> None:
    with pytest.raises(UserError, match="draws its rules with each instance"):
        program_prompt(registry.load("string_insertion"))


@pytest.mark.parametrize("views", [FEW_VIEWS, pytest.param(VIEWS, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", registry.names())
def test_views_and_data_fit_the_schemas_that_are_shown(name: str, views: int) -> None:
    """Of moves, every legal one of a level; of answers, unless it is said that their schema is of
    one question.
    """
    puzzle = registry.load(name)
    prompt = _prompt(puzzle)
    [view] = _schemas(prompt, "is given a dict that fits this JSON schema")
    shared = _schemas(prompt, "may also return data that fits this JSON schema")
    of_one = _schemas(prompt, "For one question")
    seen = list(islice(_seen(puzzle, views), views))

    assert len(seen) == views
    for position, seat in seen:
        view.validate(json.loads(codec.seen_json(position, seat)))
    for position, seat in seen if issubclass(puzzle, Game) else ():
        for data in _moves(position, seat):
            assert any(each.is_valid(data) for each in shared), data
    if issubclass(puzzle, Question):
        own = [shape and shape.schema() for shape in (asked.answer_shape() for asked, _ in seen)]
        shown = [each.schema for each in shared] or [None]
        assert bool(of_one) == any(schema not in shown for schema in own)


def _moves(position: Game, seat: Seat) -> Iterator[object]:
    """Legal moves as data."""
    notation = position.notation()
    for move in islice(position.options()[seat] or (), 20) if notation else ():
        yield notation.to_json(move)


def _prompt(puzzle: type[Puzzle]) -> str:
    """What models are sent; of a puzzle with drawn rules, for one of its levels after another."""
    if not puzzle.drawn_rules:
        return program_prompt(puzzle)
    name = name_of(puzzle)
    instances = {place: drawing.instance(f"{name}/{place}#1") for place in _places(puzzle)}
    prompts = [program_prompt(puzzle, each, place=place) for place, each in instances.items()]
    views = [_schemas(prompt, "is given a dict that fits")[0].schema for prompt in prompts]
    assert all(view == views[0] for view in views)
    return "\n\n".join([prompts[0], *(prompt.partition("given as")[2] for prompt in prompts[1:])])


def _schemas(prompt: str, before: str) -> list[Draft202012Validator]:
    """The JSON schemas that follow paragraphs with these words."""
    lines = prompt.splitlines()
    following = [line for words, line in pairwise(lines) if before in words]
    return [Draft202012Validator(json.loads(line)) for line in following]


def _seen(puzzle: type[Puzzle], views: int) -> Iterator[tuple[Any, Seat]]:
    """What seats see in random matches of all levels."""
    for seed in count(1):
        for place in _places(puzzle):
            position = drawing.instance(f"{name_of(puzzle)}/{place}#{seed}")
            if isinstance(position, Game):
                yield from islice(_seen_in_match(position, seed), views // 10)
            else:
                yield position.seen_by(0), 0


def _seen_in_match(game: Game, seed: int) -> Iterator[tuple[Game, Seat]]:
    match, rng = Match(game, str(seed)), Random(seed)
    while turns := match.pending():
        for seat, turn in turns.items():
            yield turn.position, seat
        for seat, turn in turns.items():
            legal = list(turn.options) if turn.options else [turn.position.sample(rng)]
            match.receive(seat, Reply(rng.choice(legal)))


def test_bounds_of_games_are_those_of_all_instances(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of its level, also if one instance is named."""
    for name in ("ruby_risks", "ruby_risks/easy#1"):
        assert 0 == main(["prompt", name, "--code"])
        schema = _schemas(capsys.readouterr().out, "may also return data")[0].schema
        assert {"type": "integer", "minimum": 0, "maximum": 70} == schema["properties"]["rubies"]
    assert drawing.game("ruby_risks/easy#1").notation().schema() != schema  # type: ignore[union-attr]


def test_an_instance_has_the_rules_of_its_level_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """And its own position as the example; a note says what a run asks for."""
    assert 0 == main(["prompt", "expanding_nim/hard#3", "--code"])
    out, err = capsys.readouterr()
    instance = drawing.instance("expanding_nim/hard#3")
    assert "games of expanding_nim of the level hard, from every seat" in out
    assert f"Rules:\n{instance.rules()}\n" in out
    assert instance.seen_by(0).text(0) in out
    assert "for all levels, as `quandary prompt expanding_nim --code` does" in err
    assert 0 == main(["prompt", "expanding_nim", "--code"])
    whole, err = capsys.readouterr()
    assert "of every level" in whole and "" == err


def test_an_instance_has_the_rules_of_its_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["prompt", "reversi/1#2", "--code"])
    out = capsys.readouterr().out
    instance = drawing.instance("reversi/1#2")
    assert f"of the level 1,family={family_of(instance)}." in out
    assert 1 == out.count("Rules") and instance.rules() in out


def test_tasks_have_no_prompt_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["prompt", "check:sudoku/easy#1", "--code"])
    assert "check:sudoku is a task; write sudoku." in capsys.readouterr().err
