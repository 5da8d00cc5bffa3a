"""A run that is killed at any moment comes to what it would have come to."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

from fault_server import FaultServer
from quandary.arena.journal import JOURNAL, lines
from run_files import without_times
from server_thread import served, some_move

MAIN = "from quandary.cli.main import main; raise SystemExit(main())"
SUITE = """
repeats = {repeats}
[[puzzles]]
puzzle = "card_nim"
levels = ["easy", "normal"]
seeds = "1-{seeds}"
[[puzzles]]
puzzle = "beat_or_bomb_sto"
levels = ["easy"]
seeds = "1-{seeds}"
[[puzzles]]
puzzle = "larger_target"
levels = ["easy"]
seeds = "1-{seeds}"
"""


def _start(server: FaultServer, suite: Path, out: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-c",
        MAIN,
        "run",
        "--suite",
        str(suite),
        "--out",
        str(out),
        "--json",
    ]
    players = ["--player", "openai/any,list_moves=yes", "--player", "random"]
    return subprocess.Popen(
        [*command, *players, "--base-url", server.address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.mark.parametrize(
    ("kills", "seeds", "repeats"),
    [(4, 4, 1), pytest.param(50, 19, 2, marks=pytest.mark.heavy)],
    ids=["few", "fifty"],
)
def test_killed_runs_come_to_the_same(tmp_path: Path, kills: int, seeds: int, repeats: int) -> None:
    """Killed at random moments and continued by the same command: the same records, and no reply
    asked for twice.
    """
    suite, rng = tmp_path / "suite.toml", Random(kills)
    suite.write_text(SUITE.format(seeds=seeds, repeats=repeats))
    with served(speak=some_move, latency=0.002) as server:
        begun = monotonic()
        assert 0 == _start(server, suite, tmp_path / "whole").wait(600)
        whole = monotonic() - begun
        killed = 0
        while killed < kills:
            run = _start(server, suite, tmp_path / "killed")
            sleep(rng.uniform(0.3, max(0.6, 4 * whole / kills)))
            if run.poll() is None:
                os.kill(run.pid, signal.SIGKILL)
                killed += 1
            # it was through before its time: the rest of the kills hit a run that begins anew
            elif killed < kills:
                assert 0 == run.returncode
                _check(tmp_path / "whole", tmp_path / "killed")
                (tmp_path / "killed").rename(tmp_path / f"through after {killed}")
            run.wait(60)
        assert 0 == _start(server, suite, tmp_path / "killed").wait(600)

    _check(tmp_path / "whole", tmp_path / "killed")
    # no call is unaccounted for
    assert sum(server.calls.values()) <= sum(_sent(path) for path in tmp_path.glob("*/" + JOURNAL))


def _check(whole: Path, killed: Path) -> None:
    journal = [line for _, line in lines(killed / JOURNAL)]
    got = [line["got"] for line in journal if "got" in line]

    assert without_times(whole) == without_times(killed)
    assert len(got) == len(set(got)) == sum("got" in line for _, line in lines(whole / JOURNAL))


def _sent(path: Path) -> int:
    return sum("sent" in line for _, line in lines(path))
