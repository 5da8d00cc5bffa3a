"""Processes that compute what would keep the event loop from answering: instances, moves of
strategies, hints and judgements.

Each task has a time limit; a process that exceeds it is ended and replaced.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from quandary.core.errors import UserError

Result = TypeVar("Result")
# A fork would copy the locks of other threads, and `multiprocessing` runs the main module again.
COMMAND = "from quandary.web.workers import serve; serve({pipe})"
SECONDS = 20.0  # a task may take, unless its caller says otherwise
ENDING = 2.0  # seconds that a process gets to end by itself
FULL = 1_000  # tasks that may wait; more are refused
MOST_OF_ONE = 200  # of them, those of one visitor
# For whom tasks are computed: a visitor, or "" for all who are not known.
asker: ContextVar[str] = ContextVar("asker", default="")


class TooSlow(Exception):
    """A task took longer than it may."""


class Overloaded(Exception):
    """Too many tasks are waiting."""


class Failed(Exception):
    """A task raised an error that is not the user's."""


class Workers:
    """A few processes, each of which does one task at a time.

    Nobody has tasks in all of them, so that one visitor does not make another wait.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._shares = dict[str, _Share]()
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        # Threads wait for the pipes.
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._all = list[_Worker]()

    def start(self) -> None:
        for _ in range(self.count):
            worker = _Worker()
            self._all.append(worker)
            self._free.put_nowait(worker)

    async def run(
        self, task: Callable[..., Result], *arguments: Any, seconds: float = SECONDS
    ) -> Result:
        """The result of a task; its function and arguments are pickled.

        UserError as the task raised it, TooSlow, Overloaded or Failed.
        """
        share = self._share(asker.get())
        share.tasks += 1
        worker = None
        try:
            await share.turn.acquire()
            try:
                worker = await self._free.get()
            except BaseException:
                share.turn.release()
                raise
        finally:
            if worker is None:
                self._leave(share)
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, worker.do, task, arguments, seconds
        )

        def free(done: asyncio.Future[Any]) -> None:
            """Whoever asked may be gone; the worker is free only when its task is over."""
            if not done.cancelled():
                done.exception()
            self._free.put_nowait(worker)
            share.turn.release()
            self._leave(share)

        work.add_done_callback(free)
        result: Result = await asyncio.shield(work)
        return result

    def _share(self, who: str) -> _Share:
        """What somebody has in the workers; Overloaded if that is too much."""
        waiting = sum(share.tasks for share in self._shares.values())
        share = self._shares.get(who)
        if waiting >= FULL or (share and share.tasks >= MOST_OF_ONE):
            raise Overloaded("too many tasks are waiting")
        if share is None:
            share = _Share(who, asyncio.Semaphore(max(1, self.count - 1)))
            self._shares[who] = share
        return share

    def _leave(self, share: _Share) -> None:
        share.tasks -= 1
        if not share.tasks:
            del self._shares[share.who]

    def close(self) -> None:
        """End the processes, whatever they do."""
        for worker in self._all:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


@dataclass(eq=False)
class _Share:
    """The tasks of one visitor."""

    who: str
    turn: asyncio.Semaphore  # held by those that have a worker or are next
    tasks: int = 0  # waiting and under way


class _Worker:
    """One process, and our end of the pipe to it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes]
        self.pipe: Connection
        self.is_ended = False
        self._begin()

    def _begin(self) -> None:
        self.pipe, theirs = Pipe()
        command = [sys.executable, "-c", COMMAND.format(pipe=theirs.fileno())]
        self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        theirs.close()

    def do(self, task: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        try:
            self.pipe.send((task, arguments))
            if not self.pipe.poll(seconds):
                raise TooSlow(f"{task.__name__} took more than {seconds:g} s")
            is_good, found = self.pipe.recv()
        except (TooSlow, EOFError, OSError) as reason:
            self._replace()
            if isinstance(reason, TooSlow):
                raise
            raise Failed(f"a worker ended in {task.__name__}") from None
        if is_good:
            return found
        if isinstance(found, UserError):
            raise found
        raise Failed(f"{task.__name__} failed: {found}")

    def _replace(self) -> None:
        if self.is_ended:
            return
        self._stop()
        self._begin()

    def end(self) -> None:
        self.is_ended = True
        self._stop()

    def _stop(self) -> None:
        with suppress(OSError):
            self.pipe.close()
        self.process.kill()
        self.process.wait(ENDING)


def serve(number: int) -> None:
    """What a process does: task after task until its pipe, a file of this number, is closed."""
    import signal

    pipe = Connection(number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    while True:
        try:
            task, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (True, task(*arguments))
        except UserError as mistake:
            answer = (False, mistake)
        except Exception as fault:  # one task must not end the worker for others
            answer = (False, f"{type(fault).__name__}: {fault}")
        with suppress(OSError):
            pipe.send(answer)
