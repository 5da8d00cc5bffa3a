"""Runs of strategies on machines that fail: killed, with a full disk, or in a read-only folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

from quandary.arena.store import RECORDS, read
from run_files import stored

RUN = [
    sys.executable, "-m", "quandary", "run", "--player", "random", "--player", "oracle",
    "--level", "easy", "--engine", "processes", "--workers", "2",
]  # fmt: skip
# A file system of 256 KiB in which only this command can see its folder.
NAMESPACE = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
SMALL_DISK = 'mount -t tmpfs -o size=256k none "$1" && shift && "$@"; echo "code $?"'


def _namespaces_are_refused() -> bool:
    try:
        return bool(subprocess.run([*NAMESPACE, "mount -t tmpfs none /tmp"]).returncode)
    except OSError:
        return True


def _play(suite: list[str], out: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*RUN, *suite, "--out", str(out)], capture_output=True, text=True)


def _wait_for_records(run: subprocess.Popen[bytes], out: Path, size: int) -> None:
    """Until so many bytes of records are stored, or the run is over."""
    while run.poll() is None and not (
        (out / RECORDS).exists() and (out / RECORDS).stat().st_size >= size
    ):
        sleep(0.002)


@pytest.mark.heavy
def test_killed_thirty_times(tmp_path: Path) -> None:
    """At random moments, a third of them while it plays for sure: what is stored stays as it is,
    and the records come to the same.
    """
    suite = ["--puzzle", "card_nim", "--seeds", "1-1500"]
    begun = monotonic()
    assert 0 == _play(suite, tmp_path / "whole").returncode
    lasts, rng, out, before = monotonic() - begun, Random(30), tmp_path / "killed", b""
    killed, while_playing = 0, 0
    while killed < 30:
        run = subprocess.Popen(
            [*RUN, *suite, "--out", str(out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if killed % 3:
            with suppress(subprocess.TimeoutExpired):
                run.wait(rng.uniform(0, lasts))
        else:
            _wait_for_records(run, out, len(before) + rng.randrange(1, 50_000))
        if run.returncode is not None:  # it is over, so the other kills hit a new run
            assert stored(tmp_path / "whole") == stored(out)
            out, before = tmp_path / f"after {killed}", b""
            continue
        os.kill(run.pid, signal.SIGKILL)
        run.wait(60)
        after = (out / RECORDS).read_bytes() if (out / RECORDS).exists() else b""
        finished = before[: before.rfind(b"\n") + 1]  # a torn line is cut off
        assert after.startswith(finished)
        killed, while_playing, before = killed + 1, while_playing + (after > finished), after
    ended = _play(suite, out)

    assert (0, "") == (ended.returncode, ended.stderr)
    assert while_playing >= 5
    assert stored(tmp_path / "whole") == stored(out)


@pytest.mark.heavy
@pytest.mark.skipif(_namespaces_are_refused(), reason="this system refuses mount namespaces")
def test_a_full_disk(tmp_path: Path) -> None:
    """The run stops with the reason and what to do; every line that is stored is whole."""
    suite, small, saved = (
        ["--puzzle", "card_nim", "--seeds", "1-1000"],
        tmp_path / "small",
        tmp_path,
    )
    small.mkdir()
    command = [*RUN, *suite, "--out", str(small / "run")]
    script = f'{SMALL_DISK}; cp -r "{small}/run" "{saved}/kept"'
    ended = subprocess.run(
        [*NAMESPACE, script, "sh", str(small), *command], capture_output=True, text=True
    )

    assert "code 1" == ended.stdout.splitlines()[-1]
    told = " ".join(ended.stderr.split())  # it wraps
    assert "because a record could not be written: No space left on device" in told
    assert "the same command continues the run" in ended.stderr
    kept = len(list(read(saved / "kept" / RECORDS, whole=True)))
    assert 10 < kept < 2000
    assert 0 == _play(suite, saved / "kept").returncode  # with room again
    assert 0 == _play(suite, tmp_path / "whole").returncode
    assert stored(tmp_path / "whole") == stored(saved / "kept")


@pytest.mark.heavy
@pytest.mark.skipif(_namespaces_are_refused(), reason="this system refuses mount namespaces")
def test_a_read_only_folder(tmp_path: Path) -> None:
    """One sentence says what to do."""
    script = 'mount -t tmpfs -o ro none "$1" && shift && "$@"; echo "code $?"'
    command = [*RUN, "--puzzle", "card_nim", "--seeds", "1", "--out", str(tmp_path / "run")]
    ended = subprocess.run(
        [*NAMESPACE, script, "sh", str(tmp_path), *command], capture_output=True, text=True
    )

    assert "code 2\n" == ended.stdout
    assert 1 == len(ended.stderr.splitlines())
    assert "Read-only file system; choose another --out" in ended.stderr


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    """While the first one plays, in another process."""
    first = subprocess.Popen(
        [*RUN, "--puzzle", "card_nim", "--seeds", "1-9999", "--out", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = monotonic() + 60
        while not (tmp_path / RECORDS).exists() and monotonic() < deadline:
            sleep(0.02)
        sleep(0.2)
        second = _play(["--puzzle", "card_nim", "--seeds", "1-9999"], tmp_path)
    finally:
        first.kill()
        first.wait(60)

    assert 2 == second.returncode
    assert f"another run is writing to {tmp_path}; wait for it" in second.stderr
