"""One process of the sandbox as seen from outside: it is asked and timed here."""

from __future__ import annotations

import asyncio
import os
import resource
import select
import signal
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from quandary.core.contract import Cause

from .clock import SLICE, WALL, Clock
from .failures import ProgramFailed
from .replies import (
    MOST_BYTES,
    SHARE,
    ProgramReply,
    flood,
    judged,
    no_reply_to_this_turn,
    read_reply,
)

NEAR = 0.9  # share of the memory limit from which on a killed program has run out of memory
ENDING = 2.0  # seconds after which a program without pipes has closed them, if no lock forbids that
# Signals that a program can bring on itself; others come from outside.
OWN_SIGNALS = {
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT),
    *(signal.SIGSYS, signal.SIGPIPE, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
}


class Ended(NamedTuple):
    """How a process ended."""

    status: int  # as `wait` gives it
    peak: int  # of its memory, in bytes


class Starter(Protocol):
    """The sandbox that has started a process, as far as the process needs it."""

    memory: int

    @property
    def is_filtered(self) -> bool: ...

    def how_ended(self, pid: int, seconds: float = ...) -> Ended | None: ...

    def forget(self, pid: int) -> None: ...


class Process:
    """One process of the sandbox: loads a program, and plays matches one after another."""

    def __init__(self, sandbox: Starter, pid: int, handle: int, write: int, read: int) -> None:
        self.sandbox, self.pid, self.handle, self.write, self.read = (
            sandbox, pid, handle, write, read,
        )  # fmt: skip
        self.number, self.is_loaded = 0, False
        self.has_ended = self.has_played = False
        self.clock = Clock(pid)
        for descriptor in (write, read):
            os.set_blocking(descriptor, False)

    def ask(self, request: bytes) -> ProgramReply:
        """Send a JSON object without its last brace, and return the reply."""
        exchange = self._begin(request)
        poll = select.poll()
        poll.register(self.read, select.POLLIN)
        if is_sending := bool(exchange.unsent):
            poll.register(self.write, select.POLLOUT)
        while True:
            poll.poll(SLICE * 1000)
            if reply := self._go_on(exchange):
                return reply
            if is_sending and not exchange.unsent:
                is_sending = False
                poll.unregister(self.write)

    async def ask_async(self, request: bytes) -> ProgramReply:
        """Return the same beside other tasks of an event loop."""
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
                if reply := self._go_on(exchange):
                    return reply
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

    def memory(self) -> int:
        """Return the bytes that the process fills, those that it shares with the fork server
        included.
        """
        with suppress(OSError, IndexError):  # unless it ends just now
            pages = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE")
        return 0

    def rest(self) -> None:
        """Stop the process until it is woken, so that no timer of its program runs meanwhile."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGSTOP)

    def wake(self) -> bool:
        """Let a resting process go on; return False if it has ended."""
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        if poll.poll(0):
            return False
        with suppress(ProcessLookupError):  # it ends just now, as whoever asks it will find
            signal.pidfd_send_signal(self.handle, signal.SIGCONT)
        return True

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def _begin(self, request: bytes) -> Exchange:
        self.number += 1
        self.clock.asked()
        return Exchange(self, request + b', "number": %d}\n' % self.number)

    def _go_on(self, exchange: Exchange) -> ProgramReply | None:
        """Exchange what can be exchanged now; the reply, None if there is none yet."""
        if exchange.unsent:
            exchange.send()
        reply = exchange.whole_reply()
        if not reply and (now := self.clock.look()):
            # It may have answered before it was looked at, while this process had to wait.
            reply = exchange.whole_reply()
            if not reply and self.clock.is_over(now):
                raise self._out_of_time()
            if not reply and (cause := self.clock.wall_is_over()):
                raise self._not_waited_for(cause)
        if not reply:
            return None
        if self.clock.is_over_at_answer():
            raise self._out_of_time()
        return self._judged(reply)

    def _out_of_time(self) -> ProgramFailed:
        self.kill()
        return ProgramFailed("timeout", f"more than {self.clock.most:g} s")

    def _not_waited_for(self, cause: Cause) -> ProgramFailed:
        self.kill()
        seconds = f"{WALL * self.clock.most:g} s of wall time"  # the same in every run
        if cause == "timeout":
            return ProgramFailed(cause, f"it did not use its time in {seconds}")
        return ProgramFailed(cause, f"the machine gave it too little time in {seconds}")

    def _judged(self, reply: ProgramReply) -> ProgramReply:
        """Return a reply of the process; raise the failure that it names."""
        is_first, self.is_loaded = not self.is_loaded, True
        return judged(reply, is_first=is_first, has_used_memory=self._has_used_memory)

    def _has_used_memory(self) -> bool:
        """Return whether the process has had so much memory that there may have been no more."""
        with suppress(OSError, IndexError):  # unless it ends just now
            most, _ = resource.prlimit(self.pid, resource.RLIMIT_AS)
            status = Path(f"/proc/{self.pid}/status").read_text("ascii", "replace")
            peak = int(status.partition("VmPeak:")[2].split()[0]) << 10
            return peak >= most - (1 - SHARE) * self.sandbox.memory
        return False

    def died(self) -> ProgramFailed:
        """Return why the process is not there any more."""
        how_ended = self.sandbox.how_ended
        ended = how_ended(self.pid) if self.sandbox.is_filtered else how_ended(self.pid, ENDING)
        if lives := ended is None:
            self.kill()
            ended = how_ended(self.pid)
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
        except BrokenPipeError:  # it has ended, which is received, perhaps after last words
            self.unsent = memoryview(b"")

    def whole_reply(self) -> ProgramReply | None:
        """Return the reply; None while it is not complete."""
        data = self._data()
        self.received += data
        if len(self.received) > MOST_BYTES:
            self.process.kill()
            raise flood()
        if b"\n" not in data:
            return None
        reply = read_reply(self.received)
        is_first = reply.fault and not self.process.is_loaded  # and knows of no request
        if (self.unsent or reply.number != self.process.number) and not is_first:
            raise no_reply_to_this_turn()
        return reply

    def _data(self) -> bytes:
        try:
            data = os.read(self.process.read, 1 << 16)
        except BlockingIOError:
            return b""
        if not data:
            raise self.process.died()
        return data
