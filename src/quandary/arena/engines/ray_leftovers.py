"""Ends what is left of a Ray cluster of this machine when its run was killed.

Ray's own processes notice that themselves, some of them only after more than ten seconds, because
they first try to report it to a server that has gone.  So a cluster gets a folder of its own, and
a process of ours waits for the end of the run, kills other processes that still write a file in
that folder, such as their log, and removes the folder.  It finds them in /proc, and so only on
Linux.  Who only reads there, as `du` and `tail` do, is left alone.

This file is also run by itself, as that process, and so imports nothing of quandary.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROCESSES = Path("/proc")
PLACE = "/tmp"  # as Ray does: names of sockets are long, and may have about 100 characters
ROUNDS, PAUSE = 100, 0.02  # a process may start another one while it is being killed


@contextmanager
def folder_of_a_cluster() -> Iterator[str]:
    """A cluster that keeps its files here ends with this process, however this process ends."""
    folder = tempfile.mkdtemp(prefix="quandary-ray-", dir=os.environ.get("RAY_TMPDIR", PLACE))
    watching = [sys.executable, "-I", "-S", __file__, folder, str(os.getpid())]
    # The pipe is closed by the system when this process ends, also if it is killed.
    watcher = subprocess.Popen(watching, stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield folder
    finally:
        watcher.communicate()


def _kill_all(folder: str, run: int) -> None:
    for _ in range(ROUNDS if PROCESSES.is_dir() else 0):
        found = set(_writers(folder)) - {run}
        if not found:
            return
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(PAUSE)


def _writers(folder: str) -> Iterator[int]:
    """Yield processes of ours that have a file in a folder open for writing."""
    for process in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or belongs to somebody else
            files = (process / "fd").iterdir()
            if any(each.readlink().is_relative_to(folder) and _is_written(each) for each in files):
                yield int(process.name)


def _is_written(file: Path) -> bool:
    """Return whether a file of /proc/PID/fd was opened for writing."""
    with suppress(FileNotFoundError):  # it was closed just now
        for line in (file.parent.parent / "fdinfo" / file.name).read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "flags":
                return int(value, 8) & os.O_ACCMODE != os.O_RDONLY
    return False


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # a service is ended by a signal to all its processes
    sys.stdin.read()
    _kill_all(sys.argv[1], run=int(sys.argv[2]))
    shutil.rmtree(sys.argv[1], ignore_errors=True)
