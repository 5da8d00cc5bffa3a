"""Proves worked answers by a second way of working, over 2,000 instances per family and level.

    make prove                       every family and level that is not proven yet
    python -m proofs.workings NAME   those of some categories alone

From level 2 on, 500 instances also need each of their rules, and of 5,000 the distinct ones are
counted.  The results stand in `proofs/workings.json` after each family and level.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from quandary.catalogue import drawing, registry
from quandary.core.mixins.families import families_of
from quandary.core.worked import Worked

from .resumable import Entry, prove_levels, read, version_at

RESULTS = Path(__file__).with_name("workings.json")
WORKED, RULES, DRAWN = 2_000, 500, 5_000  # instances
GROWN = "23"  # the levels at which rules and distinct instances are looked at


def levels() -> Iterator[str]:
    for name in registry.names():
        puzzle = registry.load(name)
        if issubclass(puzzle, Worked):
            for family in families_of(puzzle):
                yield from (f"{name}/{level},family={family}" for level in puzzle.levels)


def prove(level: str, known: Entry) -> Entry:
    begun = process_time()
    name, _, rest = level.partition("/")
    second = import_module(f"proofs.second_workings.{name}")
    wrong, unused, forms = list[int](), list[int](), set[object]()
    is_grown = rest[0] in GROWN
    for seed in range(DRAWN if is_grown else WORKED):
        made: Any = drawing.instance(f"{level}#{seed}")
        if seed < WORKED and second.work(made) != tuple(made.work()):
            wrong.append(seed)
        if is_grown:
            forms.add(made.canonical())
            if seed < RULES and not made.uses_every_rule():
                unused.append(seed)
    entry = {"version": version_at(level), "worked": WORKED, "disagreements": wrong}
    if is_grown:
        entry |= {"rules": RULES, "unused": unused, "drawn": DRAWN, "distinct": len(forms)}
    return {**entry, "seconds": round(process_time() - begun)}


def left(names: list[str]) -> list[str]:
    """The families and levels that are not proven for this version, of some categories or all."""
    known = read(RESULTS)
    return [
        level
        for level in levels()
        if known.get(level, {}).get("version") != version_at(level)
        and (not names or level.split("/")[0] in names)
    ]


def main(arguments: list[str]) -> int:
    prove_levels(RESULTS, prove, left(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
