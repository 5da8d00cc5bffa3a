"""One session of a run: finds out what is stored, and lets engines play the rest."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeAlias

from quandary.core.errors import StopRun
from quandary.programs.library import Program
from quandary.programs.settings import ProgramSettings

from .engines import Engine, PlayedJob
from .equal_programs import EqualPrograms, renamed
from .headers import Collector, Header, RecordKey, header_in, is_cut_off
from .job import Job, need_coordinator
from .schedule import Schedule
from .store import Store

NOT_PLAYED = -1
# By player and puzzle, "" for all puzzles.
Programs: TypeAlias = Mapping[tuple[str, str], Program]
NO_PROGRAMS: Programs = MappingProxyType({})
AT_ONCE = 256  # records passed to the collector in one batch: half the time of one by one


class Pace(Protocol):
    """Learns of matches from whoever plays them, to know how long the others take."""

    def plan(self, seatings: Iterable[Sequence[str]]) -> None:
        """Of all that are left."""

    def begin(self, players: Sequence[str]) -> None:
        """That one begins."""

    def end(self, players: Sequence[str]) -> None:
        """That one is stored."""


class RunSession:
    """Keeps the offset of each match's record, by the number of the match.

    It is told of the stored records before it plays, and tells `collector` of those it plays.
    """

    def __init__(
        self,
        schedule: Schedule,
        tell: Callable[[int, int], None],
        collector: Collector | None = None,
        running: ProgramSettings | None = None,  # how programs run
        pace: Pace | None = None,
    ) -> None:
        self.schedule, self.tell, self.collector = schedule, tell, collector
        self.running, self.pace = running, pace
        self.kept = 0  # records that this session has added
        self.programs: Programs = NO_PROGRAMS
        self.equal: EqualPrograms | None = None
        self.store: Store
        # Of a Swiss run, all results: later rounds follow from them.
        self.results = dict[RecordKey, tuple[int, tuple[float, ...] | None]]()
        self.is_swiss = schedule.kind == "swiss"
        self._untold = list[tuple[int, str]]()  # records not yet passed to the collector
        self.clear()

    def clear(self) -> None:
        self.offsets = array("q", [NOT_PLAYED]) * len(self.schedule)
        self.done = 0
        self.results.clear()

    def add(self, offset: int, header: Header) -> None:
        """Note that a match has a result, if it has one."""
        if header.is_cut_off:
            return
        self._note(header.key, offset)
        if self.is_swiss:
            self.results[header.key] = offset, header.scores

    def _note(self, key: RecordKey, offset: int) -> None:
        number = self.schedule.number(*key)
        if number is not None:
            self.done += self.offsets[number] == NOT_PLAYED
            self.offsets[number] = offset

    def play(self, store: Store, coordinator: Engine, engine: Engine | None) -> str:
        """Play all rounds, and return why it stopped early, or "".

        The coordinator comes first, because its calls may fail; the engine plays the rest.
        """
        self.store = store
        while True:
            if self.pace:
                left = (at for at, offset in enumerate(self.offsets) if offset == NOT_PLAYED)
                self.pace.plan(self.schedule.job(at).players for at in left)
            self.tell(self.done, self.schedule.total)
            stopped = ""
            if engine is None or need_coordinator(self.schedule.players):
                stopped = coordinator.play(
                    self._left(coordinated_only=engine is not None), self.keep
                )
            if engine and not stopped:
                stopped = engine.play(self._left(), self.keep)
            self._tell_collector()
            if stopped or not self._next_round():
                return stopped

    def use(self, programs: Programs) -> None:
        """The programs among the players, which are known before anything is played."""
        self.programs = programs
        self.equal = EqualPrograms(programs, self._is_scheduled) if programs else None

    def is_played_by_others(self, job: Job) -> bool:
        """Return whether the record of a match will be that of equal programs, who have not played
        yet.
        """
        if self.equal is None or (players := self.equal.who_plays(job)) == job.players:
            return False
        return not self._is_stored(job._replace(players=players))

    def job(self, number: int) -> Job:
        """Return the match with a number, with the programs that play it."""
        job = self.schedule.job(number)
        if not self.programs:
            return job
        puzzle = job.spec.name
        found = (
            self.programs.get((name, puzzle)) or self.programs.get((name, ""))
            for name in job.players
        )
        return job._replace(programs=tuple(filter(None, found)), running=self.running)

    def _left(self, *, coordinated_only: bool = False) -> Iterator[Job]:
        """Return the matches without a record, or those of them that need the coordinator."""
        return LeftJobs(self, coordinated_only)

    def keep(self, played: PlayedJob) -> None:
        """Store a record, also for equal programs; StopRun if it cannot be written."""
        job = played.job
        if self._is_stored(job):  # with that of an equal program, which was played meanwhile
            return
        self._keep(played)
        if self.equal is None or is_cut_off(played.record):
            return
        for other in self.equal.others(job):
            if not self._is_stored(other):
                record = renamed(played.record, job.players, other.players)
                self._keep(PlayedJob(other, record))

    def _is_scheduled(self, job: Job) -> bool:
        return self._number(job) is not None

    def _is_stored(self, job: Job) -> bool:
        number = self._number(job)
        return number is not None and self.offsets[number] != NOT_PLAYED

    def _number(self, job: Job) -> int | None:
        return self.schedule.number(str(job.start), job.players, job.repeat)

    def _keep(self, played: PlayedJob) -> None:
        number = self._number(played.job)
        assert number is not None
        try:
            offset = self.store.append_json(played.record)
        except OSError as reason:
            raise StopRun(f"a record could not be written: {reason.strerror or reason}") from None
        self.offsets[number] = offset
        if self.collector is not None or self.is_swiss:
            self._untold.append((offset, played.record))
            if len(self._untold) == AT_ONCE:
                self._tell_collector()
        self.done += not is_cut_off(played.record)  # it has no result
        self.kept += 1
        if self.pace:
            self.pace.end(played.job.players)
        self.tell(self.done, self.schedule.total)

    def _tell_collector(self) -> None:
        """Tell of the records that were stored since it was told last."""
        for offset, record in self._untold:
            header = header_in(record)
            if self.collector is not None:
                self.collector.add(offset, header)
            if self.is_swiss:
                self.results[header.key] = offset, header.scores
        self._untold.clear()

    def _next_round(self) -> bool:
        """Add the next round of a Swiss run, if all matches so far have a result."""
        if self.schedule.total == len(self.schedule):
            return False
        points, results = defaultdict[str, float](float), 0
        for key, (_, scores) in self.results.items():
            if scores is not None and self.schedule.number(*key) is not None:
                results += 1
                for player, score in zip(key.players, scores, strict=True):
                    points[player] += score if len(key.players) == 2 else 0.0
        if results < len(self.schedule) or not self.schedule.pair(points):
            return False
        self.offsets.extend([NOT_PLAYED] * (len(self.schedule) - len(self.offsets)))
        for key, (offset, _) in self.results.items():
            self._note(key, offset)
        return True


class LeftJobs(Iterator[Job]):
    """The matches of a session that are not played yet, and how many there may be of them."""

    def __init__(self, session: RunSession, coordinated_only: bool) -> None:
        self._jobs, self._left = (
            self._found(session, coordinated_only),
            session.offsets.count(NOT_PLAYED),
        )

    def _found(self, session: RunSession, coordinated_only: bool) -> Iterator[Job]:
        for number, offset in enumerate(session.offsets):
            if offset == NOT_PLAYED:
                self._left -= 1
                job = session.job(number)
                if session.is_played_by_others(job):
                    continue
                if not coordinated_only or need_coordinator(job.players):
                    if session.pace:
                        session.pace.begin(job.players)
                    yield job

    def __next__(self) -> Job:
        return next(self._jobs)

    def __length_hint__(self) -> int:
        return self._left
