"""What a language model's reply costs us: processor time of a sample that is asked for over HTTP,
written down and scored.

The server on loopback answers at once; its own time is not counted.  The peers do as much as they
do of the same: Inspect AI and verifiers ask, score and keep logs of their own.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

SAMPLES, LATENCY = 2_000, 0.2
SERVER = Path(__file__).with_name("instant_server.py")
SUITE = '[[puzzles]]\npuzzle = "islands"\nlevels = ["easy"]\nseeds = "1-{seeds}"\n'


@contextmanager
def server(latency: float = 0.0, takes: int | None = None) -> Iterator[str]:
    """The address of a server in its own process; it refuses more than `takes` calls at once."""
    command = [sys.executable, str(SERVER), str(latency), *([str(takes)] if takes else [])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def table() -> list[str]:
    with server() as address:
        rows = [(name, *in_a_process(name, address)) for name in ("ours", "inspect", "verifiers")]
    ours = rows[0][1]
    lines = ["| system | samples | ms of processor time a sample | ratio |", "|---|---|---|---|"]
    for name, milliseconds, samples in rows:
        lines.append(
            f"| {NAMES[name]} | {samples:,.0f} | {milliseconds:.2f} | {milliseconds / ours:.1f} x |"
        )
    with server(LATENCY) as address:
        seconds, ideal = in_a_process("waiting", address)
        matches, memory = in_a_process("crowd", address)
    waited = (
        f"{SAMPLES:,} samples took {seconds:.2f} s; {ideal:.1f} s would be ideal "
        f"({seconds / ideal:.2f} x)"
    )
    return [
        *lines,
        "",
        f"With 100 connections and a server that takes {LATENCY:g} s for an answer, {waited}.",
        (
            f"{matches:,.0f} matches under way at once took {memory:.0f} MiB of memory, Python "
            f"included."
        ),
    ]


NAMES = {"ours": "quandary", "inspect": "Inspect AI", "verifiers": "verifiers"}


def in_a_process(what: str, address: str, module: str = __name__) -> tuple[float, float]:
    """Two numbers from a process of its own, so that nobody's imports weigh on anybody else."""
    done = subprocess.run(
        [sys.executable, "-m", module, what, address],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{what} failed: {done.stderr[-2000:]}")
    first, second = done.stdout.split()[-2:]
    return float(first), float(second)


def ours(address: str) -> tuple[float, float]:
    play(address, SAMPLES // 10)  # imports and caches
    return 1000 * play(address, SAMPLES).processor / SAMPLES, SAMPLES


def waiting(address: str) -> tuple[float, float]:
    play(address, 10)
    return play(address, SAMPLES, connections=100).wall, SAMPLES / 100 * LATENCY


def crowd(address: str) -> tuple[float, float]:
    play(address, SAMPLES, connections=SAMPLES, at_once=SAMPLES)
    return SAMPLES, getrusage(RUSAGE_SELF).ru_maxrss / 1024


class Spent(NamedTuple):
    """Seconds of a run, from its first instance to its last record."""

    processor: float
    wall: float


def play(address: str, samples: int, connections: int = 16, at_once: int = 256) -> Spent:
    """Play a run with this number of samples as the command `quandary run` does."""
    from quandary.__main__ import NEW_OBJECTS
    from quandary.arena.run import run
    from quandary.arena.suite import read
    from quandary.models.pool import ClientPool
    from quandary.players.registry import PlayerRegistry

    gc.set_threshold(NEW_OBJECTS)
    with TemporaryDirectory() as folder:
        clients = ClientPool(base_url=address, connections=connections)
        player_registry = PlayerRegistry(clients=clients)
        begun, started = process_time(), perf_counter()
        played = run(
            read("bench", SUITE.format(seeds=samples)),
            ["openai/any"],
            Path(folder) / "run",
            player_registry,
            at_once=at_once,
        )
        spent = Spent(process_time() - begun, perf_counter() - started)
        assert samples == len(played.records)
        assert all(record.scores is not None for record in played.records)
    return spent


def inspect(address: str) -> tuple[float, float]:
    import os

    os.environ.update(INSPECT_DISPLAY="none", BENCH_API_KEY="none", BENCH_BASE_URL=address)
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import includes

    def go(samples: int) -> None:
        with TemporaryDirectory() as folder:
            dataset = [
                Sample(input=f"Question {i}: draw a map.", target="##") for i in range(samples)
            ]
            [log] = eval(
                Task(dataset=dataset, scorer=includes()),
                model="openai-api/bench/any",
                log_dir=folder,
                max_connections=16,
                max_samples=64,
            )
        assert log.status == "success", log.error

    samples = SAMPLES // 4
    go(20)
    begun = process_time()
    go(samples)
    return 1000 * (process_time() - begun) / samples, samples


def verifiers(address: str) -> tuple[float, float]:
    import asyncio

    from datasets import Dataset
    from openai import AsyncOpenAI
    from verifiers import Rubric, SingleTurnEnv

    def right(completion: object, answer: str) -> float:
        return float(answer in str(completion))

    def go(samples: int) -> None:
        rows = {
            "question": [f"Question {i}: draw a map." for i in range(samples)],
            "answer": ["##"] * samples,
        }
        env = SingleTurnEnv(eval_dataset=Dataset.from_dict(rows), rubric=Rubric(funcs=[right]))
        with TemporaryDirectory() as folder:
            client = AsyncOpenAI(base_url=address, api_key="none")
            results = asyncio.run(
                env.evaluate(
                    client, "any", max_concurrent=16, save_results=True, results_path=Path(folder)
                )
            )
        assert samples == len(results["reward"])

    samples = SAMPLES // 4
    go(20)
    begun = process_time()
    go(samples)
    return 1000 * (process_time() - begun) / samples, samples


if __name__ == "__main__":
    print(*globals()[sys.argv[1]](sys.argv[2]))
