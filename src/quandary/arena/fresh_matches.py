"""Matches of programs that are played again in fresh processes, to see whether sharing matters.

Where a puzzle has neither secrets nor chance, a process of a program may play several matches, and
a program could keep something from one to another.  One match in 100, and at least one of each
program, is played again in processes that have played no other; its new record is kept beside those
of the run, and never counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from os import urandom
from pathlib import Path
from typing import NamedTuple, TypeAlias

from quandary.core.contract import Seat
from quandary.core.errors import StopRun, UserError
from quandary.matches.record import Record
from quandary.programs.library import is_program
from quandary.programs.player import hides_or_draws
from quandary.programs.pool import ProgramPool

from .engines import Engine, PlayedJob
from .headers import headers
from .job import Job, need_coordinator
from .jsonl import append, repair
from .session import NOT_PLAYED, RunSession
from .store import RECORDS, StoredRecords, read

FRESH, KEY = "fresh.jsonl", "fresh.key"  # beside the records of a run
ONE_IN = 100  # matches
LENGTH = 16  # bytes of the key
PLACES = 1 << 64

# A player and a puzzle, "" for all puzzles: the third sample of a model is another program in each.
ProgramKey: TypeAlias = tuple[str, str]


class Comparison(NamedTuple):
    """The results of playing matches again, by program."""

    unrepeatable: dict[str, list[str]]  # what they use that is different each time
    compared: Counter[str]  # matches
    differing: Counter[str]  # matches in which they were the first to do something else


def key_of(folder: Path) -> bytes:
    """Return a random key of a run, the same in all of its sessions; UserError if there can be
    none.

    It is asked for before a run begins, so that nothing is missing at its end.
    """
    path = folder / KEY
    for file in (path, folder / FRESH):
        if file.exists() and not file.is_file():
            raise UserError(f"{file} is not a file; move it away.")
    try:
        with suppress(FileNotFoundError, ValueError):
            key = bytes.fromhex(path.read_text("utf-8"))
            if len(key) == LENGTH:  # less was left by a session that ended while it wrote
                return key
        key = urandom(LENGTH)
        path.write_text(key.hex(), "utf-8")
    except OSError as reason:
        raise UserError(f"{path} could not be read or written: {reason.strerror}.") from None
    return key


def place_of(job: Job, key: bytes) -> int:
    """Return the place of a match in an order that has nothing to do with luck; the first are
    chosen.

    A program that knew which they are could keep nothing in those alone, so the key is secret.
    """
    return int.from_bytes(blake2b(job.name.encode(), key=key, digest_size=8).digest())


class FreshMatches:
    """Plays matches of a session again, and compares the records."""

    def __init__(self, session: RunSession, pool: ProgramPool, folder: Path, key: bytes) -> None:
        self.session, self.pool, self.folder = session, pool, folder
        self.path = folder / FRESH
        self.uses = self._uses()
        self._shared = dict[tuple[str, str], bool]()  # by puzzle and task, if processes may be
        self.chosen = self._chosen(key)

    def play(self, engine: Engine) -> str:
        """Play the matches that were not replayed yet, and return why it stopped early, or ""."""
        usual = self.pool.settings
        fresh = usual._replace(process_per_match=True)
        done = self._done()
        jobs = [
            self.session.job(number)._replace(running=fresh)
            for number in self.chosen
            if number not in done
        ]
        if not jobs:
            return ""
        try:
            with self.path.open("ab+", buffering=0) as file:
                repair(file)

                def keep(played: PlayedJob) -> None:
                    try:
                        append(file, played.record.encode() + b"\n")
                    except OSError as reason:
                        raise _not_written(self.path, reason) from None

                return engine.play(iter(jobs), keep)
        except OSError as reason:
            return str(_not_written(self.path, reason))
        finally:
            self.pool.use(usual)  # the jobs had others

    def compared(self) -> Comparison:
        """Return what all matches that were played again have shown."""
        names = dict[str, dict[str, None]]()
        for (player, _), uses in self.uses.items():
            names.setdefault(player, {}).update(dict.fromkeys(uses))
        unrepeatable = {player: list(uses) for player, uses in names.items()}
        found = Comparison(unrepeatable, Counter(), Counter())
        for fresh in read(self.path) if self.path.exists() else ():
            number = self.session.schedule.number(fresh.name, fresh.players, fresh.repeat)
            if number is None or self.session.offsets[number] == NOT_PLAYED:
                continue
            if fresh.cause == "infrastructure":
                continue
            [stored] = StoredRecords(self.folder / RECORDS, [self.session.offsets[number]])
            found.compared.update({*filter(is_program, fresh.players)})
            if (seat := first_to_differ(stored, fresh)) is not None:
                found.differing[fresh.players[seat]] += 1
        return found

    def _done(self) -> set[int | None]:
        """Return the numbers of the matches that were played again, with a result."""
        found = headers(self.path) if self.path.exists() else ()
        number = self.session.schedule.number
        return {number(*header.key) for _, header in found if not header.is_cut_off}

    def _chosen(self, key: bytes) -> list[int]:
        """Return the numbers of the matches that are to be played again, and have a record.

        They follow from the key and the schedule alone, not from what was played in which order.
        """
        share = PLACES // ONE_IN
        chosen, first = set[int](), dict[ProgramKey, tuple[int, int]]()
        for number, job in enumerate(self.session.schedule):
            place = place_of(job, key)
            earliest = [
                program
                for program in self._programs_of(job)
                if program not in first or place < first[program][0]
            ]
            if (place < share or earliest) and self._can_be_compared(job):
                first |= dict.fromkeys(earliest, (place, number))
                if place < share:
                    chosen.add(number)
        chosen |= {number for _, number in first.values()}
        return [number for number in sorted(chosen) if self.session.offsets[number] != NOT_PLAYED]

    def _can_be_compared(self, job: Job) -> bool:
        """Return whether processes may have been shared in a match, and nothing else makes it
        differ.
        """
        programs, equal = list(self._programs_of(job)), self.session.equal
        if not programs or need_coordinator(job.players) or not self._may_share(job):
            return False
        if any(program in self.uses for program in programs):
            return False
        return equal is None or equal.who_plays(job) == job.players

    def _may_share(self, job: Job) -> bool:
        about = job.spec.name, job.spec.task
        if about not in self._shared:
            self._shared[about] = not hides_or_draws(job.game())
        return self._shared[about]

    def _programs_of(self, job: Job) -> Iterator[ProgramKey]:
        for player in job.players:
            for key in ((player, job.spec.name), (player, "")):
                if key in self.session.programs:
                    yield key

    def _uses(self) -> dict[ProgramKey, list[str]]:
        """Return what programs of the run use that is different each time, of those that do."""
        found = {key: self.pool.uses(program) for key, program in self.session.programs.items()}
        return {key: uses for key, uses in found.items() if uses}


def _not_written(path: Path, reason: OSError) -> StopRun:
    return StopRun(f"{path} could not be written: {reason.strerror or reason}")


def first_to_differ(stored: Record, fresh: Record) -> Seat | None:
    """Return the seat that was the first to do something else; None if none did, or time
    decides.
    """
    for before, now in zip(stored.said, fresh.said, strict=False):
        if "timeout" in (before.status, now.status):
            return None
        if (before.seat, before.status, before.move) != (now.seat, now.status, now.move):
            return now.seat
    return None
