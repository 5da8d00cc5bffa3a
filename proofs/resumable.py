"""Proofs level by level, whose results stand in a file after each piece of work.

So a proof can be stopped at any time, and goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from quandary.catalogue import drawing, registry
from quandary.core.contract import Game
from quandary.core.wrapper import version_of

Entry: TypeAlias = dict[str, Any]  # what is known of a level; it names the version it is of


def read(results: Path) -> dict[str, Entry]:
    return json.loads(results.read_text("utf-8")) if results.exists() else {}


def write(results: Path, known: dict[str, Entry]) -> None:
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(known[key])}" for key in sorted(known))
    results.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def prove_levels(results: Path, work: Callable[[str, Entry], Entry], levels: Iterable[str]) -> None:
    """Does `work` on each level, in other processes; it takes the level and its entry so far.

    An entry that is not `done` is worked on again.
    """
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        running = dict[Future[Entry], str]()
        waiting = list(levels)[::-1]
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                level = waiting.pop()
                running[pool.submit(work, level, read(results).get(level, {}))] = level
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                level = running.pop(done)
                known = read(results)
                known[level] = done.result()
                write(results, known)
                print(f"{level}: {known[level]}", flush=True)
                if not known[level].get("done", True):
                    waiting.append(level)


def state_levels() -> Iterator[str]:
    """Every level that has tasks on its positions, as NAME/LEVEL."""
    for name in registry.names():
        if has_state_tasks(name):
            yield from (f"{name}/{level}" for level in registry.load(name).levels)


def has_state_tasks(name: str) -> bool:
    puzzle = registry.load(name)
    first = next(iter(puzzle.levels))
    return issubclass(puzzle, Game) and not registry.WRAPPERS["check"].refusal(  # type: ignore[attr-defined]
        drawing.game(f"{name}/{first}#1")
    )


def version_at(level: str) -> int:
    """The version of a level's instances, which the tasks on it raise."""
    return version_of(drawing.instance(f"{level}#0"))
