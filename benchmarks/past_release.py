"""Whole commands beside the first release with model players, commit 595f510 of this repository.

`card_nim/easy`, random against house.  Both take turns; processor time with that of all worker
processes, as a ratio, and the memory of the largest process.  Both have compiled their modules
before.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from .limits import Limit, Measured, limit_table, ratios
from .models import server

COMMIT = "595f510"
ROUNDS = 3
HERE = Path(__file__).parent.parent
SUITE = 'title = "Nim"\n[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-{}"\n'
PLAYERS = ("--player", "random", "--player", "house")
ONE_CORE, TWO_WORKERS = ("--engine", "asyncio"), ("--engine", "processes", "--workers", "2")

FEW = Limit("10,000 matches, the whole command", 1.0, aim=0.7)
FEW_MEMORY = Limit("10,000 matches, memory", 120, "MB")
MANY = Limit("100,000 matches on one core", 1.0)
MANY_MEMORY = Limit("100,000 matches, memory beyond that of 10,000", 60, "MB")
MANY_WALL = Limit("100,000 matches with two workers, wall clock", 0.6)
AGAIN = Limit("the same command on the finished run of 100,000", 0.5)
AGAIN_MEMORY = Limit("the same command on the finished run, memory", 200, "MB")
START = Limit("start of a run to its first call, processor time", 0.5, "s")
END = Limit("last reply to the prompt, processor time", 0.5, "s")

# Runs a command of quandary with models, and prints when its first call began and its last ended.
TIMED = """
import sys
from time import process_time
from quandary.models.providers import http
from quandary.cli.main import main
usual, times = http.HttpProvider.ask, []
async def ask(self, *args, **kwargs):
    times.append(process_time())
    try:
        return await usual(self, *args, **kwargs)
    finally:
        times.append(process_time())
http.HttpProvider.ask = ask
code = main(sys.argv[1:])
print(min(times), process_time() - max(times))
sys.exit(code)
"""

# Runs a command and prints its processor time, and the memory of its largest process in kB.  A
# process counts what the one that started it held, so this one must be small.
LAUNCHER = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(code)
"""


class Cost(NamedTuple):
    """What a command took."""

    processor: float  # seconds, with those of its workers
    wall: float
    memory: float  # MB, of its largest process


class Release(NamedTuple):
    """A tree of sources, and how its commands are told to use one core, where they know others."""

    source: Path
    one_core: tuple[str, ...] = ()
    two_workers: tuple[str, ...] = ()


def table() -> list[str]:
    return limit_table(measured(ROUNDS))


def measured(rounds: int) -> list[Measured]:
    """All rows; the ones beside the past only where the repository has its history."""
    found = _around_calls(rounds)
    with TemporaryDirectory() as folder:
        past = _past(Path(folder) / "past")
        if past is None:
            print(f"commit {COMMIT} is not in this clone, so nothing is measured beside it")
            return found
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(folder) / "compiled")
        try:
            here = Release(HERE / "src", ONE_CORE, TWO_WORKERS)
            return [*_beside_the_past(here, past, Path(folder), rounds), *found]
        finally:
            del os.environ["PYTHONPYCACHEPREFIX"]


def _beside_the_past(here: Release, past: Release, folder: Path, rounds: int) -> Iterator[Measured]:
    few, many = _suite(folder, 10_000), _suite(folder, 100_000)
    for release in (here, past):  # compiles the modules
        _run(release, _suite(folder, 100), folder)
    took = [(_run(here, few, folder), _run(past, few, folder)) for _ in range(rounds)]
    yield _compared(FEW, took)
    memory = [ours.memory for ours, _ in took]
    yield Measured(FEW_MEMORY, memory)
    whole, again, wall = list[tuple[Cost, Cost]](), list[tuple[Cost, Cost]](), list[float]()
    for _ in range(rounds):
        with _kept(folder) as one, _kept(folder) as other:
            whole.append((_played(here, many, one, here.one_core), _played(past, many, other)))
            again.append((_played(here, many, one, here.one_core), _played(past, many, other)))
        wall.append(_run(here, many, folder, here.two_workers).wall / whole[-1][1].wall)
    yield _compared(MANY, whole)
    yield Measured(MANY_MEMORY, [ours.memory - min(memory) for ours, _ in whole])
    yield Measured(MANY_WALL, wall)
    yield _compared(AGAIN, again)
    yield Measured(AGAIN_MEMORY, [ours.memory for ours, _ in again])


def _compared(limit: Limit, took: Sequence[tuple[Cost, Cost]]) -> Measured:
    ours, theirs = ([cost.processor for cost in costs] for costs in zip(*took, strict=True))
    detail = f"{min(ours):.2f} s, then {min(theirs):.2f} s"
    return Measured(limit, ratios(ours, theirs), detail)


def _around_calls(rounds: int) -> list[Measured]:
    """What a short run of a model takes before its first call and after its last."""
    starts, ends = list[float](), list[float]()
    for _ in range(rounds):
        with server() as address, TemporaryDirectory() as folder:
            command = ["run", "--puzzle", "islands", "--level", "easy", "--limit", "5"]
            command += ["--player", "openai/any", "--base-url", address, "--out", f"{folder}/run"]
            done = subprocess.run(
                [sys.executable, "-c", TIMED, *command],
                env=_environment(HERE / "src"),
                capture_output=True,
                text=True,
                check=True,
            )
        start, end = done.stdout.splitlines()[-1].split()
        starts.append(float(start))
        ends.append(float(end))
    return [Measured(START, starts), Measured(END, ends)]


def _past(folder: Path) -> Release | None:
    """The sources of the first release; None if the history is not here."""
    done = subprocess.run(
        ["git", "-C", str(HERE), "archive", COMMIT, "src"], capture_output=True, check=False
    )
    if done.returncode:
        return None
    with tarfile.open(fileobj=BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return Release(folder / "src")


def _suite(folder: Path, matches: int) -> Path:
    path = folder / f"nim{matches}.toml"
    path.write_text(SUITE.format(matches // 2), "utf-8")
    return path


@contextmanager
def _kept(folder: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=folder) as kept:
        yield Path(kept) / "run"


def _run(release: Release, suite: Path, folder: Path, options: Sequence[str] = ()) -> Cost:
    """Plays a suite in a folder of its own."""
    with _kept(folder) as out:
        return _played(release, suite, out, options)


def _played(release: Release, suite: Path, out: Path, options: Sequence[str] = ()) -> Cost:
    command = ["run", "--suite", str(suite), *PLAYERS, "--out", str(out), *options]
    begun = perf_counter()
    done = subprocess.run(
        [sys.executable, "-I", "-c", LAUNCHER, sys.executable, "-m", "quandary", *command],
        env=_environment(release.source),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{release.source}: quandary {' '.join(command)} failed")
    processor, memory = map(float, done.stdout.split())
    return Cost(processor, perf_counter() - begun, memory / 1024)


def _environment(source: Path) -> dict[str, str]:
    """Ours, with these sources and with modules compiled once."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": str(source)}
