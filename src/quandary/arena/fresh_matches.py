"""Matches of programs that are played again in fresh processes, to see whether sharing matters.

Where a puzzle has neither secrets nor chance, a process of a program may play several matches, and
a program could keep something from one to another.  One match in 100 is played again, in processes
that have played no other; its new record is kept beside those of the run, and never counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes
from typing import NamedTuple

from quandary.core.contract import Seat
from quandary.core.errors import StopRun, UserError
from quandary.matches.record import Record
from quandary.programs.library import is_program
from quandary.programs.player import hides_or_draws
from quandary.programs.pool import ProgramPool

from .engines import Engine, PlayedJob
from .headers import RecordKey, headers
from .job import Job, match_name, need_driver
from .jsonl import append, repair
from .session import RunSession
from .store import RECORDS, StoredRecords, read

FRESH, KEY = "fresh.jsonl", "fresh.key"  # beside the records of a run
ONE_IN = 100  # matches
LENGTH = 16  # bytes of the key


class Comparison(NamedTuple):
    """What was found by playing matches again, by program."""

    unrepeatable: dict[str, list[str]]  # what they use that is different each time
    compared: Counter[str]  # matches
    differing: Counter[str]  # matches in which they were the first to do something else


def key_of(folder: Path) -> bytes:
    """A random key of a run, the same in all of its sessions; UserError if it cannot be written."""
    path = folder / KEY
    with suppress(FileNotFoundError, ValueError):
        key = bytes.fromhex(path.read_text("utf-8"))
        if len(key) == LENGTH:  # less was left by a session that ended while it wrote
            return key
    key = token_bytes(LENGTH)
    try:
        path.write_text(key.hex(), "utf-8")
    except OSError as reason:
        raise UserError(f"{path} could not be written: {reason.strerror}.") from None
    return key


def is_chosen(match: RecordKey, key: bytes) -> bool:
    """Whether a match is one of those that are played again; it does not depend on luck.

    A program that knew which they are could keep nothing in those alone, so the key is secret.
    """
    name = match_name(*match).encode()
    if int.from_bytes(blake2b(name, key=key, digest_size=8).digest()) % ONE_IN:
        return False
    return any(map(is_program, match.players)) and not need_driver(match.players)


class FreshMatches:
    """Plays matches of a session again, and compares all that were."""

    def __init__(self, session: RunSession, pool: ProgramPool, folder: Path) -> None:
        self.session, self.pool, self.folder = session, pool, folder
        self.path = folder / FRESH
        key = key_of(folder)
        self.chosen = {match: at for match, at in session.records() if is_chosen(match, key)}
        done = {header.key for _, header in headers(self.path)} if self.path.exists() else ()
        self.wanted = [key for key in self.chosen if key not in done]
        is_needed = self.wanted or session.kept
        # By player and puzzle, "" for all puzzles: the third sample of a model is another program
        # in each of them.
        self.uses = self._uses() if is_needed else dict[tuple[str, str], list[str]]()

    def play(self, engine: Engine) -> str:
        """Play those that were not yet; returns why it stopped early, or ""."""
        jobs, usual = list(self._left()), self.pool.settings
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
            self.pool.use(usual)  # of which the jobs had others

    def compared(self) -> Comparison:
        """What all matches that were played again have shown."""
        names = dict[str, dict[str, None]]()
        for (player, _), uses in self.uses.items():
            names.setdefault(player, {}).update(dict.fromkeys(uses))
        unrepeatable = {player: list(uses) for player, uses in names.items()}
        found = Comparison(unrepeatable, Counter(), Counter())
        for fresh in read(self.path) if self.path.exists() else ():
            key = RecordKey(fresh.name, fresh.players, fresh.repeat)
            if key not in self.chosen:
                continue
            [stored] = StoredRecords(self.folder / RECORDS, [self.chosen[key]])
            found.compared.update({*filter(is_program, fresh.players)})
            if (seat := first_to_differ(stored, fresh)) is not None:
                found.differing[fresh.players[seat]] += 1
        return found

    def _left(self) -> Iterator[Job]:
        """The matches that can be compared, and have not been played again."""
        fresh = self.pool.settings._replace(process_per_match=True)
        for key in self.wanted:
            number = self.session.schedule.number(*key)
            if number is None or self._is_exempt(job := self.session.job(number)):
                continue
            plays_itself = not self.session.equal or (
                self.session.equal.who_plays(job) == job.players
            )
            if plays_itself and not hides_or_draws(job.game()):
                yield job._replace(running=fresh)

    def _is_exempt(self, job: Job) -> bool:
        keys = ((player, puzzle) for player in job.players for puzzle in (job.spec.name, ""))
        return any(key in self.uses for key in keys)

    def _uses(self) -> dict[tuple[str, str], list[str]]:
        """What programs of the run use that is different each time, of those that do."""
        found = {key: self.pool.uses(program) for key, program in self.session.programs.items()}
        return {key: uses for key, uses in found.items() if uses}


def _not_written(path: Path, reason: OSError) -> StopRun:
    return StopRun(f"{path} could not be written: {reason.strerror or reason}")


def first_to_differ(stored: Record, fresh: Record) -> Seat | None:
    """The seat that was the first to do something else; None if none did, or time decides."""
    if "infrastructure" in (stored.cause, fresh.cause):
        return None
    for before, now in zip(stored.said, fresh.said, strict=False):
        if "timeout" in (before.status, now.status):
            return None
        if (before.seat, before.status, before.move) != (now.seat, now.status, now.move):
            return now.seat
    return None
