"""Engines: what plays the jobs of a run.  All of them make the same records, apart from times."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from quandary.arena.job import Job


class PlayedJob(NamedTuple):
    """A match that was played."""

    job: Job
    record: str  # as JSON, as it is stored


Keep: TypeAlias = Callable[[PlayedJob], None]  # stores a record; StopRun if it cannot


class Engine(Protocol):
    def play(self, jobs: Iterator[Job], keep: Keep) -> str:
        """Play jobs, and pass on each record when its match has ended.

        Returns why it stopped early, or "".
        """
