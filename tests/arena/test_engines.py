"""Engines: the same records whoever plays them, and none is lost."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from asyncio import run as run_async
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from time import monotonic, sleep

import pytest

from quandary.arena import store as stores
from quandary.arena.engines import PlayedJob, automatic
from quandary.arena.engines.automatic import Automatic, is_worth_while
from quandary.arena.engines.choice import engine_named, usual_engine
from quandary.arena.engines.chunks import MOST_LOST, play_in_chunks, play_some
from quandary.arena.engines.in_loop import InLoop
from quandary.arena.engines.processes import Processes
from quandary.arena.job import Job, StoredPosition, play_job
from quandary.arena.run import run
from quandary.arena.schedule import Schedule
from quandary.arena.store import Store
from quandary.arena.suite import read as read_suite
from quandary.catalogue import drawing
from quandary.catalogue.spec import Spec
from quandary.cli.main import main
from quandary.core.codec import to_json
from quandary.core.errors import StopRun, UserError
from quandary.players.registry import PlayerRegistry
from run_files import stored

SUITE = read_suite(
    "mixed",
    """
repeats = 2
tries = 2
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-15"
[[puzzles]]
puzzle = "sudokill"
levels = ["easy"]
seeds = "1-5"
[[puzzles]]
puzzle = "islands"
levels = ["easy"]
seeds = "1-5"
""",
)
PLAYERS = ["random", "oracle"]


def _whole(folder: Path) -> list[bytes]:
    run(SUITE, PLAYERS, folder, PlayerRegistry())
    return stored(folder)


def test_processes_make_the_same_records(tmp_path: Path) -> None:
    """Two of them, and one dies on the way: nothing is missing, and nothing is there twice."""
    killed = list[int]()

    def kill_one(done: int, of: int) -> None:
        if done >= 20 and not killed:
            worker = active_children()[0].pid
            assert worker
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

    played = run(SUITE, PLAYERS, tmp_path / "two", PlayerRegistry(), kill_one, engine=Processes(2))

    assert killed and not active_children()
    assert ("", 100, 100) == (played.stopped, played.matches, len(played.records))
    assert _whole(tmp_path / "one") == stored(tmp_path / "two")


def test_a_full_disk_ends_the_workers_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run stops with the reason, and the next one plays the rest."""
    with monkeypatch.context() as patched:
        kept = list[str]()

        def append(self: Store, record: str) -> int:
            if len(kept) == 30:
                raise OSError(28, "No space left on device")
            kept.append(record)
            return stores.append(self.file, record.encode() + b"\n")

        patched.setattr(Store, "append_json", append)
        full = run(SUITE, PLAYERS, tmp_path / "run", PlayerRegistry(), engine=Processes(1))
    assert "a record could not be written: No space left on device" == full.stopped
    assert (30, 70) == (len(full.records), len(list(full.left)))
    assert not active_children()

    run(SUITE, PLAYERS, tmp_path / "run", PlayerRegistry())
    assert _whole(tmp_path / "whole") == stored(tmp_path / "run")


class Forgetful:
    """Workers in this process, some of which die with their chunks."""

    def __init__(self, dying: Collection[int]) -> None:
        self.number, self.dying = 2, dying
        self.chunks = list[Sequence[Job]]()

    def submit(self, jobs: Sequence[Job]) -> int:
        self.chunks.append(jobs)
        return len(self.chunks) - 1

    def wait(self, tickets: Collection[int]) -> Iterable[tuple[int, list[str]]]:
        first = min(tickets)
        yield first, [] if first in self.dying else play_some(self.chunks[first])


def test_chunks_that_are_lost_are_played_again() -> None:
    """Each job is kept once; workers that only die stop the run."""
    jobs, kept = list(Schedule(SUITE, PLAYERS)), list[PlayedJob]()
    play_in_chunks(iter(jobs), kept.append, Forgetful({0, 3}))

    assert sorted(job.name for job in jobs) == sorted(played.job.name for played in kept)
    with pytest.raises(StopRun, match=r"workers keep dying, .* began"):
        play_in_chunks(iter(jobs), kept.append, Forgetful(range(MOST_LOST + 1)))


def test_long_runs_use_all_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short ones stay in this process; the rest of long ones goes to the workers."""
    seconds, rest = count(step=automatic.SECONDS / 20), list[Job]()
    monkeypatch.setattr(automatic, "process_time", lambda: next(seconds))  # one for each match
    monkeypatch.setattr(automatic, "REST", 0.0)

    class Workers:
        def play(self, jobs: Iterable[Job], keep: object) -> str:
            rest.extend(jobs)
            return ""

    found = PlayerRegistry()
    usual = Automatic(InLoop(found, None), Workers())
    played = run(SUITE, PLAYERS, tmp_path, found, engine=usual)

    assert list(played.left) == rest
    assert len(played.records) in (19, 20)
    assert usual_engine(["openai/any", "random"], found) is None


def test_no_process_is_started_for_a_short_rest() -> None:
    """By the pace so far; where the number of jobs is not known, for any rest."""
    assert not is_worth_while(4.0, 100, iter(range(10)))
    assert is_worth_while(4.0, 100, iter(range(90)))
    assert is_worth_while(4.0, 0, (job for job in range(10)))
    assert not is_worth_while(1.0, 100, iter(range(90)))


def test_a_stored_position_is_a_job_too() -> None:
    """It goes to another process and back, and its record has its name."""
    spec = Spec.parse("card_nim/easy#3")
    game = drawing.game(spec)
    [first, *_] = game.options()[0] or ()
    later = game.play(0, first)
    job = Job(StoredPosition("after one move", spec, to_json(later)), ("oracle", "house"), 1)
    sent = pickle.loads(pickle.dumps(job))
    record = run_async(play_job(sent, PlayerRegistry()))

    assert job == sent
    assert ("after one move", later, ("oracle", "house"), 1) == (
        record.name, record.start, record.players, record.repeat,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "workers", "address", "advice"),
    [
        ("threads", None, "", "unknown engine"),
        ("processes", 0, "", "--workers must be 1 or more"),
        ("processes", 1, "localhost:1", "add --engine ray"),
        ("asyncio", 2, "", "use --engine processes"),
    ],
)
def test_wrong_engines_get_advice(
    name: str, workers: int | None, address: str, advice: str
) -> None:
    """In one sentence."""
    with pytest.raises(UserError, match=advice):
        engine_named(name, workers, address)


def test_ray_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is left behind."""
    monkeypatch.setitem(sys.modules, "ray", None)
    command = ["run", "--puzzle", "card_nim", "--player", "random", "--out", str(tmp_path / "out")]

    assert 2 == main([*command, "--engine", "ray"])
    assert "pip install 'quandary[ray]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.heavy),
        pytest.param(signal.SIGKILL, marks=pytest.mark.heavy),
    ],
)
def test_workers_end_with_their_run(tmp_path: Path, number: signal.Signals) -> None:
    """However it ends: no process is left, nobody complains, and what was finished is kept."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "quandary", "run", "--puzzle", "card_nim", "--seeds", "1-9999"]
    command += ["--level", "easy"]
    players = ["--player", "random", "--player", "oracle", "--out", str(out)]
    process = subprocess.Popen(
        [*command, *players, "--engine", "processes", "--workers", "2"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = monotonic() + 60
    while not (out / stores.RECORDS).exists() or not (out / stores.RECORDS).stat().st_size:
        assert process.poll() is None and monotonic() < deadline
        sleep(0.02)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    _, output = process.communicate(timeout=60)

    assert ("" if number == signal.SIGKILL else "stopped; what was finished is kept") in output
    assert len(output.splitlines()) <= 1
    assert list(stores.read(out / stores.RECORDS))
    while monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    pytest.fail("a worker outlives its run")
