"""The usual engine: this process alone for short runs, all cores for those that take longer."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from quandary.arena.job import Job

from . import Engine, Keep

SECONDS = 3.0  # after which it is worth while to start processes


class Automatic:
    """Plays in this process for a few seconds, and then lets workers play the rest."""

    def __init__(self, driver: Engine, workers: Engine) -> None:
        self.driver, self.workers = driver, workers

    def play(self, jobs: Iterator[Job], keep: Keep) -> str:
        return self.driver.play(_for_a_while(jobs), keep) or self.workers.play(jobs, keep)


def _for_a_while(jobs: Iterator[Job]) -> Iterator[Job]:
    end = monotonic() + SECONDS
    while monotonic() < end and (job := next(jobs, None)):
        yield job
