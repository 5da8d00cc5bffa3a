"""The check that instances are the same in every process, whatever its hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random

import msgspec

from quandary.catalogue import registry
from quandary.core import codec
from quandary.core.contract import Puzzle
from quandary.core.wrapper import task_of

from .case import Case
from .generation import same_seed_same_instance
from .purity import nothing_from_outside

VARIABLE = "PYTHONHASHSEED"
HUNG = 3_600  # seconds after which the other process is given up
CHILD = "from quandary.conformance.processes import main; main()"


def instances_are_the_same_in_every_process(case: Case) -> Iterator[str]:
    """Once per puzzle, and only for puzzles that another process can find by name."""
    is_first = case.level == next(iter(case.puzzle.levels), "")
    count = case.draws.elsewhere
    if not count or not is_first or not _is_findable(case):
        return
    here = list(_instances(case.puzzle, count))
    there = _in_another_process(case.name, count)
    if here != there and _differs_within_a_process(case):
        return
    for mine, other in zip(here, there, strict=True):
        for what, one, two in zip(("instance", "`canonical`"), mine[1:], other[1:], strict=True):
            if one != two:
                yield (
                    f"{what} of {mine[0]} differs in a process with another {VARIABLE}; it must "
                    f"not depend on `hash` or on the order of a set"
                )


def _differs_within_a_process(case: Case) -> bool:
    """Return whether other checks say why instances differ: by global random, or by a clock."""
    return any(same_seed_same_instance(case)) or any(nothing_from_outside(case))


def _is_findable(case: Case) -> bool:
    if task_of(case.puzzle) or case.name not in registry.names():
        return False
    return registry.load(case.name).__module__ == case.puzzle.__module__


def _instances(puzzle: type[Puzzle], count: int) -> Iterator[list[str]]:
    """Name, position and canonical form of some instances of every level, level by level."""
    for seed in range(count):
        for level, arguments in puzzle.levels.items():
            name = f"{level}#{seed}"
            made = puzzle.new(Random(name), **arguments)
            form = msgspec.json.encode(made.canonical(), order="deterministic")
            yield [name, codec.to_json(made), form.decode()]


def _in_another_process(name: str, count: int) -> list[list[str]]:
    """Return what `_instances` gives in a process with another hash seed."""
    seed = "2" if os.environ.get(VARIABLE) == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-c", CHILD, name, str(count)],
        env={**os.environ, VARIABLE: seed},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=HUNG,
        check=True,
    )
    last = done.stdout.splitlines()[-1]  # a puzzle may print while it is loaded
    made: list[list[str]] = json.loads(last)
    return made


def main() -> None:
    """Print the instances of a puzzle as JSON: run by `_in_another_process`."""
    name, count = sys.argv[1:]
    print("\n" + json.dumps(list(_instances(registry.load(name), int(count)))))
