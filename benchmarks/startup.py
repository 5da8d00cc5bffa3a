"""How long a new process takes to list the puzzles (`quandary list`), or to load a built-in suite.

Both were done before: what they find out is kept until a file changes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter

from quandary.arena.suite import load, names

RUNS = 15
LOADING = "from quandary.arena.suite import load; load({name!r})"


def table() -> list[str]:
    """The fastest of some runs: what each needs when nothing disturbs it."""
    programs: list[tuple[str, Sequence[str]]]
    programs = [("`quandary list`", ("-m", "quandary", "list"))]
    for name in names():
        title = f"suite {name}, {len(load(name).specs):,} specs"
        programs.append((title, ("-c", LOADING.format(name=name))))
    return ["| process | fastest | median |", "|---|---|---|", *(_row(*one) for one in programs)]


def _row(title: str, arguments: Sequence[str]) -> str:
    taken = sorted(_once(arguments) for _ in range(RUNS))
    return f"| {title} | {taken[0]:.2f} s | {taken[RUNS // 2]:.2f} s |"


def _once(arguments: Sequence[str]) -> float:
    begun = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - begun
