"""The prompt for a program is derived for every puzzle, and what it says of views is true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice
from random import Random

import pytest
from jsonschema import Draft202012Validator

from quandary.catalogue import drawing, registry
from quandary.cli.main import main
from quandary.core import codec
from quandary.core.contract import Game, Puzzle, family_of
from quandary.core.errors import UserError
from quandary.matches.engine import Match
from quandary.matches.player import Reply
from quandary.programs.prompt import program_prompt

VIEWS = 200  # per puzzle


@pytest.mark.parametrize("name", registry.names())
def test_every_level_and_family_has_its_rules(name: str) -> None:
    puzzle = registry.load(name)
    instances = [drawing.instance(f"{name}/{place}#1") for place in _places(puzzle)]
    if puzzle.drawn_rules:
        prompts = [program_prompt(puzzle, instance) for instance in instances]
    else:
        prompts = [program_prompt(puzzle)] * len(instances)

    for prompt, instance in zip(prompts, instances, strict=True):
        assert instance.rules() in prompt
        assert '"code"' in prompt and "def play(self, view: dict)" in prompt


def _places(puzzle: type[Puzzle]) -> list[str]:
    """The levels, or the families of all levels."""
    families = [f"{level},family={key}" for level in puzzle.levels for key in puzzle.families]
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


def test_drawn_rules_need_an_instance() -> None:
    with pytest.raises(UserError, match="draws its rules with each instance"):
        program_prompt(registry.load("string_insertion"))


@pytest.mark.parametrize("name", registry.names())
def test_views_fit_their_schema(name: str) -> None:
    puzzle = registry.load(name)
    fits = Draft202012Validator(codec.schema(puzzle))
    views = list(islice(_views(name, puzzle), VIEWS))

    assert len(views) == VIEWS
    for view in views:
        fits.validate(json.loads(view))


def _views(name: str, puzzle: type[Puzzle]) -> Iterator[str]:
    """What seats see in random matches of all levels."""
    for seed in count(1):
        for level in puzzle.levels:
            position = drawing.instance(f"{name}/{level}#{seed}")
            if isinstance(position, Game):
                yield from islice(_views_of_match(position, seed), VIEWS // 10)
            else:
                yield codec.view_json(position, 0)


def _views_of_match(game: Game, seed: int) -> Iterator[str]:
    match, rng = Match(game, str(seed)), Random(seed)
    while turns := match.pending():
        for seat, turn in turns.items():
            yield codec.view_json(turn.position, seat)
        for seat, turn in turns.items():
            legal = list(turn.options) if turn.options else [turn.position.sample(rng)]
            match.hear(seat, Reply(rng.choice(legal)))


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
