"""Runs of strategies by engine, by wall clock, in turns, so that all are measured alike.
Long matches show how workers share the work: the time of the whole run, and the speed once the
workers are there (one worker is 1). Short ones show what a match costs beyond playing it.
"""

from __future__ import annotations

from asyncio import run as run_async
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

import msgspec

from quandary.arena.engines import Engine
from quandary.arena.engines.in_loop import InLoop
from quandary.arena.engines.processes import Processes
from quandary.arena.job import play_job
from quandary.arena.manifest import manifest
from quandary.arena.run import run
from quandary.arena.schedule import Schedule
from quandary.arena.store import RECORDS, Store
from quandary.arena.suite import Suite, read
from quandary.matches.codec import record_json
from quandary.players.registry import PlayerRegistry

ROUNDS = 2
ONE = "`processes`, 1 worker"
ENTRY = '[[puzzles]]\npuzzle = "{}"\nlevels = ["{}"]\nseeds = "1-{}"\n'
LONG = read("long", ENTRY.format("sudokill", "normal", 120))
FEW = read("few", ENTRY.format("card_nim", "easy", 500))
SHORT = read("short", ENTRY.format("card_nim", "easy", 5_000))
STORED = read("stored", ENTRY.format("card_nim", "easy", 50_000))  # 100,000 matches


class Timing(NamedTuple):
    seconds: float  # of the whole run
    pace: float  # seconds per match, without the first fifth of them, when workers start

    def or_faster(self, other: Timing) -> Timing:
        return Timing(min(self.seconds, other.seconds), min(self.pace, other.pace))


def table() -> list[str]:
    engines: dict[str, Engine] = {
        "`asyncio`": InLoop(PlayerRegistry(), None),
        ONE: Processes(1),
        "`processes`, 2 workers": Processes(2),
    }
    if find_spec("ray"):
        from quandary.arena.engines.ray_engine import RayEngine

        engines["`ray`, 2 workers"] = RayEngine(workers=2)
    never = Timing(float("inf"), float("inf"))
    long, short = dict.fromkeys(engines, never), dict.fromkeys(engines, never)
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            long[name] = long[name].or_faster(_timed(engine, LONG, "oracle"))
            short[name] = short[name].or_faster(_timed(engine, SHORT, "random"))
    rows = [
        f"| {name} | {long[name].seconds:.1f} s | {long[ONE].pace / long[name].pace:.2f} "
        f"| {1e6 * short[name].pace:.0f} µs |"
        for name in engines
    ]
    matches = len(Schedule(LONG, ["oracle"])), len(Schedule(SHORT, ["random"]))
    long_ones, short_ones = f"{matches[0]} long matches", f"each of {matches[1]:,} short ones"
    return [
        f"| engine | {long_ones} | speed | {short_ones} |",
        "|---|---|---|---|",
        *rows,
        "",
        _overhead(),
        _resumed(),
    ]


def _timed(engine: Engine, suite: Suite, player: str) -> Timing:
    moments = list[tuple[int, float]]()
    begun = perf_counter()
    with TemporaryDirectory() as folder:
        run(
            suite,
            [player],
            Path(folder),
            PlayerRegistry(),
            lambda done, of: moments.append((done, perf_counter())),
            engine=engine,
        )
    seconds = perf_counter() - begun
    (early, first), (late, last) = moments[len(moments) // 5], moments[-1]
    return Timing(seconds, (last - first) / (late - early))


def _overhead() -> str:
    """What a match costs beyond playing it, in processor time, without the start of the worker."""
    few, many = (_processor_time(suite) for suite in (FEW, SHORT))
    matches = len(Schedule(SHORT, ["random"])) - len(Schedule(FEW, ["random"]))
    worker, driver = (1e6 * (more - less) / matches for less, more in zip(few, many, strict=True))
    playing = 1e6 * _played_alone()
    return (
        f"With `processes`, a short match takes {worker:.0f} µs of a worker's processor time and "
        f"{driver:.0f} µs of the driver's; played one after another without being stored, it takes "
        f"{playing:.0f} µs, so {worker + driver - playing:.0f} µs are overhead."
    )


def _processor_time(suite: Suite) -> tuple[float, float]:
    """Of the worker and of the driver."""
    before, begun = getrusage(RUSAGE_CHILDREN), process_time()
    _timed(Processes(1), suite, "random")
    after, own = getrusage(RUSAGE_CHILDREN), process_time() - begun
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, own


def _played_alone() -> float:
    """Seconds of processor time per short match, with its record as JSON."""
    jobs, found = list(Schedule(SHORT, ["random"])), PlayerRegistry()

    async def play() -> None:
        for job in jobs:
            record_json(await play_job(job, found))

    begun = process_time()
    run_async(play())
    return (process_time() - begun) / len(jobs)


def _resumed() -> str:
    """How soon a run that has all records but the last goes on."""
    schedule = Schedule(STORED, ["random"])
    with TemporaryDirectory() as name:
        folder, size = Path(name), 0
        run(SHORT, ["random"], folder / "short", PlayerRegistry())
        lines = (folder / "short" / RECORDS).read_bytes().splitlines()
        with Store(folder / "run", manifest(schedule)) as store:
            # Real records under the names of the schedule's matches.
            for job, line in zip(islice(schedule, len(schedule) - 1), cycle(lines), strict=False):
                plain = msgspec.json.decode(line)
                plain |= {"name": str(job.start), "players": job.players}
                text = msgspec.json.encode(plain)
                size += len(text)
                store.append_json(text.decode())
        begun, moments = perf_counter(), list[float]()
        played = run(
            STORED,
            ["random"],
            folder / "run",
            PlayerRegistry(),
            lambda done, of: moments.append(perf_counter()),
        )
    assert len(schedule) == len(played.records)
    return (
        f"A run of {len(schedule) - 1:,} stored records ({size / 1e6:.0f} MB) goes on after "
        f"{moments[0] - begun:.1f} s."
    )
