"""The suites of LogicGame: every family at every level, and how they and its problems are asked."""

from __future__ import annotations

from pathlib import Path

from tools.write_logicgame_suites import large_suite, small_suite

import quandary.papers.logicgame
from quandary.arena import suite
from quandary.catalogue import drawing, registry
from quandary.catalogue.spec import Spec
from quandary.core.mixins.families import families_of
from quandary.core.worked import Worked
from quandary.papers.logicgame import import_command
from quandary.papers.logicgame.categories import CATEGORIES

FOLDER = Path(quandary.papers.logicgame.__file__).parent
LEVELS = ("0", "1", "2", "3")


def _place(spec: Spec) -> tuple[str, str, str]:
    """Puzzle, family and level of an instance that names its family and changes nothing else."""
    ((key, family),) = spec.changes
    assert key == "family" and spec.split == "test" and not spec.task
    return spec.name, family, spec.level


def test_the_files_are_what_the_tool_writes() -> None:
    """`python tools/write_logicgame_suites.py` writes them again after puzzles have changed."""
    for name, text in (("logicgame", small_suite()), ("logicgame-large", large_suite())):
        assert (FOLDER / f"{name}.toml").read_text("utf-8") == text


def test_one_instance_of_each_family_and_level() -> None:
    """Of all puzzles with worked answers that the published items are about."""
    specs = suite.load("logicgame").specs
    names = {spec.name for spec in specs}

    assert all(spec.seed == 1 for spec in specs)
    assert sorted(map(_place, specs)) == sorted(
        (name, family, level)
        for name in names
        for family in families_of(registry.load(name))
        for level in LEVELS
    )
    assert names == {name for name in registry.names() if issubclass(registry.load(name), Worked)}
    assert names == set(CATEGORIES.values())
    assert 180 == sum(registry.group(spec.name) == "questions/execution" for spec in specs)
    assert 124 == sum(registry.group(spec.name) == "questions/planning" for spec in specs)


def test_the_large_suite_asks_no_few_instances_twice() -> None:
    """Where fewer than 20 are declared, all are different; nothing new is left out."""
    by_place = dict[tuple[str, str, str], list[int]]()
    for spec in suite.load("logicgame-large").specs:
        by_place.setdefault(_place(spec), []).append(spec.seed)
    short = {place for place, seeds in by_place.items() if seeds != list(range(1, 21))}

    assert by_place.keys() == set(map(_place, suite.load("logicgame").specs))
    assert short
    for name, family, level in short:
        few = registry.load(name).distinct_instances[f"{level},family={family}"]
        forms = {
            seed: drawing.instance(f"{name}/{level},family={family}#{seed}").canonical()
            for seed in range(1, 21)
        }
        kept = [forms[seed] for seed in by_place[name, family, level]]
        assert len(kept) == len(set(kept)) == len(set(forms.values())) <= few.instances < 20
    declared = {
        (name, family, level)
        for name, family, level in by_place
        if (few := registry.load(name).distinct_instances.get(f"{level},family={family}"))
        and few.instances < 20
    }
    assert short == declared


def test_the_paper_allows_one_reply() -> None:
    for name in ("logicgame", "logicgame-large"):
        found = suite.load(name)
        assert dict(found.decoding) == {"temperature": 0, "max_tokens": 2048}
        assert (found.tries, found.count_unreadable, found.repeats, found.shots) == (1, True, 1, 0)
    assert suite.load("logicgame-large").only(small=True).specs == suite.load("logicgame").specs


def test_problems_are_asked_as_the_suite_is() -> None:
    assert import_command.settings() is suite.load("logicgame")
