"""Proves the labels of state tasks with a second solver, over 10,000 seeds per puzzle and level.

    make prove                     every level, 250 seeds at a time, where the file says it stands
    python -m proofs.states NAME   those of some puzzles alone, as NAME or NAME/LEVEL

Every position that is shown has the label that the second solver gives it, every child shown as
tried is dead, and every next state that is accepted can be solved; graphs have the chromatic number
that they claim, and logic grids one solution.  The results stand in `proofs/states.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from quandary.catalogue import registry
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck

from .resumable import Entry, prove_levels, read, state_levels, version_at
from .second_solver import chromatic_number, grid_solutions, is_solvable

RESULTS = Path(__file__).with_name("states.json")
STATES, INSTANCES, PIECE = 10_000, 2_000, 250  # seeds: of states, of graphs and grids, at a time


def disagreements(level: str, seed: int, most: int | None = None) -> Iterator[str]:
    """What the second solver finds wrong with the tasks of one seed.

    `most` is how many next states are tried, drawn at random; None stands for all.
    """
    check, step = (
        registry.instance(f"check:{level}#{seed}"),
        registry.instance(f"next:{level}#{seed}"),
    )
    assert isinstance(check, StateCheck) and isinstance(step, NextState)
    if is_solvable(check.position) != (check.solution() == "solvable"):
        yield f"check:{level}#{seed}: the label"
    for position in filter(None, (step.before_parent, step.parent, step.position)):
        if is_solvable(position) != position.solvable():
            yield f"next:{level}#{seed}: the label of {position.state()!r}"
    if is_solvable(step.position) != step.status:
        yield f"next:{level}#{seed}: the label"
    if any(task.tried and is_solvable(task.tried) for task in (check, step)):
        yield f"#{seed}: the child that was tried"
    moves = list(step.position.options()[0] or ())
    for move in Random(seed).sample(moves, min(most or len(moves), len(moves))):
        child = step.position.after(0, move)
        kind = step.check(child.state()).kind
        if (kind == "" and not is_solvable(child)) or (kind == "dead_end" and is_solvable(child)):
            yield f"next:{level}#{seed}: {move} is {kind or 'accepted'}"


def unproven(level: str, seed: int) -> Iterator[str]:
    """What is wrong with the instance itself."""
    start: Any = registry.instance(f"{level}#{seed}")
    if not is_solvable(start):
        yield f"{level}#{seed}: it has no solution"
    match type(start).__name__:
        case "GraphColoring" if chromatic_number(start.neighbours) != start.colours:
            yield f"{level}#{seed}: the chromatic number"
        case "LogicGrid" if len(grid_solutions(start, 2)) != 1:
            yield f"{level}#{seed}: the number of solutions"


def prove(level: str, known: Entry) -> Entry:
    """One more piece of a level."""
    begun, version = process_time(), version_at(f"check:{level}")
    known = known if known.get("version") == version else {}
    first = known.get("states", 0)
    seeds = range(first, first + PIECE)
    found = [fault for seed in seeds for fault in disagreements(level, seed)]
    found += [fault for seed in seeds if seed < INSTANCES for fault in unproven(level, seed)]
    return {
        "version": version,
        "states": seeds.stop,
        "done": seeds.stop >= STATES,
        "disagreements": known.get("disagreements", []) + found,
        "seconds": known.get("seconds", 0) + round(process_time() - begun),
    }


def left(names: list[str]) -> list[str]:
    """The levels that are not proven to the end for this version, of the named puzzles or all."""
    known = read(RESULTS)

    def is_wanted(level: str) -> bool:
        entry = known.get(level, {})
        is_done = entry.get("done") and entry["version"] == version_at(f"check:{level}")
        return not is_done and (not names or level in names or level.split("/")[0] in names)

    return list(filter(is_wanted, state_levels()))


def main(arguments: list[str]) -> int:
    prove_levels(RESULTS, prove, left(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
