"""Plays matches on the machines of a Ray cluster, or on this one: for large runs of strategies.

A node that is lost costs nothing but time: Ray plays its chunks again elsewhere, and records are
stored only by the process of the run.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain
from threading import current_thread, main_thread
from typing import Any

from quandary.arena.interrupts import SIGNALS
from quandary.arena.job import Job
from quandary.catalogue.external import VARIABLE
from quandary.core.errors import StopRun, UserError

from . import Keep
from .chunks import play_in_chunks, play_some
from .processes import cores
from .ray_leftovers import folder_of_a_cluster

RETRIES = 5  # of a chunk whose node or process died
# Without it, Ray's handler of crashes also takes SIGTERM, and is removed a second before Ray has
# ended: then that signal would end the run without a word.  Ray reads this when it is imported.
NO_CRASH_HANDLER = "RAY_DISABLE_FAILURE_SIGNAL_HANDLER"


class RayEngine:
    """The distributed engine; without an address, a cluster is started on this machine."""

    def __init__(self, address: str = "", workers: int | None = None) -> None:
        self.address, self.workers = address, workers
        self.ray = _ray()  # says now that it is not installed

    def play(self, jobs: Iterator[Job], keep: Keep) -> str:
        first = next(jobs, None)
        if first is None:
            return ""  # without starting a cluster
        with nullcontext() if self.address else folder_of_a_cluster() as folder:
            return self._play(chain([first], jobs), keep, folder)

    def _play(self, jobs: Iterator[Job], keep: Keep, folder: str | None) -> str:
        self._connect(folder)
        try:
            here = int(self.ray.cluster_resources().get("CPU", 1))
            workers = RayWorkers(self.ray, self.workers or max(1, here))
            play_in_chunks(jobs, keep, workers)
        except StopRun as reason:
            return str(reason)
        finally:
            with _own_signals():
                self.ray.shutdown()
        return ""

    def _connect(self, folder: str | None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        settings: dict[str, Any] = {"configure_logging": False, "log_to_driver": False}
        if folders := os.environ.get(VARIABLE):  # of puzzles from outside
            settings["runtime_env"] = {"env_vars": {VARIABLE: folders}}
        if not self.address:  # a cluster of this machine, which no other one can reach
            settings |= {"_node_ip_address": "127.0.0.1", "include_dashboard": False}
            settings |= {"num_cpus": self.workers or cores(), "_temp_dir": folder}
        try:
            with _own_signals(), _without_notices():
                self.ray.init(self.address or "local", **settings)
        except SystemExit:  # how Ray answers a SIGTERM while it starts
            signal.raise_signal(signal.SIGTERM)
            raise
        except (ConnectionError, RuntimeError, ValueError) as reason:
            where = f"at {self.address}" if self.address else "on this machine"
            raise UserError(f"there is no Ray cluster {where}: {reason}") from None


class RayWorkers:
    """The processes of a cluster."""

    def __init__(self, ray: Any, number: int) -> None:
        self.ray, self.number = ray, number
        self.play = ray.remote(num_cpus=1, max_retries=RETRIES)(play_some)

    def submit(self, jobs: Sequence[Job]) -> Any:
        return self.play.remote(jobs)

    def wait(self, tickets: Collection[Any]) -> Iterable[tuple[Any, list[str]]]:
        [ticket], _ = self.ray.wait(list(tickets), num_returns=1)
        try:
            records = self.ray.get(ticket)
        except self.ray.exceptions.RayTaskError:  # raised by a job itself
            raise
        except self.ray.exceptions.RayError:  # its node or process died too often
            records = []
        yield ticket, records


@contextmanager
def _own_signals() -> Iterator[None]:
    """Restore the signal handlers of the run: Ray replaces them when it starts.  When it ends, it
    leaves SIGTERM to the system if it was imported without `NO_CRASH_HANDLER`.
    """
    if current_thread() is not main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


@contextmanager
def _without_notices() -> Iterator[None]:
    """Hide the line on authentication that Ray prints whenever a cluster starts."""
    logger = logging.getLogger("ray._private.authentication")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _ray() -> Any:
    os.environ.setdefault(NO_CRASH_HANDLER, "1")
    try:
        import ray
    except ImportError:
        raise UserError("--engine ray needs Ray: pip install 'quandary[ray]'.") from None
    return ray
