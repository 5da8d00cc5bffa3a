"""Proves the labels of state tasks with a second solver, over 10,000 seeds per family and level.

    make prove                     every level, 250 seeds at a time, where the file says it stands
    python -m proofs.states NAME   those of some puzzles alone, as NAME or NAME/LEVEL

Every position that is shown has the label that the second solver gives it, every child shown as
tried is dead, and every next state that is accepted can be solved; graphs have the chromatic number
that they claim, and logic grids one solution.  Puzzles of other papers are proven over 1,000 seeds.
The results stand in `proofs/states.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

from quandary.catalogue import drawing
from quandary.core.contract import Game
from quandary.tasks.next_state import NextState
from quandary.tasks.state_check import StateCheck

from .resumable import Entry, prove_levels, read, state_levels, version_at
from .second_solvers import is_solvable
from .second_solvers.graph_coloring import chromatic_number
from .second_solvers.logic_grid import grid_solutions

RESULTS = Path(__file__).with_name("states.json")
FAMILIES = ("game_of_24", "graph_coloring", "logic_grid", "sudoku")  # of FineReason
STATES, OTHERS, INSTANCES = 10_000, 1_000, 2_000  # seeds: of families, of others, of starts
PIECE = 250  # seeds at a time
DEAD = 2


class Claim(NamedTuple):
    """What a task says of a position."""

    position: Game
    solvable: bool
    what: str  # is wrong if it is not so


class Drawn(NamedTuple):
    """The two tasks of one seed of a level."""

    level: str
    seed: int
    check: StateCheck
    step: NextState


def drawn(level: str, seed: int) -> Drawn:
    """Both tasks; the second solver and tests look at them without drawing them again."""
    name = f"{level}#{seed}"
    check, step = drawing.instance(f"check:{name}"), drawing.instance(f"next:{name}")
    assert isinstance(check, StateCheck) and isinstance(step, NextState)
    return Drawn(level, seed, check, step)


def claims(tasks: Drawn, most: int | None = None) -> Iterator[Claim]:
    """What the tasks of one seed say.

    `most` is how many next states are drawn; None stands for all.  Of these, all that are accepted
    are claimed to be solvable, and at most DEAD of those that are refused as dead ends are claimed
    not to be: these take longer.
    """
    level, seed, check, step = tasks
    name = f"{level}#{seed}"
    yield Claim(check.position, check.solution() == "solvable", f"check:{name}: the label")
    for position in filter(None, (step.before_parent, step.parent, step.position)):
        what = f"next:{name}: the label of {position.state()!r}"
        yield Claim(position, position.solvable(), what)
    yield Claim(step.position, step.status, f"next:{name}: the label")
    for tried in filter(None, (check.tried, step.tried)):
        yield Claim(tried, False, f"#{seed}: the child that was tried")
    rng, moves = Random(seed), list(step.position.options()[0] or ())
    chosen = moves if most is None else rng.sample(moves, min(len(moves), most))
    children = [step.position.after(0, move) for move in chosen]
    kinds = [(child, step.check(child.state()).kind) for child in children]
    dead = [child for child, kind in kinds if kind == "dead_end"]
    for child in rng.sample(dead, min(len(dead), DEAD)):
        yield Claim(child, False, f"next:{name}: {child.state()!r} is called a dead end")
    for child, kind in kinds:
        if not kind:
            yield Claim(child, True, f"next:{name}: {child.state()!r} is accepted")


def disagreements(tasks: Drawn, most: int | None = None) -> Iterator[str]:
    """What the second solver finds wrong with the tasks of one seed; `most` as above."""
    for position, solvable, what in claims(tasks, most):
        if is_solvable(position) != solvable:
            yield what


def unproven(level: str, seed: int) -> Iterator[str]:
    """What is wrong with the instance itself."""
    start: Any = drawing.instance(f"{level}#{seed}")
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
    found = [fault for seed in seeds for fault in disagreements(drawn(level, seed))]
    found += [fault for seed in seeds if seed < INSTANCES for fault in unproven(level, seed)]
    return {
        "version": version,
        "states": seeds.stop,
        "done": seeds.stop >= (STATES if level.startswith(FAMILIES) else OTHERS),
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
