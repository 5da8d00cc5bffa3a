"""One session of a run: finds out what is stored, and lets engines play the rest."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator

from quandary.core.errors import StopRun

from .engines import Engine, PlayedJob
from .headers import headers
from .job import Job, need_driver
from .schedule import Schedule
from .store import RECORDS, Store

NOT_PLAYED = -1


class RunSession:
    """Keeps the offset of each match's record, by the number of the match."""

    def __init__(self, store: Store, schedule: Schedule, tell: Callable[[int, int], None]) -> None:
        self.store, self.schedule, self.tell = store, schedule, tell
        self.offsets = array("q")  # of records in their file, or NOT_PLAYED
        self.done = 0

    def play(self, driver: Engine, engine: Engine | None) -> str:
        """Play all rounds; returns why it stopped early, or "".

        The driver comes first, because its calls may fail; the engine plays what needs no driver.
        """
        while True:
            self._find_stored()
            self.tell(self.done, self.schedule.total)
            stopped = ""
            if engine is None or need_driver(self.schedule.players):
                stopped = driver.play(self._left(driven_only=engine is not None), self.keep)
            if engine and not stopped:
                stopped = engine.play(self._left(), self.keep)
            if stopped or not self._next_round():
                return stopped

    def _find_stored(self) -> None:
        """Note which matches of the rounds so far have a result."""
        self.offsets.extend([NOT_PLAYED] * (len(self.schedule) - len(self.offsets)))
        for offset, header in headers(self.store.folder / RECORDS):
            number = None if header.is_cut_off else self.schedule.number(*header.key)
            if number is not None:
                self.done += self.offsets[number] == NOT_PLAYED
                self.offsets[number] = offset

    def _left(self, *, driven_only: bool = False) -> Iterator[Job]:
        """The matches without a record, or those of them that need the driver."""
        for number, offset in enumerate(self.offsets):
            if offset == NOT_PLAYED:
                job = self.schedule.job(number)
                if not driven_only or need_driver(job.players):
                    yield job

    def keep(self, played: PlayedJob) -> None:
        """Store a record; StopRun if it cannot be written."""
        job = played.job
        number = self.schedule.number(str(job.start), job.players, job.repeat)
        assert number is not None
        try:
            self.offsets[number] = self.store.append_json(played.record)
        except OSError as reason:
            raise StopRun(f"a record could not be written: {reason.strerror or reason}") from None
        self.done += 1
        self.tell(self.done, self.schedule.total)

    def _next_round(self) -> bool:
        """Add the next round of a Swiss run, if all matches so far have a result."""
        if self.schedule.total == len(self.schedule):
            return False
        points, results = defaultdict[str, float](float), 0
        for _, header in headers(self.store.folder / RECORDS):
            if header.scores is not None and self.schedule.number(*header.key) is not None:
                results += 1
                for player, score in zip(header.players, header.scores, strict=True):
                    points[player] += score if len(header.players) == 2 else 0.0
        return results == len(self.schedule) and self.schedule.pair(points)
