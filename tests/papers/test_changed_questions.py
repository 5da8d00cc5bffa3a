"""Questions of an import that were changed by hand: each is played or refused, and none hangs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hanging import hangs
from quandary.catalogue import drawing, registry
from quandary.core import codec
from quandary.core.errors import UserError
from quandary.core.mixins.families import families_of
from quandary.core.worked import Worked
from quandary.papers.imports import PROBLEMS, problems_of

NAMES = [name for name in registry.names() if issubclass(registry.load(name), Worked)]
PLACES, ODD = 12, [None, True, 0, -1, 10**6, 10**30, 0.5, "", "z", [], [[]], [1, 2, 3], {}]
Place = tuple[str | int, ...]


def _places(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Everything that a question consists of, and where it is."""
    if path:
        yield path, value
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(each, (*path, key))


def _with(value: Any, path: Place, new: object) -> Any:
    """A copy with another value at a place."""
    if not path:
        return new
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _with(value[path[0]], path[1:], new)
    return changed


def _changed(question: dict[str, Any], rng: Random) -> Iterator[dict[str, Any]]:
    """Entries of other kinds, shorter and longer lists and texts, missing fields."""
    own = {key: value for key, value in question.items() if key not in ("puzzle", "version")}
    places = list(_places(own))
    for path, value in rng.sample(places, min(len(places), PLACES)):
        for odd in rng.sample(ODD, 3):
            yield _with(question, path, odd)
        if isinstance(value, list | str):
            yield from (_with(question, path, value * times) for times in (2, 20))
            yield _with(question, path, value[:-1])
        if isinstance(value, list) and all(isinstance(row, list | str) for row in value):
            yield _with(question, path, [row * 5 for row in value] * 5)
    for key in own:
        yield {kept: value for kept, value in question.items() if kept != key}


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    (tmp_path / "manifest.json").write_text('{"import": "logicgame"}')
    return tmp_path


@pytest.mark.parametrize("level", ["0", "3"])
@pytest.mark.parametrize("name", NAMES)
def test_a_changed_question_is_played_or_refused(problems: Path, name: str, level: str) -> None:
    def read(question: dict[str, Any]) -> None:
        line = {"game": name, "level": level, "session": "one", "question": question}
        (problems / PROBLEMS).write_text(json.dumps(line))
        try:
            (problem,) = problems_of(problems).values()
        except UserError as reason:
            assert str(reason).startswith(f"line 1 of {problems / PROBLEMS}")  # noqa: PT017
            return
        asked = problem.question
        assert asked.check(asked.solution()).score == 1.0
        assert all(asked.rules(language) for language in asked.languages)

    for family in families_of(registry.load(name)):
        question = json.loads(codec.to_json(drawing.instance(f"{name}/{level},family={family}#1")))
        read(question)
        for changed in _changed(question, Random(f"{name} {level} {family}")):
            assert not hangs(read, changed), changed
