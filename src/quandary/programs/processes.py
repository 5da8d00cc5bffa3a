"""Running programs, as seen from outside: the sandbox that starts them, and one process each.

What a process says is believed only where lying gains nothing: that its code does not compile,
which is said before any of it runs, and that it failed by an error of its own.  That it ran out of
time or memory, wrote too much, or that the sandbox itself failed, is found here.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from quandary.core.contract import Cause
from quandary.core.errors import choices

from .sandbox import fork_server, limits

MOST_BYTES = 1 << 20  # of one reply
NEAR = 0.9  # share of the memory limit from which on a killed program has run out of memory
SHARE = 1 / 3  # of it, that a program has at least used when its memory runs out: lists double
SLICE = 0.2  # seconds between two looks at the clock of a program that has not answered
LOADING = 30.0  # seconds that a program may take to compile
LONGEST_WORDS = 400  # characters of an error that is recorded
PATIENCE = 60.0  # seconds for the fork server to answer
ENDING = 2.0  # seconds after which a program without pipes has closed them, if no lock forbids that
HERE = Path(__file__).parent
START = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.fork_server import main; main()"
FLAGS = ("-S", "-s", "-P", "-B")  # not -I, which ignores PYTHONHASHSEED
# Libraries must not start threads: a child of the fork server would wait for them for ever.
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}
SLEEPING = "STt"  # states of a process that could go on and does not, as the kernel names them
# Signals that a program can bring on itself; others come from outside.
OWN_SIGNALS = {
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT),
    *(signal.SIGSYS, signal.SIGPIPE, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
}
MODULES = tuple(Path(limits.__file__).with_name("modules.txt").read_text("ascii").split())


class ProgramFailed(Exception):
    """A program cannot go on, with the cause by which its match ends."""

    def __init__(self, cause: Cause, words: str = "") -> None:
        super().__init__(cause, words)
        self.cause, self.words = cause, words


class Locks(NamedTuple):
    """The locks around a program."""

    seccomp: bool = True
    landlock: bool = True


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """One line of a program's process."""

    number: int = 0
    move: Any = None
    kind: str = ""  # of a value that JSON does not have
    has_player: bool = False
    uses: list[str] = []
    syntax: str = ""
    crash: str = ""
    line: int | None = None
    fault: str = ""  # the sandbox could not be built


_decode = msgspec.json.Decoder(Said).decode


class Ended(NamedTuple):
    """How a process ended."""

    status: int  # as `wait` gives it
    peak: int  # of its memory, in bytes


class Sandbox:
    """A fork server, and the processes that it has started."""

    def __init__(
        self,
        locks: Locks = Locks(),  # noqa: B008, it is immutable
        memory: int = limits.MEMORY,
        modules: Sequence[str] = (),  # that programs may import beside the usual ones
        folders: Sequence[str] = (),  # in which those are found
    ) -> None:
        self.locks, self.memory = locks, memory
        self.ended, self.forgotten = dict[int, Ended](), set[int]()
        self.asked = 0  # how many processes it was asked for
        given = {"memory": memory, "modules": [*MODULES, *modules], "folders": list(folders)}
        try:
            self.control, self.process = _fork_server(given | locks._asdict())
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

    def start(self) -> Process:
        """A new process without a program."""
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
        """The id and a descriptor of a new process."""
        self.asked += 1
        socket.send_fds(self.control, [b"fork %d" % self.asked], ends)
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
        """How a process ended; None if that is not known in time."""
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
            raise ProgramFailed("infrastructure", "the fork server does not answer") from None
        if not message:
            raise ProgramFailed("infrastructure", f"the fork server ended: {self._last_words()}")
        return message, descriptors

    def _last_words(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            _, said = self.process.communicate(timeout=PATIENCE)
            return said.decode("utf-8", "replace").strip().rpartition("\n")[2][:500]
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


class Look(NamedTuple):
    """What is seen of a program at one moment, in seconds."""

    wall: float
    computed: float
    waited: float  # for a processor, when none was free; known only after it has got one
    sleeps: bool = True  # otherwise it computes, or waits for a processor


class Clock:
    """The seconds that a program has used: those in which it computed, or slept when asked.

    Those in which it waited for a processor do not count.  Sleep of less than two slices is not
    noticed, nor that before a look at which it does not sleep.
    """

    def __init__(self, pid: int) -> None:
        self.pid, self.most, self.slept = pid, LOADING, 0.0
        self.number = (~pid << 3) | 2  # of the clock that each process has
        self.begun = self.answered_at = 0.0  # on the clock of the process
        self.seen: Look | None = None  # since it was asked
        self.next_look = 0.0

    def start(self, most: float) -> None:
        """Begin a match, in which the program may use so many seconds, with what it computed since
        it answered last.
        """
        self.most, self.begun, self.slept = most, self.answered_at, 0.0

    def asked(self) -> None:
        """From now on the program is to think."""
        self.seen, self.next_look = None, 0.0

    def look(self) -> Look | None:
        """Look at a program that has not answered; None if it was looked at a moment ago."""
        now = time.monotonic()
        if now < self.next_look:
            return None
        self.next_look = now + SLICE
        return Look(now, self._computed(), self._waited(), self._sleeps())

    def is_over(self, now: Look) -> bool:
        """Whether a program that had not answered when it was looked at has used all its time."""
        if self.seen:
            wall, computed = now.wall - self.seen.wall, now.computed - self.seen.computed
            waited = now.waited - self.seen.waited
            self.slept += max(0.0, wall - computed - waited) if now.sleeps else 0.0
        self.seen = now
        return now.computed - self.begun + self.slept > self.most

    def is_over_at_answer(self) -> bool:
        """The same of a program that has answered, and waits for its next turn from now on."""
        self.answered_at = self._computed()
        return self.answered_at - self.begun + self.slept > self.most

    def _computed(self) -> float:
        try:
            return time.clock_gettime(self.number)
        except OSError:  # it has ended
            return self.answered_at

    def _waited(self) -> float:
        with suppress(OSError, ValueError, IndexError):
            told = Path(f"/proc/{self.pid}/schedstat").read_text("ascii")
            return int(told.split()[1]) / 1e9
        return 0.0

    def _sleeps(self) -> bool:
        with suppress(OSError):
            told = Path(f"/proc/{self.pid}/stat").read_text("utf-8", "replace")
            return told.rpartition(")")[2].split()[0] in SLEEPING
        return False


class Process:
    """One process of the sandbox: loads a program, and plays matches one after another."""

    def __init__(self, sandbox: Sandbox, pid: int, handle: int, write: int, read: int) -> None:
        self.sandbox, self.pid, self.handle, self.write, self.read = (
            sandbox, pid, handle, write, read,
        )  # fmt: skip
        self.number, self.is_loaded = 0, False
        self.has_ended = False
        self.clock = Clock(pid)
        for descriptor in (write, read):
            os.set_blocking(descriptor, False)

    def ask(self, request: bytes) -> Said:
        """Send a JSON object without its last brace, and wait for what is said to it."""
        exchange = self._begin(request)
        poll = select.poll()
        poll.register(self.read, select.POLLIN)
        if is_sending := bool(exchange.unsent):
            poll.register(self.write, select.POLLOUT)
        while True:
            poll.poll(SLICE * 1000)
            if said := self._go_on(exchange):
                return said
            if is_sending and not exchange.unsent:
                is_sending = False
                poll.unregister(self.write)

    async def ask_async(self, request: bytes) -> Said:
        """The same beside other tasks of an event loop."""
        exchange, loop, woken = self._begin(request), asyncio.get_running_loop(), asyncio.Event()
        read, write = self.read, self.write
        loop.add_reader(read, woken.set)
        if exchange.unsent:
            loop.add_writer(write, woken.set)
        try:
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), SLICE)
                woken.clear()
                if said := self._go_on(exchange):
                    return said
                if not exchange.unsent:
                    loop.remove_writer(write)
        finally:
            loop.remove_reader(read)
            loop.remove_writer(write)

    def close(self) -> None:
        """End the process."""
        if self.handle < 0:
            return
        self.kill()
        for descriptor in (self.handle, self.write, self.read):
            os.close(descriptor)
        self.handle = self.write = self.read = -1  # numbers that soon mean other files
        if not self.has_ended:
            self.sandbox.forget(self.pid)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def _begin(self, request: bytes) -> Exchange:
        self.number += 1
        self.clock.asked()
        return Exchange(self, request + b', "number": %d}\n' % self.number)

    def _go_on(self, exchange: Exchange) -> Said | None:
        """Exchange what can be exchanged now; the reply, None if there is none yet."""
        if exchange.unsent:
            exchange.send()
        said = exchange.heard()
        if not said and (now := self.clock.look()):
            # It may have answered before it was looked at, while this process had to wait.
            said = exchange.heard()
            if not said and self.clock.is_over(now):
                raise self._out_of_time()
        if not said:
            return None
        if self.clock.is_over_at_answer():
            raise self._out_of_time()
        return self._judged(said)

    def _out_of_time(self) -> ProgramFailed:
        self.kill()
        return ProgramFailed("timeout", f"more than {self.clock.most:g} s")

    def _judged(self, said: Said) -> Said:
        """What the process says, or the failure that it tells of."""
        if not self.is_loaded:
            if said.fault:
                raise ProgramFailed("infrastructure", said.fault)
            self.is_loaded = True
            if said.syntax:
                raise ProgramFailed("syntax", _with_line(said.syntax, said.line))
        if said.crash:
            ran_out = said.crash.startswith("MemoryError") and self._has_used_memory()
            raise ProgramFailed("memory" if ran_out else "crash", _with_line(said.crash, said.line))
        if said.kind:
            said.kind = _printable(said.kind)
        return said

    def _has_used_memory(self) -> bool:
        """Whether the process has had so much memory that there may have been no more."""
        with suppress(OSError, IndexError):  # unless it ends just now
            most, _ = resource.prlimit(self.pid, resource.RLIMIT_AS)
            told = Path(f"/proc/{self.pid}/status").read_text("ascii", "replace")
            peak = int(told.partition("VmPeak:")[2].split()[0]) << 10
            return peak >= most - (1 - SHARE) * self.sandbox.memory
        return False

    def died(self) -> ProgramFailed:
        """Why the process is not there any more."""
        patience = PATIENCE if self.sandbox.locks.seccomp else ENDING
        ended = self.sandbox.how_ended(self.pid, patience)
        if lives := ended is None:
            self.kill()
            ended = self.sandbox.how_ended(self.pid)
        if ended is None:
            return ProgramFailed("infrastructure", "the sandbox has lost its program")
        self.has_ended = True
        if os.WIFSIGNALED(ended.status):
            number = os.WTERMSIG(ended.status)
            name = signal.strsignal(number) or f"signal {number}"
            if number in OWN_SIGNALS:
                return ProgramFailed("crash", f"it was ended by a signal: {name}")
            if number == signal.SIGKILL and lives:
                return ProgramFailed("crash", "it closed its pipes")
            if number == signal.SIGKILL and ended.peak >= NEAR * self.sandbox.memory:
                return ProgramFailed("memory", f"it had {ended.peak >> 20} MiB")
            return ProgramFailed("infrastructure", f"it was ended from outside: {name}")
        if not self.is_loaded:
            return ProgramFailed("infrastructure", "the sandbox ended before the program was read")
        return ProgramFailed("crash", "it ended by itself")


class Exchange:
    """One request to a process, and its reply as far as it has come."""

    def __init__(self, process: Process, request: bytes) -> None:
        self.process, self.unsent, self.received = process, memoryview(request), bytearray()
        if process.is_loaded and self._data():
            raise ProgramFailed("crash", "it wrote something without being asked")
        self.send()

    def send(self) -> None:
        """Send as much as the pipe takes."""
        try:
            self.unsent = self.unsent[os.write(self.process.write, self.unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it has ended, which is heard, perhaps after last words
            self.unsent = memoryview(b"")

    def heard(self) -> Said | None:
        """The reply; None while it is not complete."""
        data = self._data()
        self.received += data
        if len(self.received) > MOST_BYTES:
            self.process.kill()
            raise ProgramFailed("flood", f"a reply of more than {MOST_BYTES:,} bytes")
        if b"\n" not in data:
            return None
        if self.received.index(b"\n") < len(self.received) - 1:
            raise ProgramFailed("crash", "it wrote more than one line")
        try:
            said = _decode(self.received)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise ProgramFailed("crash", "it wrote something that is no reply") from None
        is_first = said.fault and not self.process.is_loaded  # and knows of no request
        if (self.unsent or said.number != self.process.number) and not is_first:
            raise ProgramFailed("crash", "it wrote something that is no reply to this turn")
        return said

    def _data(self) -> bytes:
        try:
            data = os.read(self.process.read, 1 << 16)
        except BlockingIOError:
            return b""
        if not data:
            raise self.process.died()
        return data


def _fork_server(given: dict[str, Any]) -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """A socket, and a fork server at its other end."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(PATIENCE)
    told = json.dumps({"control": theirs.fileno(), **given})
    with theirs:
        try:
            return ours, subprocess.Popen(
                [sys.executable, *FLAGS, "-c", START, str(HERE), told],
                env=ENVIRONMENT,
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


def _with_line(words: str, line: int | None) -> str:
    """An error in one line that can be printed, whatever the program has put into it."""
    shown = _printable(words)
    return shown if line is None else f"{shown} (line {line})"


def _printable(words: str) -> str:
    return "".join(c if c.isprintable() else " " for c in words[:LONGEST_WORDS])
