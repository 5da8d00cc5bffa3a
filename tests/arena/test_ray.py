"""Ray: two nodes make the same records as one process, also when one of them is killed, and a run
that is ended at any moment comes to what it would have come to.

It says nothing of its own, and nothing of it outlives a run.  The nodes live in a network namespace
that has only loopback, so that nothing leaves the machine.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from quandary.arena.run import run
from quandary.arena.store import RECORDS
from quandary.arena.suite import read as read_suite
from quandary.players.registry import PlayerRegistry
from run_files import stored

SUITE = """
[[puzzles]]
puzzle = "card_nim"
levels = ["easy"]
seeds = "1-{seeds}"
"""
SEEDS = 1_000
PLAYERS = ["random", "oracle"]
NAMESPACE = ["unshare", "--map-root-user", "--net", "sh", "-c"]
CLUSTER = """
import sys
from pathlib import Path

from ray.cluster_utils import Cluster

from quandary.arena.engines.ray_engine import RayEngine
from quandary.arena.run import run
from quandary.arena.suite import read
from quandary.players.registry import PlayerRegistry

suite, out, kill = read("suite", Path(sys.argv[1]).read_text()), Path(sys.argv[2]), sys.argv[3]
node = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 100_000_000}
cluster = Cluster(initialize_head=True, head_node_args=node)
other = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
cluster.wait_for_nodes()
state = {"killed": False}

def tell(done, of):
    if kill == "kill" and not state["killed"] and done >= of // 4:
        state["killed"] = True
        cluster.remove_node(other, allow_graceful=False)

engine = RayEngine(cluster.address)
played = run(suite, ["random", "oracle"], out, PlayerRegistry(), tell, engine=engine)
cluster.shutdown()
assert state["killed"] == (kill == "kill")
assert (played.stopped, played.matches) == ("", len(played.records)), played.stopped
"""


def _namespaces_are_refused() -> bool:
    try:
        done = subprocess.run([*NAMESPACE, "ip link set lo up"], capture_output=True)
    except OSError:
        return True
    return bool(done.returncode)


WITH_RAY = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install 'quandary[ray]'"
)
COMMAND = [sys.executable, "-m", "quandary", "run", "--puzzle", "card_nim", "--level", "easy"]
COMMAND += ["--player", "random", "--schedule", "house", "--engine", "ray", "--workers", "2"]
WITH_PROCESSES = pytest.mark.skipif(
    not Path("/proc").is_dir(), reason="processes are found in /proc"
)
STOPPED = "quandary: stopped; what was finished is kept, and the same command goes on from there."
PROGRESS = re.compile(r"quandary: matches of \S+: ")  # one line per minute, on a busy machine
TIMES = 4  # that a run is ended before it may come to its end


@pytest.mark.heavy
@WITH_RAY
def test_ray_prints_nothing_of_its_own(tmp_path: Path) -> None:
    command = [*COMMAND, "--seeds", "1-20", "--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)

    assert (0, []) == (done.returncode, _own_lines(done.stderr))
    assert done.stdout.strip().startswith("40 matches in ")


RUN = """
from quandary.arena.engines.ray_leftovers import folder_of_a_cluster

with folder_of_a_cluster() as folder:
    print(folder, flush=True)
    input()
"""
READING = "import os, sys; os.open(sys.argv[1], os.O_RDONLY); log = open(sys.argv[1] + '/log'); "
WRITING = "import sys; log = open(sys.argv[1] + '/log', 'a'); "
WAITING = "print('open', flush=True); sys.stdin.read()"  # to the end of the test


@WITH_PROCESSES
def test_who_only_reads_beside_a_cluster_is_left_alone(tmp_path: Path) -> None:
    """As `du` and `tail -f` do; who writes there belongs to the cluster, and ends with its run."""
    settings = {**os.environ, "RAY_TMPDIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", RUN], env=settings, **pipes) as run:  # type: ignore[call-overload]
        folder = run.stdout.readline().strip()
        (Path(folder) / "log").touch()
        writer, reader = (
            subprocess.Popen([sys.executable, "-c", does + WAITING, folder], **pipes)  # type: ignore[call-overload]
            for does in (WRITING, READING)
        )
        try:
            assert ["open\n", "open\n"] == [each.stdout.readline() for each in (writer, reader)]
            run.kill()
            run.wait()
            _wait_until(lambda: not Path(folder).exists())
            assert (-signal.SIGKILL, None) == (writer.wait(60), reader.poll())
        finally:
            for each in (writer, reader):
                each.kill()
                each.communicate()


@pytest.mark.heavy
@WITH_RAY
@WITH_PROCESSES
def test_no_process_outlives_a_killed_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = [*COMMAND, "--seeds", "1-1000000", "--out", str(out)]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_until(lambda: _bytes_stored(out))
        started = _descendants(killed.pid)
    finally:
        killed.kill()
        killed.wait()
    [watcher] = [each for each, line in started.items() if "ray_leftovers" in line]
    assert any("ray::" in line for line in started.values())

    _wait_until(lambda: not _is_running(watcher))
    assert [] == [line for each, line in started.items() if _is_running(each)]


@pytest.mark.heavy
@WITH_RAY
@WITH_PROCESSES
@pytest.mark.parametrize("way", ["kill -9", "ctrl-c", "service"])
def test_runs_that_are_ended_come_to_the_same(tmp_path: Path, way: str) -> None:
    """Ended while they play, and continued by the same command: the same records, each once, and
    nothing left of a cluster.
    """
    number = {"kill -9": signal.SIGKILL, "ctrl-c": signal.SIGINT}.get(way, signal.SIGTERM)
    expected = (-9, []) if number == signal.SIGKILL else (128 + number, [STOPPED])
    suite, out, rng = tmp_path / "suite.toml", tmp_path / "run", Random(way)
    suite.write_text(SUITE.format(seeds=20_000))
    command = [sys.executable, "-m", "quandary", "run", "--suite", str(suite), "--out", str(out)]
    command += ["--player", "random", "--player", "house", "--engine", "ray", "--workers", "2"]
    with TemporaryDirectory(dir="/tmp") as clusters:  # names of sockets are long
        settings = {**os.environ, "RAY_TMPDIR": clusters}
        for _ in range(TIMES):
            before = _bytes_stored(out)
            ended = subprocess.Popen(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                env=settings,
                start_new_session=True,  # which gets Ctrl-C as a whole
            )
            try:
                _wait_until(lambda before=before: _bytes_stored(out) > before)
                sleep(rng.uniform(0, 0.4))
                started = _descendants(ended.pid)
                if way == "ctrl-c":
                    os.killpg(ended.pid, number)
                else:
                    _send(number, [ended.pid] if way == "kill -9" else [*started, ended.pid])
            except BaseException:
                ended.kill()
                raise
            _, output = ended.communicate(timeout=60)
            # Ray may say before that its processes are gone, if they are stopped first.
            assert expected == (ended.returncode, _own_lines(output)[-1:])
            assert "Traceback" not in output
            _wait_until(lambda started=started: not any(map(_is_running, started)))
            assert [] == list(Path(clusters).iterdir())
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=settings)
        assert (0, []) == (done.returncode, _own_lines(done.stderr))
        assert [] == list(Path(clusters).iterdir())

    whole = tmp_path / "whole"
    run(read_suite("suite", suite.read_text()), ["random", "house"], whole, PlayerRegistry())
    assert stored(whole) == stored(out)


@pytest.mark.heavy
@WITH_RAY
def test_signals_are_handled_after_a_run(tmp_path: Path) -> None:
    script = f"""
import os, signal
from pathlib import Path

from quandary.arena.engines.ray_engine import RayEngine
from quandary.arena.run import run
from quandary.arena.suite import read
from quandary.players.registry import PlayerRegistry

signal.signal(signal.SIGTERM, lambda number, frame: print("received"))
suite = read("suite", {SUITE.format(seeds=5)!r})
run(suite, ["random", "house"], Path({str(tmp_path)!r}), PlayerRegistry(), engine=RayEngine())
os.kill(os.getpid(), signal.SIGTERM)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)

    assert (0, "received\n") == (done.returncode, done.stdout), done.stderr[-2000:]


@pytest.mark.heavy
@WITH_RAY
@pytest.mark.parametrize("moment", ["init", "shutdown"])
def test_sigterm_while_ray_starts_or_ends(tmp_path: Path, moment: str) -> None:
    """The run ends as at any other time: Ray's own handlers and the system's are not asked."""
    script = f"""
import os, signal, sys

import quandary.arena.engines.ray_engine as ray_engine

connect = ray_engine._ray

def with_a_signal():
    ray = connect()
    usual = ray.{moment}

    def replaced(*given, **named):
        usual(*given, **named)
        os.kill(os.getpid(), signal.SIGTERM)

    ray.{moment} = replaced
    return ray

ray_engine._ray = with_a_signal

from quandary.cli.main import main

sys.exit(main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", script, *COMMAND[3:], "--seeds", "1-20"]
    command += ["--out", str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)

    assert (128 + signal.SIGTERM, [STOPPED]) == (done.returncode, done.stderr.splitlines())
    assert len(stored(tmp_path / "run")) == (0 if moment == "init" else 40)


def _send(number: int, processes: Iterable[int]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _bytes_stored(out: Path) -> int:
    path = out / RECORDS
    return path.stat().st_size if path.is_file() else 0


def _own_lines(errors: str) -> list[str]:
    """The lines that a command said beside its progress."""
    return [line for line in errors.splitlines() if not PROGRESS.match(line)]


def _wait_until(holds: Callable[[], object]) -> None:
    last = monotonic() + 300
    while not holds():
        assert monotonic() < last, "it never happens"
        sleep(0.05)


def _descendants(process: int) -> dict[int, str]:
    """Processes that a process has started, and those that they have started, and their names."""
    parents = {int(each.name): _parent(int(each.name)) for each in Path("/proc").glob("[0-9]*")}
    found = [process]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return {one: _file(one, "cmdline") for one in found[1:]}


def _parent(process: int) -> int:
    fields = _file(process, "stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else 0


def _is_running(process: int) -> bool:
    """A process that has ended may still be listed, until its parent asks for its exit code."""
    fields = _file(process, "stat").rpartition(")")[2].split()
    return bool(fields) and fields[0] not in "ZX"


def _file(process: int, name: str) -> str:
    try:
        return Path(f"/proc/{process}/{name}").read_text(errors="replace")
    except OSError:
        return ""


@pytest.mark.heavy
@WITH_RAY
@pytest.mark.skipif(_namespaces_are_refused(), reason="this system refuses network namespaces")
@pytest.mark.parametrize("kill", ["spare", "kill"])
def test_two_nodes_make_the_same_records(tmp_path: Path, kill: str) -> None:
    """One is killed after a quarter of the matches: nothing is lost, and nothing is there twice."""
    suite, out = tmp_path / "suite.toml", tmp_path / "out"
    suite.write_text(SUITE.format(seeds=SEEDS))
    script = 'ip link set lo up && exec "$@"'
    command = [sys.executable, "-c", CLUSTER, str(suite), str(out), kill]
    done = subprocess.run(
        [*NAMESPACE, script, "sh", *command],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    )
    assert 0 == done.returncode, done.stderr[-2000:]

    run(read_suite("suite", suite.read_text()), PLAYERS, tmp_path / "one", PlayerRegistry())
    assert 2 * SEEDS == len((out / RECORDS).read_bytes().splitlines())
    assert stored(tmp_path / "one") == stored(out)
