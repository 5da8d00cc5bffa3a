"""The sandbox as seen from outside: a fork server, which starts the processes of programs."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from quandary.core.errors import choices

from .failures import ProgramFailed, SandboxGone
from .imports import MODULES
from .processes import Ended, Process
from .sandbox import fork_server
from .settings import MEMORY, Locks

PATIENCE = 60.0  # seconds for the fork server to answer
HERE = Path(__file__).parent
START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.fork_server import main; main()"
FLAGS = ("-S", "-s", "-P", "-B")  # not -I, which ignores PYTHONHASHSEED
# Libraries must not start threads: a child of the fork server would wait for them for ever.
ENVIRONMENT = {"PYTHONHASHSEED": "0"}
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Sandbox:
    """A fork server, and the processes that it has started."""

    def __init__(
        self,
        locks: Locks = Locks(),  # noqa: B008, it is immutable
        memory: int = MEMORY,
        modules: Sequence[str] = (),  # that programs may import beside the usual ones
        folders: Sequence[str] = (),  # in which those are found
    ) -> None:
        self.locks, self.memory = locks, memory
        self.ended, self.forgotten = dict[int, Ended](), set[int]()
        self.asked = 0  # how many processes it was asked for
        given = {"memory": memory, "modules": [*MODULES, *modules], "folders": list(folders)}
        try:
            environment = ENVIRONMENT | (ONE_THREAD if modules else {})  # for numerical libraries
            self.control, self.process = _fork_server(given | locks._asdict(), environment)
        except OSError as fault:
            raise ProgramFailed("infrastructure", f"no sandbox can be opened: {fault}") from fault
        try:
            self.missing = self._first_message(modules)
        except BaseException:
            self.close()
            raise

    def _first_message(self, modules: Sequence[str]) -> list[str]:
        message = self._received()[0]
        missing: list[str] = json.loads(message)["missing"]
        if unknown := [name for name in missing if name in modules]:
            raise ModuleNotFoundError(f"{choices(unknown)} cannot be imported in the sandbox")
        return missing

    @property
    def is_filtered(self) -> bool:
        """Whether a program cannot close its pipes."""
        return self.locks.seccomp

    def start(self) -> Process:
        """Return a new process without a program.

        SandboxGone if there can never be one again, ProgramFailed if there can be none now.
        """
        ends = list[int]()  # of two pipes, in turn the program's and ours
        try:
            ends += os.pipe2(os.O_CLOEXEC)
            ends += reversed(os.pipe2(os.O_CLOEXEC))
            pid, handle = self._forked(ends[::2])
            process = Process(self, pid, handle, ends[1], ends[3])
            del ends[1::2]
            return process
        except OSError as fault:
            raise ProgramFailed("infrastructure", f"no program can be started: {fault}") from fault
        finally:
            for descriptor in ends:
                os.close(descriptor)

    def _forked(self, ends: list[int]) -> tuple[int, int]:
        """Return the id and a descriptor of a new process."""
        self.asked += 1
        if self.control.fileno() < 0:
            raise SandboxGone("the sandbox is closed")
        try:
            socket.send_fds(self.control, [b"fork %d" % self.asked], ends)
        except (ConnectionError, TimeoutError):
            raise SandboxGone(f"the fork server ended: {self._last_words()}") from None
        while True:
            message, descriptors = self._received()
            if message.startswith(b"failed %d " % self.asked):
                raise OSError(message.split(b" ", 2)[2].decode())
            if message.startswith(b"child %d " % self.asked) and descriptors:
                return int(message.split()[2]), descriptors[0]
            self._note(message, descriptors)
            if message.startswith(b"child %d " % self.asked):
                raise OSError("there are too many open files")

    def how_ended(self, pid: int, seconds: float = PATIENCE) -> Ended | None:
        """Return how a process ended; None if that is not known in time."""
        if self.control.fileno() < 0:  # it is closed
            return None
        end = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        while pid not in self.ended and (left := end - time.monotonic()) > 0:
            if poll.poll(left * 1000):
                try:
                    self._note(*self._received())
                except (OSError, ProgramFailed):
                    return None
        return self.ended.pop(pid, None)

    def kill(self) -> None:
        """End the fork server, whether or not it answers; `close` is still to be called."""
        self.process.kill()

    def close(self) -> None:
        """End the fork server and all of its processes."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()

    def _received(self) -> tuple[bytes, list[int]]:
        try:
            message, descriptors, _, _ = socket.recv_fds(
                self.control, fork_server.LONGEST_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC
            )
        except TimeoutError:
            raise SandboxGone("the fork server does not answer") from None
        except ConnectionError:
            message = b""
        if not message:
            raise SandboxGone(f"the fork server ended: {self._last_words()}")
        return message, descriptors

    def _last_words(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            _, errors = self.process.communicate(timeout=PATIENCE)
            return errors.decode("utf-8", "replace").strip().rpartition("\n")[2][:500]
        return ""

    def forget(self, pid: int) -> None:
        """How this process ended, or will end, does not matter."""
        if self.ended.pop(pid, None) is None:
            self.forgotten.add(pid)

    def _note(self, message: bytes, descriptors: list[int]) -> None:
        """Take note of a process that ended, or that nobody waits for any more."""
        for descriptor in descriptors:
            os.close(descriptor)
        word, *values = message.split()
        if word == b"child":
            self.forgotten.add(int(values[1]))
        elif word == b"ended":
            pid, status, peak = map(int, values)
            if pid in self.forgotten:
                self.forgotten.remove(pid)
            else:
                self.ended[pid] = Ended(status, peak << 10)


def _fork_server(
    given: dict[str, Any], environment: dict[str, str]
) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Return a socket, and a fork server at its other end."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(PATIENCE)
    settings = json.dumps({"control": theirs.fileno(), **given})
    with theirs:
        try:
            return ours, subprocess.Popen(
                [sys.executable, *FLAGS, "-c", START, str(HERE), settings],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd="/",
                start_new_session=True,  # Ctrl-C is for whoever started it
            )
        except BaseException:
            ours.close()
            raise
