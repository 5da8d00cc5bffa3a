"""Checks of families: each can be requested, differs from the others, and keeps its siblings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, pairwise
from random import Random

from quandary.core.contract import Puzzle
from quandary.core.mixins.families import families_of, family_of

from .case import NEIGHBOURS, Case

COMPARED = 5  # instances per family
SIBLINGS = 3  # per instance


def families_are_made(case: Case) -> Iterator[str]:
    if not families_of(case.puzzle):
        return
    if "family" not in inspect.signature(case.puzzle.new).parameters:
        yield "it has `families`, but `new` does not take `family`"
        return
    for family in families_of(case.puzzle):
        for instance in _instances(case, family, COMPARED):
            if family_of(instance) != family:
                yield f"`new` was asked for family {family!r} and made {family_of(instance)!r}"
    for instance in case.neighbours:
        if family_of(instance) not in families_of(case.puzzle):
            yield f"`new` made the family {family_of(instance)!r}, which `families` does not name"


def families_look_different(case: Case) -> Iterator[str]:
    """Instances of two families drawn with the same luck must have different texts."""
    shown = {
        family: [
            (one.rules(), one.seen_by(0).text(0)) for one in _instances(case, family, COMPARED)
        ]
        for family in families_of(case.puzzle)
    }
    for one, other in combinations(shown, 2):
        if shown[one] == shown[other]:
            yield f"families {one!r} and {other!r} have the same rules and texts"


def siblings_keep_the_family(case: Case) -> Iterator[str]:
    """Worked examples must not come from another family."""
    for family in families_of(case.puzzle):
        start = next(_instances(case, family, 1))
        for seed in range(SIBLINGS):
            with suppress(ValueError):  # the task cannot be made from this instance
                found = family_of(start.sibling(Random(seed), **case.arguments))
                if found != family:
                    yield f"a `sibling` of an instance of family {family!r} is of {found!r}"


def neighbours_of_a_family_differ(case: Case) -> Iterator[str]:
    for family in families_of(case.puzzle):
        key = f"{case.level},family={family}"
        if key in case.puzzle.distinct_instances:
            continue
        for one, other in pairwise(_instances(case, family, NEIGHBOURS)):
            if one == other:
                yield (
                    "two neighbouring seeds gave the same instance; say so in "
                    f"`distinct_instances[{key!r}]`"
                )


def _instances(case: Case, family: str, count: int) -> Iterator[Puzzle]:
    """Instances of a family, drawn with the same luck for each family."""
    for seed in range(count):
        luck = Random(f"{case.name}/{case.level}#{seed}")
        yield case.puzzle.new(luck, **{**case.arguments, "family": family})
