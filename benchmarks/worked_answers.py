"""Questions with worked answers: making and grading them, beside reasoning-gym's tasks of the kind.

Making is `new`, without the draws that a split adds, and writing the solution; graded are solutions
and guesses in turn.  Ours have a process and use every rule, which theirs do not; both are made in
turns, ours in equal numbers per level, and the best of seven rounds counts.
Distinct are those of 5,000, ours over families and levels alike.  Memory is what making 100,000
instances takes more than making 1,000, in MB.
"""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from quandary.catalogue import registry
from quandary.core.mixins.families import families_of
from quandary.core.worked import Worked
from quandary.papers.logicgame.categories import EXECUTION

from .clock import at, durations, long_rate, rates

MADE, GRADED, SECONDS = 1_000, 50, 0.2
DRAWN = 5_000
# reasoning-gym's task -> our category.
BESIDE = {
    "caesar_cipher": "character_search",
    "string_insertion": "string_insertion",
    "string_synthesis": "string_synthesis",
    "string_splitting": "synthesis_and_decomposition",
    "rotate_matrix": "matrix_transformation",
    "manipulate_matrix": "matrix_transformation",
    "pool_matrix": "pooling",
}
MANY, FEW = 100_000, 1_000
MEASURED = ("string_insertion/3", "slide_2048/3")
MEMORY = """
import resource
from random import Random
from quandary.catalogue import registry
name, level, count = {name!r}, {level!r}, {count}
puzzle = registry.load(name)
for seed in range(count):
    made = puzzle.new(Random(seed), **puzzle.levels[level])
    assert made.check(made.solution()).score == 1.0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


class Speed(NamedTuple):
    place: str  # NAME/LEVEL,family=KEY
    made: float  # a second
    graded: float
    p999: float  # seconds of making


def table() -> list[str]:
    speeds = {name: list(_speeds(name)) for name in registry.names() if _is_worked(name)}
    rows = [
        "| category | made a second | slowest | p99.9 ms | graded a second | slowest |",
        "|---|---|---|---|---|---|",
        *(_row(name, found) for name, found in speeds.items()),
        _row(
            "**execution**",
            [one for name, found in speeds.items() if name in EXECUTION.values() for one in found],
        ),
    ]
    rows += ["", "| instances | memory |", "|---|---|"]
    rows += [f"| {place} | {_memory(place)} MB |" for place in MEASURED]
    return [*rows, "", *_beside_reasoning_gym()]


def _is_worked(name: str) -> bool:
    return issubclass(registry.load(name), Worked)


def _speeds(name: str) -> Iterator[Speed]:
    puzzle = registry.load(name)
    for family in families_of(puzzle):
        yield from (_speed(f"{name}/{level},family={family}") for level in puzzle.levels)


def _speed(place: str) -> Speed:
    name, level, _, family = re.split("[/,=]", place)
    puzzle: Any = registry.load(name)
    made = list[Worked]()

    def make(seed: int) -> str:
        one = puzzle.new(Random(f"{place}#{seed}"), family=family, **puzzle.levels[level])
        made.append(one)
        return str(one.solution())

    make(MADE)  # what is loaded once
    gc.collect()
    gc.freeze()  # or collecting what was loaded takes longer than making does
    taken = durations(make, MADE)
    replies = [
        (one, text) for one in made[:GRADED] for text in (one.solution(), one.sample(Random(0)))
    ]

    def grade(turn: int) -> int:
        return len([one.check(text) for one, text in replies])

    return Speed(place, MADE / sum(taken), long_rate(grade, 1_000, SECONDS), at(0.999, taken))


def _row(name: str, speeds: list[Speed]) -> str:
    slowest = min(speeds, key=lambda one: one.made)
    slowest_graded = min(speeds, key=lambda one: one.graded)
    return (
        f"| {name} | {mean(one.made for one in speeds):,.0f} | "
        f"{slowest.made:,.0f} ({slowest.place}) | {1000 * max(one.p999 for one in speeds):.3g} | "
        f"{mean(one.graded for one in speeds):,.0f} | "
        f"{slowest_graded.graded:,.0f} ({slowest_graded.place}) |"
    )


def _memory(place: str) -> int:
    name, _, level = place.partition("/")

    def used(count: int) -> int:
        code = MEMORY.format(name=name, level=level, count=count)
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    return used(MANY) - used(FEW)


def _beside_reasoning_gym() -> list[str]:
    rows = [
        "| reasoning-gym's | made a second | distinct | ours | levels | made | ratio | distinct |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for task, name in BESIDE.items():
        data = _gym(task)
        their_distinct = len({data[place]["question"] for place in range(DRAWN)})
        for levels in ("01", "23"):
            theirs, own = rates(_making_theirs(data), _making(name, levels))
            rows.append(
                f"| {task} | {theirs:,.0f} | {their_distinct:,} | {name} | {' and '.join(levels)} "
                f"| {own:,.0f} | {own / theirs:.2f} x | {_distinct(name, levels):,} |"
            )
    return rows


def _gym(task: str) -> Any:
    from reasoning_gym.factory import create_dataset

    return create_dataset(task, seed=1, size=10_000_000)  # made when they are asked for


def _making_theirs(data: Any) -> Callable[[int], int]:
    def make(place: int) -> int:
        data[place]
        return 1

    return make


def _making(name: str, levels: str) -> Callable[[int], int]:
    """Make one instance per level, of whichever family is drawn."""
    puzzle: Any = registry.load(name)

    def make(seed: int) -> int:
        for level in levels:
            puzzle.new(Random(seed), level=int(level)).solution()
        return len(levels)

    return make


def _distinct(name: str, levels: str) -> int:
    puzzle = registry.load(name)
    drawn = (
        puzzle.new(Random(seed), level=int(levels[seed % len(levels)])) for seed in range(DRAWN)
    )
    return len({one.canonical() for one in drawn})
