"""How fast instances are made at every puzzle and level, and how many of 2,000 are distinct."""

from __future__ import annotations

from random import Random

from quandary.catalogue import registry

from .clock import at, durations

SEEDS = 2_000
LIMIT = 0.250  # seconds at p99.9


def table() -> list[str]:
    rows = [
        "| puzzle | level | made a second | p50 ms | p99.9 ms | distinct | up to symmetry | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in registry.names():
        for level in registry.load(name).levels:
            rows.append(_row(name, level))
    return rows


def _row(name: str, level: str) -> str:
    puzzle = registry.load(name)
    arguments = puzzle.levels[level]
    made = []

    def make(seed: int) -> None:
        made.append(puzzle.new(Random(f"{name}/{level}#{seed}"), **arguments))

    make(SEEDS + 1)  # word lists and caches are loaded once
    made.clear()
    taken = durations(make, SEEDS)
    distinct, canonical = len(set(made)), len({instance.canonical() for instance in made})
    slow = "slower than 250 ms" if at(0.999, taken) > LIMIT else ""
    note = "; ".join(filter(None, [slow, str(puzzle.distinct_instances.get(level, ""))]))
    return (
        f"| {name} | {level} | {len(taken) / sum(taken):,.0f} | {1000 * at(0.5, taken):.3g} | "
        f"{1000 * at(0.999, taken):.3g} "
        f"| {distinct} | {canonical} | {note} |"
    )
