"""Plays matches in several processes of this machine: for strategies, which compute.

Workers also judge moves, because judging one can take seconds.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, TypeAlias

from quandary.arena.job import Job
from quandary.core.errors import StopRun

from . import Keep
from .chunks import play_in_chunks, play_some


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Processes:
    """The engine with workers on this machine."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()

    def play(self, jobs: Iterator[Job], keep: Keep) -> str:
        first = next(jobs, None)
        if first is None:
            return ""  # without starting a process
        try:
            with ProcessWorkers(self.workers) as workers:
                play_in_chunks(chain([first], jobs), keep, workers)
        except StopRun as reason:
            return str(reason)
        return ""


Work: TypeAlias = Callable[[Any], list[Any]]  # what a worker does with a chunk


class Worker:
    """A process that works on chunks one after another, seen from the coordinator."""

    def __init__(self, work: Work) -> None:
        # Not by fork: the coordinator has threads, and its files are locked for it alone.
        spawn = get_context("spawn")
        self.connection, its_own = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(its_own, work), daemon=True)
        with _without_ctrl_c():
            self.process.start()
        its_own.close()  # so that the end of the process ends the connection
        self.tickets = deque[int]()  # of the chunks it has, oldest first

    def end(self) -> None:
        """End the process at once, even during a match."""
        self.connection.close()
        self.process.join()


class ProcessWorkers:
    """Worker processes; those that die are replaced."""

    def __init__(self, number: int, work: Work = play_some) -> None:
        self.number, self.work, self.submitted = number, work, 0

    def __enter__(self) -> ProcessWorkers:
        self.workers = [Worker(self.work) for _ in range(self.number)]
        return self

    def submit(self, jobs: Sequence[Any]) -> int:
        worker = min(self.workers, key=lambda worker: len(worker.tickets))
        self.submitted += 1
        worker.tickets.append(self.submitted)
        with suppress(OSError):  # it is dead, as `wait` will find
            worker.connection.send(jobs)
        return self.submitted

    def wait(self, tickets: Collection[int]) -> Iterable[tuple[int, list[Any]]]:
        busy = {worker.connection: worker for worker in self.workers if worker.tickets}
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index]
            try:
                result = worker.connection.recv()
            except (EOFError, OSError):
                self.workers[self.workers.index(worker)] = Worker(self.work)
                worker.end()
                yield from ((ticket, []) for ticket in worker.tickets)
                continue
            if isinstance(result, BaseException):
                raise result
            yield worker.tickets.popleft(), result

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self.workers:
            worker.end()


def serve(coordinator: Connection, work: Work) -> None:
    """Work on chunks in a worker until the coordinator closes the connection or dies."""
    chunks = SimpleQueue[Sequence[Any]]()

    def receive() -> None:
        with suppress(EOFError, OSError):
            while True:
                chunks.put(coordinator.recv())
        os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        try:
            result: list[Any] | BaseException = work(chunks.get())
        except BaseException as reason:  # the coordinator raises it
            result = reason
        with suppress(OSError):  # the coordinator has ended, and `receive` ends this process
            coordinator.send(result)


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Let processes started within ignore Ctrl-C; the process of the run ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else the first start of a process would undo this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
