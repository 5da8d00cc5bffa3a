"""Ctrl-C and SIGTERM at any moment: no reply that came is lost, nothing hangs, and the terminal
shows a sentence instead of Python's words.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep

import pytest

pytest.importorskip(
    "aiohttp", reason="models behind HTTP servers need aiohttp: pip install 'quandary[models]'"
)

import quandary as q
from fault_server import FaultServer
from quandary.arena.journal import JOURNAL, lines
from quandary.arena.store import RECORDS, read
from server_thread import served, some_move

# The interpreter's own start is not ours: signals are sent when the command handles them, which is
# the first thing it does.
MAIN = """
import quandary.__main__ as command
from quandary.cli import signals
signals.install(signals.end_at_once)
print(flush=True)
raise SystemExit(command.main())
"""
SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-6"
"""
SENTENCE = "quandary: stopped; what was finished is kept, and the same command goes on from there."
STOPPED = "quandary: stopped."  # before or after the run
MATCHES = 12  # of this suite: each instance from both seats
HUNG = 60  # seconds


def _start(server: FaultServer, suite: Path, out: Path) -> subprocess.Popen[str]:
    """A run, from the moment on when its first line of ours is executed."""
    players = ["--player", "openai/any,list_moves=yes", "--player", "random"]
    options = ["--suite", str(suite), "--out", str(out), "--base-url", server.address]
    run = subprocess.Popen(
        [sys.executable, "-c", MAIN, "run", *players, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdout and "\n" == run.stdout.readline()
    return run


def _suite(folder: Path) -> Path:
    suite = folder / "suite.toml"
    suite.write_text(SUITE)
    return suite


def _seconds_of_a_run(server: FaultServer, suite: Path, out: Path) -> float:
    begun = monotonic()
    assert "" == _start(server, suite, out).communicate(timeout=HUNG)[1]
    return monotonic() - begun


def _got(out: Path) -> int:
    path = out / JOURNAL
    return sum("got" in line for _, line in lines(path)) if path.exists() else 0


def _matches(out: Path) -> int:
    path = out / RECORDS
    return len(list(read(path))) if path.exists() else 0


def _wait_for_calls(server: FaultServer, calls: int) -> None:
    deadline = monotonic() + HUNG
    while sum(server.calls.values()) < calls and monotonic() < deadline:
        sleep(0.002)


@pytest.mark.parametrize(
    "times", [1, pytest.param(200, marks=pytest.mark.heavy)], ids=["once", "two hundred"]
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "sigterm"])
def test_signals_at_random_moments(tmp_path: Path, number: signal.Signals, times: int) -> None:
    """From the first line of ours to the last: every reply that was sent is in the journal."""
    suite = _suite(tmp_path)
    with served(speak=some_move, latency=0.02) as server:
        lasts = _seconds_of_a_run(server, suite, tmp_path / "whole") if times > 1 else 0.2

        def interrupted(run: int) -> tuple[int, str]:
            process = _start(server, suite, tmp_path / str(run))
            sleep(Random(f"{number}/{run}").uniform(0, 1.1 * lasts))
            process.send_signal(number)
            return process.wait(HUNG) or 0, process.communicate(timeout=HUNG)[1]

        with ThreadPoolExecutor(3) as several:
            ends = list(several.map(interrupted, range(times)))
        sent = sum(server.whole.values())

    assert sent == sum(map(_got, tmp_path.iterdir()))
    for run, (code, output) in enumerate(ends):
        last, *rest = output.splitlines()[::-1] or [""]
        assert (code, last) in ((128 + number, SENTENCE), (128 + number, STOPPED), (0, ""))
        assert last != STOPPED or _matches(tmp_path / str(run)) in (0, MATCHES)
        assert [] == [line for line in rest if "in flight; a second signal" not in line]
    assert 128 + number in {code for code, _ in ends}


def test_a_run_goes_on_after_a_signal(tmp_path: Path) -> None:
    """Calls in flight are awaited, none is made after the signal, and the same command comes to
    what it would have come to, without asking again.
    """
    suite = _suite(tmp_path)
    with served(speak=some_move, latency=0.3) as server:
        run = _start(server, suite, tmp_path / "run")
        _wait_for_calls(server, 3)
        run.send_signal(signal.SIGTERM)
        in_flight = sum(server.calls.values())
        _, output = run.communicate(timeout=HUNG)
        calls = sum(server.calls.values())

        assert (143, SENTENCE) == (run.returncode, output.splitlines()[-1])
        assert "in flight; a second signal ends at once" in output
        assert calls <= in_flight + 4
        assert calls == sum(server.whole.values()) == _got(tmp_path / "run")
        server.latency = 0.0
        again = _start(server, suite, tmp_path / "run")
        assert "" == again.communicate(timeout=HUNG)[1]

    assert 0 == server.needless
    assert 12 == len(list(read(tmp_path / "run" / RECORDS)))


def test_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    """Without waiting for the calls in flight, and the journal can still be used."""
    suite = _suite(tmp_path)
    with served(speak=some_move, latency=10 * HUNG) as server:
        run = _start(server, suite, tmp_path / "run")
        _wait_for_calls(server, 3)
        run.send_signal(signal.SIGINT)
        assert run.stderr and "in flight" in run.stderr.readline()
        run.send_signal(signal.SIGINT)
        _, output = run.communicate(timeout=HUNG)

    assert (130, [SENTENCE]) == (run.returncode, output.splitlines())
    assert list(lines(tmp_path / "run" / JOURNAL))


def test_a_library_keeps_its_hands_off_signals_in_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Handlers belong to the main thread; there they are put back."""
    suite, before = _suite(tmp_path), signal.getsignal(signal.SIGTERM)
    results = list[int]()
    with served(speak=some_move) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)

        def play() -> None:
            results.append(
                len(q.run(suite, ["openai/any,list_moves=yes"], tmp_path / "thread").records)
            )

        thread = Thread(target=play)
        thread.start()
        thread.join(HUNG)
        play_here = q.run(suite, ["openai/any,list_moves=yes"], tmp_path / "main")

    assert [len(play_here.records)] == results
    assert before is signal.getsignal(signal.SIGTERM)


def test_control_c_in_a_script_drains_too(tmp_path: Path) -> None:
    """`q.run` raises KeyboardInterrupt when the calls in flight are in the journal."""
    suite = _suite(tmp_path)
    script = f"""
import quandary as q
try:
    q.run({str(suite)!r}, ["openai/any,list_moves=yes"], {str(tmp_path / "run")!r})
except KeyboardInterrupt:
    print("interrupted")
"""
    with served(speak=some_move, latency=0.3) as server:
        run = subprocess.Popen(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENAI_BASE_URL": server.address},
        )
        _wait_for_calls(server, 3)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=HUNG)

    assert (0, "interrupted\n", "") == (run.returncode, out, err)
    assert sum(server.calls.values()) == _got(tmp_path / "run")
