"""How long `quandary list` takes from the shell, when it was called before: what it finds out is
kept until a file changes.
"""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

RUNS = 15


def table() -> list[str]:
    """The fastest of some runs: what the command itself needs when nothing disturbs it."""
    taken = sorted(_once() for _ in range(RUNS))
    return [
        "| command | fastest | median |",
        "|---|---|---|",
        f"| `quandary list` | {taken[0]:.2f} s | {taken[RUNS // 2]:.2f} s |",
    ]


def _once() -> float:
    begun = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "quandary", "list"], check=True, stdout=subprocess.DEVNULL
    )
    return perf_counter() - begun
