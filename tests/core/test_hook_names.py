"""Names of hooks without effect: earlier, misplaced and misspelt ones are refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from quandary.catalogue import external, registry
from quandary.core import contract
from quandary.core.contract import ChanceMoves, Game, Puzzle, Question, StateTasks
from quandary.core.errors import UserError
from quandary.core.hook_names import GROUPS, RENAMED, REPLACED, misspelt
from quandary.core.naming import class_name
from quandary.core.secrecy import HiddenInformation

PEBBLES = '''"""Pebbles: guess a number."""

from dataclasses import dataclass
from random import Random
from typing import Annotated

from quandary.core.contract import Doc, InstanceCount, Question, Verdict


@dataclass(frozen=True)
class Pebbles(Question):
    number: Annotated[int, Doc("the number")]

    levels = {"easy": {}}
    distinct_instances = {"easy": InstanceCount(9, "nine numbers")}

    @classmethod
    def new(cls, rng):
        return cls(rng.randint(1, 9))

    def check(self, answer, language="en"):
        return Verdict(float(answer == str(self.number)))

    def solution(self):
        return str(self.number)

    def sample(self, rng):
        return "1"

    def rules(self, language="en"):
        return "Guess."

    def text(self, seat, language="en"):
        return "?"
'''


@pytest.mark.parametrize("name", RENAMED)
def test_an_earlier_name_is_refused_with_the_present_one(name: str) -> None:
    with pytest.raises(TypeError, match=f"^Rook defines `{name}`, .* called `{RENAMED[name]}`.$"):
        type("Rook", (Game,), {name: {}})


@pytest.mark.parametrize("name", RENAMED)
def test_present_names_are_those_of_hooks(name: str) -> None:
    groups = [Puzzle, HiddenInformation, contract.WordPuzzle, StateTasks]

    assert any(hasattr(group, RENAMED[name]) for group in groups)


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("luck", True, "derive the class from `ChanceMoves`"),
        ("retry", False, "derive the class from `AskedOnce`"),
        ("speaks_with", ("words",), "class Rook"),
        ("raises", 1, "defines `raises`; raise `version` instead"),
        ("version_increment", 1, "defines `version_increment`; raise `version` instead"),
    ],
)
def test_what_is_said_in_another_way_is_refused(name: str, value: Any, advice: str) -> None:
    with pytest.raises(TypeError, match=advice):
        type("Rook", (Game,), {name: value})


def test_what_replaces_a_name_can_be_written_by_an_author() -> None:
    """The advice names mixins and hooks that the contract's page describes."""
    page = (Path(__file__).parents[2] / "docs" / "contract.md").read_text("utf-8")
    advised = {
        name for text in REPLACED.values() for name in re.findall(r"`(?:class )?(\w+)", text)
    }

    assert {"ChanceMoves", "AskedOnce", "version", "Rook"} == advised
    for name in {*advised, *RENAMED.values()}:
        assert re.search(rf"\b{name}\b", page)


@pytest.mark.parametrize("mixin", GROUPS)
def test_groups_have_the_hooks_of_their_mixins(mixin: str) -> None:
    """But for hooks that any puzzle has."""
    kind, hooks = GROUPS[mixin]
    added = {name for name in vars(getattr(contract, mixin)) if not name.startswith("_")}

    assert {*hooks} == added - {*dir(getattr(contract, kind))}


def test_every_mixin_is_listed() -> None:
    plain = (Puzzle, Game, Question)
    found = [getattr(contract, name) for name in contract.__all__]
    mixins = {one.__name__ for one in found if isinstance(one, type) and issubclass(one, plain)}

    assert {*GROUPS} == mixins - {one.__name__ for one in plain} | {"HiddenInformation"}


@pytest.mark.parametrize(("mixin", "hook"), [(m, hook) for m in GROUPS for hook in GROUPS[m][1]])
def test_a_hook_without_its_mixin_is_refused(mixin: str, hook: str) -> None:
    kind = Question if GROUPS[mixin][0] == "Question" else Game

    with pytest.raises(TypeError, match=f"`{hook}`, which belongs to `{mixin}`"):
        type("Rook", (kind,), {hook: lambda self: None})
    type("Rook", (getattr(contract, mixin), kind), {hook: lambda self: None})


def test_fields_may_have_any_name() -> None:
    """They are data of the position, and nothing takes them for hooks."""

    @dataclass(frozen=True)
    class Rook(Game):
        small: int
        moves: tuple[str, ...] = ()

    class Bishop(ChanceMoves, Game):
        def chance(self, rng: Any) -> str:
            return "1"

    assert not list(misspelt(Rook)) and not list(misspelt(Bishop))
    with pytest.raises(TypeError, match="`small`"):

        class Knight(Game):
            small: ClassVar[dict[str, int]] = {}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("distinct_instances = ", "distinct_instance = "),
        ("distinct_instances = ", "smal = "),
        ("levels = {", "usual_levels = ''\n    levels = {"),
        ("levels = {", "strategies = {}\n    strategy = {}\n    levels = {"),
        ("def sample(", "def scenes(self, seat): ...\n\n    def sample("),
        ("def sample(", "def given_part(self): ...\n\n    def sample("),
    ],
)
def test_a_misspelt_hook_of_a_puzzle_from_outside_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    (tmp_path / "pebbles.py").write_text(PEBBLES.replace(right, wrong))
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))

    with pytest.raises(UserError, match="which nothing uses; did you mean `"):
        registry.load("pebbles")


def test_a_close_name_that_is_used_is_no_misspelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = (
        "def level(self): ...\n\n    def text(self, seat, language='en'):\n        self.level()"
    )
    text = PEBBLES.replace('def text(self, seat, language="en"):', helper)
    (tmp_path / "pebbles.py").write_text(text)
    monkeypatch.setenv(external.VARIABLE, str(tmp_path))

    assert "Pebbles" == registry.load("pebbles").__name__


@pytest.mark.parametrize("name", registry.names())
def test_puzzles_that_come_along_define_no_misspelt_hook(name: str) -> None:
    found = registry.load(name)

    assert class_name(name) == found.__name__
    assert not list(misspelt(found))
