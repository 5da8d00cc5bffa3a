"""Jobs in chunks for workers in other processes, which keeps the overhead small.

A worker returns its records after a short time, together with the jobs it has not played: so all
workers share a chunk of long matches, and a crash loses little.
"""

from __future__ import annotations

from asyncio import run as run_async
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from time import perf_counter
from typing import Protocol, TypeVar

from quandary.arena.job import Job, play_job
from quandary.core.errors import StopRun
from quandary.matches.codec import record_json
from quandary.players.registry import PlayerRegistry

from . import Keep, PlayedJob

CHUNK = 128  # most jobs that are passed on together
SECONDS = 0.1  # after which a worker passes on what it has played
QUEUED = 2  # chunks per worker: one is played, another one waits
MOST_LOST = 6  # chunks in a row whose worker died

Ticket = TypeVar("Ticket")


class Workers(Protocol[Ticket]):
    """Processes that play chunks."""

    number: int

    def submit(self, jobs: Sequence[Job]) -> Ticket:
        """Let a worker call `play_some`."""

    def wait(self, tickets: Collection[Ticket]) -> Iterable[tuple[Ticket, list[str]]]:
        """Return the records of one or more chunks; none if their worker died."""


def play_some(jobs: Sequence[Job]) -> list[str]:
    """Play one job or more, until the time is over, and return their records as JSON."""
    return run_async(_play_some(jobs))


async def _play_some(jobs: Sequence[Job]) -> list[str]:
    begun, records = perf_counter(), list[str]()
    for job in jobs:
        records.append(record_json(await play_job(job, _player_registry())))
        if perf_counter() - begun > SECONDS:
            break
    return records


@cache
def _player_registry() -> PlayerRegistry:
    return PlayerRegistry()


def play_in_chunks(jobs: Iterator[Job], keep: Keep, workers: Workers[Ticket]) -> None:
    """Play all jobs; StopRun if records cannot be stored or workers keep dying."""
    waiting, playing, lost = deque[Job](), dict[Ticket, list[Job]](), 0
    while True:
        # More may wait already: those that workers gave back.
        waiting.extend(islice(jobs, max(0, CHUNK * workers.number - len(waiting))))
        while waiting and len(playing) < QUEUED * workers.number:
            chunk = _first(waiting, max(1, min(CHUNK, len(waiting) // workers.number)))
            playing[workers.submit(chunk)] = chunk
        if not playing:
            return
        for ticket, records in workers.wait(playing):
            chunk = playing.pop(ticket)
            waiting.extendleft(reversed(chunk[len(records) :]))
            lost = 0 if records else lost + 1
            if lost > MOST_LOST:
                raise StopRun(
                    f"workers keep dying, the last one after {chunk[0].name!r} began; if "
                    f"memory runs out, use fewer --workers"
                )
            for job, record in zip(chunk, records, strict=False):
                keep(PlayedJob(job, record))


def _first(waiting: deque[Job], number: int) -> list[Job]:
    return [waiting.popleft() for _ in range(number)]
