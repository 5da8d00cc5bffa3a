"""Which matches have the same start, and where the starts are a short list."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from random import Random

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Puzzle
from quandary.matches.record import Record

SHORT = 200  # a level with fewer distinct starts has a short list of them
SEEDS = 2_000  # after which a list is taken to be complete


class Starts:
    """Gives equal starts the same key; the canonical form of each instance is computed once."""

    def __init__(self) -> None:
        self.keys = dict[str, Hashable]()

    def of(self, record: Record) -> Hashable:
        if record.name not in self.keys:
            self.keys[record.name] = record.start.canonical()
        return self.keys[record.name]


def listed_starts(spec: Spec) -> int | None:
    """How many starts the level of an instance has, if that is a short list."""
    if spec.task not in ("", "whole"):  # the others ask about positions, of which there are more
        return None
    key = spec.level + "".join(f",{name}={value}" for name, value in spec.changes)
    puzzle = registry.load(spec.name)
    return _counted(puzzle, key) if key in puzzle.small else None


@lru_cache(maxsize=256)
def _counted(puzzle: type[Puzzle], key: str) -> int | None:
    level, _, family = key.partition(",family=")
    arguments = {**puzzle.levels[level], **({"family": family} if family else {})}
    found = set[Hashable]()
    for seed in range(SEEDS):
        found.add(puzzle.new(Random(f"starts of {key}#{seed}"), **arguments).canonical())
        if len(found) >= SHORT:
            return None
    return len(found)
