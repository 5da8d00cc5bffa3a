"""Proves that no two splits share a canonical form, over 2,000 seeds per split and level.

    make prove                     every level that is not proven yet, the quick ones first
    python -m proofs.splits NAME   one puzzle's levels, again

Levels of `check:` and `next:` compare their positions as well as their starts.  The results stand
in `proofs/splits.json` after each level, so it can be stopped at any time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from time import process_time

from quandary.catalogue import drawing, registry, splits
from quandary.core.wrapper import split_by

from .resumable import Entry, has_state_tasks, prove_levels, read, version_at

RESULTS = Path(__file__).with_name("splits.json")
DIVIDED = ("train", "dev", "test")
SEEDS = 2_000
AGAIN = 20  # seeds per split that a process with another hash seed draws once more
TASKS = ("check", "next")


def levels() -> Iterator[str]:
    """Every level that is divided, and the levels of the tasks on positions."""
    for name in registry.names():
        puzzle = registry.load(name)
        divided = [level for level in puzzle.levels if not splits.is_test_only(puzzle, level)]
        yield from (f"{name}/{level}" for level in divided)
        if has_state_tasks(name):
            yield from (f"{task}:{name}/{level}" for task in TASKS for level in divided)


def forms(level: str, split: str, seeds: int) -> Iterator[bytes]:
    """Hashes of the canonical forms of some instances of a split, other than those it goes by."""
    for seed in range(seeds):
        for part in split_by(drawing.instance(f"{level}@{split}#{seed}")):
            yield blake2b(repr(part.canonical()).encode(), digest_size=16).digest()


def digest(level: str, seeds: int) -> str:
    found = (form for split in DIVIDED for form in forms(level, split, seeds))
    return blake2b(b"".join(found), digest_size=8).hexdigest()


def prove(level: str, known: Entry) -> Entry:
    begun = process_time()
    train, dev, test = (set(forms(level, split, SEEDS)) for split in DIVIDED)
    there = subprocess.run(
        [sys.executable, "-m", "proofs.splits", "--digest", level],
        cwd=RESULTS.parents[1],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        "version": version_at(level),
        "seeds": SEEDS,
        "distinct": dict(zip(DIVIDED, map(len, (train, dev, test)), strict=True)),
        "shared": len(train & test) + len(dev & test) + len(train & dev),
        "same_in_another_process": there.stdout.strip() == digest(level, AGAIN),
        "seconds": round(process_time() - begun),
    }


def left(names: list[str]) -> list[str]:
    """The levels to prove: those of the named puzzles, else those not proven for this version."""
    known = read(RESULTS)

    def is_wanted(level: str) -> bool:
        name = drawing.named(f"{level}#1").name
        entry = known.get(level)
        return name in names if names else not entry or entry["version"] != version_at(level)

    return sorted(filter(is_wanted, levels()), key=_cost)


def _cost(level: str) -> float:
    begun = process_time()
    list(forms(level, "test", 2))
    return process_time() - begun


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--digest"]:
        print(digest(arguments[1], AGAIN))
        return 0
    prove_levels(RESULTS, prove, left(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
