"""Checks of instances: they are determined by their names, and they are values."""

from __future__ import annotations

import inspect
import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise, takewhile
from random import Random
from typing import get_args

from quandary.catalogue import registry
from quandary.core import codec
from quandary.core.contract import Form, StateTasks
from quandary.core.descriptions import descriptions_of, fields_of, parts_of
from quandary.core.errors import Unreadable
from quandary.core.hook_names import misspelt
from quandary.core.mixins.families import families_of
from quandary.core.mixins.objectives import better
from quandary.core.naming import name_of
from quandary.core.question import form_of
from quandary.core.secrecy import hidden_fields

from .case import NEIGHBOURS, Case


def levels_name_arguments(case: Case) -> Iterator[str]:
    if case.level not in case.puzzle.levels:
        yield f"there is no level {case.level!r}; fill `levels`"
    known = set(inspect.signature(case.puzzle.new).parameters)
    for level, arguments in case.puzzle.levels.items():
        if unknown := set(arguments) - known:
            yield (
                f"the level {level!r} gives `new` arguments it does not take: "
                f"{', '.join(sorted(unknown))}"
            )


def levels_make_a_difference(case: Case) -> Iterator[str]:
    levels = case.puzzle.levels
    for easier in takewhile(lambda level: level != case.level, levels):
        if levels[easier] != levels.get(case.level) and _same_instances(case, easier):
            yield (
                f"`new` makes the same instances for {easier!r} and {case.level!r}: it must use "
                f"the arguments of a level"
            )


def _same_instances(case: Case, easier: str) -> bool:
    new, levels = case.puzzle.new, case.puzzle.levels
    return all(
        new(Random(seed), **levels[easier]) == new(Random(seed), **levels[case.level])
        for seed in range(NEIGHBOURS)
    )


def labels_are_known(case: Case) -> Iterator[str]:
    start = case.starts[0]
    for name, label, known in (
        ("form", form_of(start), get_args(Form)),
        ("better", better(start), ("high", "low")),
    ):
        if label not in known:
            yield f"`{name}` is {label!r}; it may be {', '.join(known)}"
    if (usual := case.puzzle.usual_level) and usual not in case.puzzle.levels:
        yield f"`usual_level` is {usual!r}, which is not a level"
    for name in ("house", "distinct_instances"):
        for key in getattr(case.puzzle, name, ()):
            level, _, family = (
                key.partition(",family=") if name == "distinct_instances" else (key, "", "")
            )
            if level not in case.puzzle.levels:
                yield f"`{name}` names the level {level!r}, which does not exist"
            elif level != key and family not in families_of(case.puzzle):
                yield f"`{name}` names the family {family!r}, which does not exist"


def hooks_are_spelt_right(case: Case) -> Iterator[str]:
    yield from misspelt(case.puzzle)


def it_says_what_it_is(case: Case) -> Iterator[str]:
    words, module = case.puzzle.__doc__ or "", inspect.getmodule(case.puzzle)
    # A dataclass without a docstring gets its signature as one.
    generated = words.startswith(f"{case.puzzle.__name__}(")
    if (generated or not words) and not (module and module.__doc__):
        yield "it has no docstring: say in its file or its class what it is"


def fields_are_described(case: Case) -> Iterator[str]:
    """Programs are given views as data, and their authors read what each field means."""
    if not is_dataclass(case.puzzle) or name_of(case.puzzle) in registry.WRAPPERS:
        return
    described = descriptions_of(case.puzzle)
    hidden = [name for name, veil in hidden_fields(case.puzzle) if veil == "secret"]
    for field in fields(case.puzzle):
        if field.name not in described and field.name not in hidden:
            yield (
                f"the field `{field.name}` has no description, which programs that play the puzzle "
                f'need: write `{field.name}: Annotated[{field.type}, Doc("...")]`'
            )
    for part, holder in parts_of(case.puzzle).items():
        for name in fields_of(part):
            if name not in descriptions_of(part):
                yield (
                    f"the field `{name}` of `{part.__name__}`, which `{holder}` holds, has no "
                    f"description, which programs that play the puzzle need: write "
                    f'`{name}: Annotated[..., Doc("...")]` in `{part.__name__}`'
                )


def same_seed_same_instance(case: Case) -> Iterator[str]:
    before = random.getstate()
    try:
        once = [case.make(seed) for seed in case.seeds]
        moved = random.getstate() != before
        random.seed(99)
        again = [case.make(seed) for seed in reversed(case.seeds)][::-1]
    finally:
        random.setstate(before)
    if once != again:
        yield "the same seed gave two different instances: luck must come from `rng` alone"
    if moved:
        yield "making an instance uses the global random: luck must come from `rng` alone"


def neighbours_differ(case: Case) -> Iterator[str]:
    if case.is_small:
        return
    for seed, (one, other) in enumerate(pairwise(case.neighbours)):
        if one == other:
            yield (
                f"seeds {seed} and {seed + 1} gave the same instance; if a level has few, say so "
                f"in `distinct_instances`"
            )


def positions_are_values(case: Case) -> Iterator[str]:
    if not is_dataclass(case.puzzle) or not case.puzzle.__dataclass_params__.frozen:
        yield "it must be a @dataclass(frozen=True): a position is a value"
        return
    for position in [*case.starts, *case.positions()]:
        try:
            hash(position)
        except TypeError as reason:
            yield f"a position cannot be hashed ({reason}): use tuples, not lists, sets or dicts"


def positions_survive_json(case: Case) -> Iterator[str]:
    for position in [*case.starts, *case.positions()]:
        if registry.from_json(codec.to_json(position)) != position:
            yield "a position is not equal to itself after JSON"


def states_can_be_restated(case: Case) -> Iterator[str]:
    for position in case.positions():
        if not isinstance(position, StateTasks):
            return
        shown = [position.shown_state(language) for language in position.languages]
        for written in dict.fromkeys([position.state(), *shown]):
            try:
                same = position.restate(written) == position
            except Unreadable as refusal:
                yield f"`restate` refuses what `state` wrote: {refusal}"
            else:
                if not same:
                    yield "`restate(state())` is another position"
