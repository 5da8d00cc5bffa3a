"""Plays matches in this process, many at once in one event loop: for models, which take time."""

from __future__ import annotations

from asyncio import FIRST_COMPLETED, Task, create_task, gather, sleep, wait
from asyncio import run as run_async
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from quandary.arena.interrupts import WHY, Interrupts
from quandary.arena.job import Job, play_job
from quandary.core.errors import StopRun
from quandary.matches.codec import record_json
from quandary.models.journal import Journal
from quandary.players.registry import PlayerRegistry

from . import Keep, PlayedJob

Work = TypeVar("Work")
AT_ONCE = 256  # matches played at the same time if models play


class InLoop:
    """The engine for models, with one client for each of them; also plays everything else."""

    def __init__(
        self,
        player_registry: PlayerRegistry,
        journal: Journal | None,  # None if no model plays
        at_once: int = AT_ONCE,
    ) -> None:
        self.player_registry, self.journal, self.at_once = player_registry, journal, at_once
        self.clients = player_registry.clients
        self.interrupts = Interrupts()

    def play(self, jobs: Iterator[Job], keep: Keep) -> str:
        return run_async(self._play(jobs, keep))

    async def _play(self, jobs: Iterator[Job], keep: Keep) -> str:
        budget = self.clients.budget

        async def play_one(job: Job) -> None:
            if self.interrupts.number:  # strategies alone make no call that would be refused
                raise StopRun(WHY)
            record = await play_job(job, self.player_registry)
            keep(PlayedJob(job, record_json(record)))

        async def play_within_budget(job: Job) -> None:
            async with budget.match(job.name):
                await play_one(job)

        if self.journal is None:
            return await in_parallel(play_one, jobs, 1, budget.stop)
        async with self.clients.session(self.journal):
            with self.interrupts.handled(self.clients):
                play = play_within_budget if budget.is_capped else play_one
                return await in_parallel(play, jobs, self.at_once, budget.stop)


async def in_parallel(
    work: Callable[[Work], Awaitable[None]],
    jobs: Iterator[Work],
    at_once: int,
    stop: Callable[[str], object],
) -> str:
    """Do all jobs, `at_once` at the same time, and return why it stopped early, or "".

    After a StopRun, calls in flight are awaited, because they are paid for, and `stop` prevents
    further ones.  Any other error ends the run at once.
    """
    stopped = ""

    async def worker() -> None:
        for job in jobs:  # one iterator for all workers
            if stopped:
                break
            await work(job)

    left = set[Task[None]]()
    try:
        for _ in range(at_once):
            left.add(create_task(worker()))
            # One by one, so that the first call is sent before the last worker starts.
            await sleep(0)
        while left:
            done, left = await wait(left, return_when=FIRST_COMPLETED)
            for task in done:
                error = task.exception()
                if isinstance(error, StopRun):
                    stopped = stopped or str(error)
                    stop(stopped)
                elif error:
                    raise error
    finally:
        for task in left:
            task.cancel()
        await gather(*left, return_exceptions=True)
    return stopped
