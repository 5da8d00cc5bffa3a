"""The site: 200 people who each move once per second in 15 puzzles, for a minute; the library; and
a replay out of 100,000 records.

The server is a process of its own, and the load comes from this one, whose processor time does not
count.  A move is acknowledged when it is stored.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import aiohttp

from .limits import Limit, Measured, limit_table

ROUNDS = 1
PEOPLE, SECONDS = 200, 60
PUZZLES = (
    "sudoku/normal", "takuzu/normal", "k_queens/normal", "game_of_24/medium", "tidy_tower/normal",
    "graph_coloring/medium", "logic_grid/easy", "exclusivity_probes/easy", "card_nim/easy",
    "expanding_nim/easy", "share_card_nim/easy", "sudokill/easy", "superply/easy",
    "beat_or_bomb_sto/easy", "bid_that/easy",
)  # fmt: skip
RECORDS = 100_000
SUITE = '[[puzzles]]\npuzzle = "card_nim"\nlevels = ["easy"]\nseeds = "1-{}"\n'

SLOWEST = Limit("200 moves per second: 95 % are acknowledged within", 100, "ms")
FAILED = Limit("200 moves per second: requests that failed", 0, "refusals")
MEMORY = Limit("200 moves per second: memory of the server and its workers", 500, "MB")
BUSY = Limit("200 moves per second: processor time of the server per move", 5, "ms")
LIBRARY = Limit("the library: bytes that are sent, pictures included", 100, "KB")
READY = Limit("the library: all of it is there after", 1.0, "s")
REPLAY = Limit("a replay out of 100,000 records, for the first time", 0.5, "s")


class Load(NamedTuple):
    """What came of the load."""

    latencies: list[float]  # seconds
    failures: int
    memory: float  # MB
    processor: float  # seconds per move


def table() -> list[str]:
    return limit_table(measured(ROUNDS))


def measured(rounds: int) -> list[Measured]:
    loads, pages, replays = [], [], []
    for _ in range(rounds):
        with TemporaryDirectory() as folder, _site(Path(folder) / "data") as (base, process):
            pages.append(asyncio.run(_library(base)))
            loads.append(asyncio.run(_load(base, process)))
        replays.append(_replay())
    slowest = [1000 * sorted(load.latencies)[int(0.95 * len(load.latencies))] for load in loads]
    moves = f"{len(loads[0].latencies):,} moves in {SECONDS} s"
    median = 1000 * sorted(loads[0].latencies)[len(loads[0].latencies) // 2]
    return [
        Measured(SLOWEST, slowest, f"{moves}, median {median:.1f} ms"),
        Measured(FAILED, [load.failures for load in loads]),
        Measured(MEMORY, [load.memory for load in loads]),
        Measured(BUSY, [1000 * load.processor for load in loads]),
        Measured(LIBRARY, [kilobytes for kilobytes, _ in pages]),
        Measured(READY, [seconds for _, seconds in pages]),
        Measured(REPLAY, replays),
    ]


@contextmanager
def _site(data: Path, *runs: Path) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "quandary", "web", *map(str, runs), "--port", "0"]
    with subprocess.Popen(
        [*command, "--data", str(data)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        try:
            yield found[0].rstrip("/"), process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(20)


async def _library(base: str) -> tuple[float, float]:
    """Kilobytes and seconds until the page, its styles and all pictures are there, compressed;
    the pictures have been drawn before.
    """
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar, auto_decompress=False) as session:
        for _ in range(2):
            begun, size = perf_counter(), 0
            async with session.get(f"{base}/", headers={"Accept-Encoding": "identity"}) as found:
                page = await found.text()
            paths = re.findall(r'(?:src|href)="(/(?:assets|pictures)/[^"]+)"', page)
            limit = asyncio.Semaphore(6)  # as a browser asks

            async def fetch(path: str, limit: asyncio.Semaphore = limit) -> int:
                async with limit, session.get(base + path) as found:
                    return len(await found.read())

            async with session.get(f"{base}/") as found:
                size += len(await found.read())
            size += sum(await asyncio.gather(*map(fetch, dict.fromkeys(paths))))
    return size / 1000, perf_counter() - begun


async def _load(base: str, process: int) -> Load:
    """Every person moves once per second, and begins another match when one is over."""
    latencies, failures = list[float](), 0
    before = _processor(process)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_person(base, number, PUZZLES[number % len(PUZZLES)]))
            for number in range(PEOPLE)
        ]
    for task in tasks:
        own, failed = task.result()
        latencies += own
        failures += failed
    used = _processor(process) - before
    return Load(latencies, failures, _memory(process), used / max(1, len(latencies)))


async def _person(base: str, number: int, level: str) -> tuple[list[float], int]:
    name, _, level = level.partition("/")
    fields = {"puzzle": name, "level": level, "against": "random"}
    latencies, failures, seat = list[float](), 0, ""
    jar = aiohttp.CookieJar(unsafe=True)
    headers = {"Origin": base}
    async with aiohttp.ClientSession(cookie_jar=jar, headers=headers) as session:
        async with session.get(f"{base}/runs/"):
            pass
        await asyncio.sleep(number / PEOPLE)
        begun = perf_counter()
        view: Any = None
        for second in range(SECONDS):
            await asyncio.sleep(max(0.0, begun + second - perf_counter()))
            if view is None or view["over"]:
                async with session.post(
                    f"{base}/matches", data=fields, allow_redirects=False
                ) as found:
                    if found.status != 303:
                        failures += 1
                        continue
                    seat = found.headers["Location"]
                view = None
            if view is None or view["turn"] is None:
                async with session.get(f"{base}{seat}/view") as found:
                    view = await found.json()
            if view["turn"] is None or not view["input"].get("legal"):
                continue
            legal = view["input"]["legal"]
            steps = len(view["update"]["steps"]) + view["update"]["first"]
            body = {"turn": view["turn"], "text": legal[second % len(legal)]["move"],
                    "epoch": view["epoch"], "steps": steps}  # fmt: skip
            sent = perf_counter()
            async with session.post(f"{base}{seat}/reply", json=body) as found:
                answer = await found.text()
                latencies.append(perf_counter() - sent)
                failures += found.status != 200
                view = json.loads(answer) if found.status == 200 else None
    return latencies, failures


def _replay() -> float:
    """Seconds until the transcript of one match is there, the first time it is asked for."""

    async def ask(base: str) -> float:
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{base}/runs/") as found:  # the workers have started
                await found.read()
            begun = perf_counter()
            async with session.get(f"{base}/runs/many/77777.json") as found:
                assert found.status == 200
                await found.read()
            return perf_counter() - begun

    with TemporaryDirectory() as folder:
        suite = Path(folder) / "suite.toml"
        suite.write_text(SUITE.format(RECORDS // 2))
        run = Path(folder) / "many"
        players = ["--player", "random", "--player", "house"]
        command = [sys.executable, "-m", "quandary", "run", "--suite", str(suite), *players]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([*command, "--out", str(run)], check=True, **quiet)  # type: ignore[call-overload]
        with _site(Path(folder) / "data", run) as (base, _):
            return asyncio.run(ask(base))


def _family(process: int) -> list[int]:
    """A process with its children."""
    found, waiting = list[int](), [process]
    while waiting:
        one = waiting.pop()
        found.append(one)
        children = Path(f"/proc/{one}/task/{one}/children")
        waiting += map(int, children.read_text().split()) if children.exists() else []
    return found


def _processor(process: int) -> float:
    """Seconds of processor time that the server and its workers have used."""
    ticks = 0
    for one in _family(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> float:
    """MB that they hold, shared pages counted once each."""
    total = 0
    for one in _family(process):
        text = Path(f"/proc/{one}/smaps_rollup").read_text()
        found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
        total += int(found[1]) if found else 0
    return total / 1000
