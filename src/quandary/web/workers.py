"""Processes that compute what would keep the event loop from answering: instances, moves of
strategies, hints and judgements.

Each task has a time limit; a process that exceeds it is ended and replaced.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, TypeVar

from quandary.core.errors import UserError

Result = TypeVar("Result")
# A fork would copy the locks of other threads, and `multiprocessing` runs the main module again.
COMMAND = "from quandary.web.workers import serve; serve({pipe})"
SECONDS = 20.0  # a task may take, unless its caller says otherwise
FULL = 500  # tasks that may wait; more are refused
MOST_OF_ONE = 100  # of them, those of one visitor: a page has some dozens of pictures
KNOWN = 20_000  # visitors whose use of the workers is known
HALF_LIFE = 60.0  # seconds after which half of what somebody has used is forgotten
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

    Nobody has tasks in all of them, and whoever has used them least is next, so that one visitor
    does not make another wait.
    """

    def __init__(self, count: int, now: Callable[[], float] = time.monotonic) -> None:
        self.count, self.now = count, now
        self._shares = dict[str, _Share]()  # of those who have tasks
        self._used: OrderedDict[str, _Used] = OrderedDict()
        self._free = list[_Worker]()
        # Threads wait for the pipes.
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="worker")
        self._all = list[_Worker]()

    def start(self) -> None:
        self._all = [_Worker() for _ in range(self.count)]
        self._free = list(self._all)

    async def run(
        self, task: Callable[..., Result], *arguments: Any, seconds: float = SECONDS
    ) -> Result:
        """Return the result of a task; its function and arguments are pickled.

        UserError as the task raised it, TooSlow, Overloaded or Failed.
        """
        who = asker.get()
        worker = await self._worker(who)
        begun = self.now()
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, worker.do, task, arguments, seconds
        )

        def free(done: asyncio.Future[Any]) -> None:
            """Whoever asked may be gone; the worker is free only when its task is over."""
            if not done.cancelled():
                done.exception()
            self._usage(who).add(self.now(), self.now() - begun)
            self._shares[who].busy -= 1
            self._leave(who)
            self._free.append(worker)
            self._assign()

        work.add_done_callback(free)
        result: Result = await asyncio.shield(work)
        return result

    async def _worker(self, who: str) -> _Worker:
        """Return a worker for somebody, when it is their turn; Overloaded if too many tasks
        wait.
        """
        share = self._shares.get(who)
        waiting = sum(len(each.waiting) for each in self._shares.values())
        if waiting >= FULL or (share and len(share.waiting) >= MOST_OF_ONE):
            raise Overloaded("too many tasks are waiting")
        share = self._shares.setdefault(who, _Share())
        turn: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        share.waiting.append(turn)
        self._assign()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given one at the same moment
                share.busy -= 1
                self._free.append(turn.result())
            else:
                share.waiting.remove(turn)
            self._leave(who)
            self._assign()
            raise

    def _assign(self) -> None:
        """Give free workers to those who wait."""
        most = max(1, self.count - 1)
        while self._free:
            may = [
                who
                for who, share in self._shares.items()
                if share.busy < most and share.waiting and not share.waiting[0].cancelled()
            ]
            if not may:
                return
            now = self.now()
            share = self._shares[min(may, key=lambda who: self._usage(who).seconds(now))]
            share.busy += 1
            share.waiting.popleft().set_result(self._free.pop(0))

    def _usage(self, who: str) -> _Used:
        """Return what somebody has used; those who asked nothing for the longest time are
        forgotten.
        """
        self._used.setdefault(who, _Used())
        self._used.move_to_end(who)
        while len(self._used) > KNOWN:
            self._used.popitem(last=False)
        return self._used[who]

    def _leave(self, who: str) -> None:
        share = self._shares[who]
        if not share.busy and not share.waiting:
            del self._shares[who]

    def close(self) -> None:
        """End the processes, whatever they do."""
        for worker in self._all:
            worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)


@dataclass(eq=False)
class _Share:
    """The tasks of one visitor."""

    waiting: deque[asyncio.Future[_Worker]] = field(default_factory=deque)
    busy: int = 0  # workers that do one


@dataclass
class _Used:
    """The seconds of workers that one visitor has used, of which half are forgotten in time."""

    known: float = 0.0
    at: float = 0.0

    def seconds(self, now: float) -> float:
        return float(self.known * 0.5 ** ((now - self.at) / HALF_LIFE))

    def add(self, now: float, seconds: float) -> None:
        self.known, self.at = self.seconds(now) + seconds, now


class _Worker:
    """One process, and our end of the pipe to it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes]
        self.pipe: Connection
        self.is_ended = False
        self._changing = Lock()  # held while the process is ended or replaced
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
        with self._changing:
            if not self.is_ended:  # else a process would be left behind
                self._stop()
                self._begin()

    def end(self) -> None:
        with self._changing:
            self.is_ended = True
            self._stop()

    def _stop(self) -> None:
        with suppress(OSError):
            self.pipe.close()
        self.process.kill()
        self.process.wait()  # it cannot refuse, but a busy machine may take its time


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
