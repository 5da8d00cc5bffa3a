"""The usual engine: this process alone for short runs, all cores for those that take longer."""

from __future__ import annotations

from collections.abc import Iterator
from operator import length_hint
from time import process_time

from quandary.arena.job import Job

from . import Engine, Keep

# Seconds of processor time, because workers help little where other programs use the cores:
SECONDS = 3.0  # after which it is worth while to start processes
REST = 2.0  # seconds that this process would need for the rest; for less, it is not


class Automatic:
    """Plays in this process for a few seconds, and then lets workers play the rest."""

    def __init__(self, coordinator: Engine, workers: Engine) -> None:
        self.coordinator, self.workers = coordinator, workers

    def play(self, jobs: Iterator[Job], keep: Keep) -> str:
        return self.coordinator.play(_for_a_while(jobs), keep) or self.workers.play(jobs, keep)


def _for_a_while(jobs: Iterator[Job]) -> Iterator[Job]:
    begun, number = process_time(), length_hint(jobs)
    while not is_worth_while(process_time() - begun, number, jobs) and (job := next(jobs, None)):
        yield job


def is_worth_while(seconds: float, number: int, jobs: Iterator[object]) -> bool:
    """Return whether to start processes for what is left of a number of jobs after some seconds."""
    if seconds < SECONDS:
        return False
    left = length_hint(jobs)
    played = number - left
    return not 0 < left < played * REST / seconds
