"""The tasks on positions of a game (`check:`, `next:`, `whole:`), which are puzzles themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from quandary.catalogue import registry
from quandary.catalogue.spec import TASKS
from quandary.core.contract import Puzzle, name_of
from quandary.core.errors import UserError

from .case import Case, Draws


def task_cases(
    puzzle: type[Puzzle], level: str, seeds: Sequence[int], draws: Draws
) -> Iterator[Case]:
    """One level of a puzzle, asked in every other way that it can be asked in."""
    for task in TASKS:
        place = f"{task}:{name_of(puzzle)}/{level}"
        try:
            arguments = registry.level_of(registry.named(f"{place}#{seeds[0]}"))
            registry.instance(f"{place}#{seeds[0]}")
        except UserError:  # this task does not exist on this puzzle, or not at this level
            continue
        wrapper = registry.load(task)
        yield Case(wrapper, place, "only", seeds, partial(_instance, place), arguments, draws)


def _instance(place: str, seed: int) -> Puzzle:
    return registry.instance(f"{place}#{seed}")
