"""A run of programs of which something is killed at random comes to what it would have come to.

What can be killed is the run, a worker, a fork server or the process of a program.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep

import pytest

from program_files import PLAYERS, SUITE, write_programs
from programs.asking import soon, state
from quandary.arena.store import RECORDS
from quandary.matches.record import Record
from quandary.programs.sandbox.seccomp import reason_missing
from run_files import without_times

pytestmark = pytest.mark.skipif(bool(reason_missing()), reason=reason_missing())

FORK_SERVER = "sandbox.fork_server"  # in its command line, and in those of its children


def _start(folder: Path, out: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "quandary", "run", "--suite", "suite.toml", "--out", out]
    players = [word for player in PLAYERS for word in ("--player", player)]
    return subprocess.Popen(
        [*command, *players, "--engine", "processes", "--workers", "2", "--json"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _scored(out: Path) -> Counter[Record]:
    """Records with a result; a match that was cut off by a kill has another one later."""
    return Counter(
        {
            record: count
            for record, count in without_times(out).items()
            if record.cause != "infrastructure"
        }
    )


def _below(process: int) -> dict[str, list[int]]:
    """Processes of a run by what they are."""
    found = dict[str, list[int]]()
    for worker in _children(process):
        found.setdefault("worker", []).append(worker)
        for server in _children(worker):
            if FORK_SERVER in _command(server):
                found.setdefault("fork server", []).append(server)
                found.setdefault("program", []).extend(_children(server))
    return found


def _children(process: int) -> list[int]:
    with suppress(OSError):
        tasks = Path(f"/proc/{process}/task").glob("*/children")
        return [int(child) for task in tasks for child in task.read_text().split()]
    return []


def _command(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text(errors="replace")
    return ""


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def _gone(processes: list[int]) -> bool:
    return soon(lambda: all(state(process) in ("", "Z") for process in processes))


@pytest.mark.parametrize(
    ("kills", "seeds"), [(2, 1), pytest.param(60, 16, marks=pytest.mark.heavy)], ids=["few", "many"]
)
def test_whoever_is_killed_no_finished_match_is_lost(
    tmp_path: Path, kills: int, seeds: int
) -> None:
    """No process is left, and what was stored before a kill is stored after it."""
    write_programs(tmp_path)
    (tmp_path / "suite.toml").write_text(SUITE.format(seeds=seeds))
    assert 0 == _start(tmp_path, "whole").wait(600)
    out, rng, whom = tmp_path / "killed", Random(kills), Counter[str]()
    before = b""
    while whom.total() < kills:
        run, started = _start(tmp_path, "killed"), list[int]()
        try:
            while run.poll() is None and whom.total() < kills:
                sleep(rng.uniform(0.3, 1.5))
                below = _below(run.pid)
                started += [process for each in below.values() for process in each]
                kind = rng.choice(["run", *below])
                if run.poll() is None:
                    _kill(run.pid if kind == "run" else rng.choice(below[kind] or [run.pid]))
                    whom[kind] += 1
                if kind == "run":
                    break
        finally:
            run.kill()
            run.wait(60)
        assert _gone(started), whom
        stored = (out / RECORDS).read_bytes() if (out / RECORDS).exists() else b""
        assert stored.startswith(before[: before.rfind(b"\n") + 1])
        before = stored
        if not _left(out, tmp_path / "whole"):  # the rest of the kills hit one that begins anew
            out.rename(tmp_path / f"through after {whom.total()}")
            before = b""
    for _ in range(3):  # what a killed program has cut off is played again
        assert 0 == _start(tmp_path, "killed").wait(600)

    for done in (out, *tmp_path.glob("through after *")):
        assert without_times(tmp_path / "whole") == _scored(done)


def _left(out: Path, whole: Path) -> bool:
    return _scored(out) != without_times(whole) if (out / RECORDS).exists() else True
