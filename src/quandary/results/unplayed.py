"""Rows for the matches of a run that are not played yet, so that scores count them as missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quandary.arena.headers import RecordKey, headers
from quandary.arena.job import Job
from quandary.arena.manifest import PLAYERS, SPECS, schedule_of
from quandary.arena.merge import schedule_in
from quandary.arena.schedule import Schedule
from quandary.arena.store import RECORDS, manifest_of
from quandary.catalogue import drawing
from quandary.matches.versions import ReadVersions
from quandary.tasks.published_wording import Unscored

from .columns import SEATS, columns_of, schema
from .run_context import context_of
from .run_folders import run_names
from .starts import listed_starts

if TYPE_CHECKING:
    import pyarrow as pa

UNPLAYED = "unplayed"  # stands for the cause
NEEDED = ("run", "spec", "seat", "player", "opponents", "repeat", "instance")
EMPTY = {str: "", int: 0, float: 0.0, bool: False}


def with_unplayed(seats: pa.Table, folders: Sequence[Path]) -> pa.Table:
    """Return the table of seats of some runs, with rows without a score for what is left to play.

    On an instance that nobody has played yet, its spec stands for its start.  Of a Swiss run
    nothing is added, because its later pairs are not known.
    """
    import pyarrow as pa

    rows = [
        row for name, folder in run_names(folders).items() for row in _rows_of(seats, name, folder)
    ]
    if not rows:
        return seats
    columns = columns_of(SEATS)
    fields = pa.schema([schema(SEATS).field(name) for name in seats.column_names])
    empty = {
        name: None if columns[name][1] else EMPTY[columns[name][0]] for name in seats.column_names
    }
    added = pa.Table.from_pylist([empty | row for row in rows], schema=fields)
    return pa.concat_tables([seats.cast(fields), added]).unify_dictionaries()


def left(folder: Path, played: Iterable[RecordKey], count: int) -> Iterator[Job]:
    """Yield the matches of a run that are not among the `count` matches that were played.

    Those whose records need another version of their puzzle were played too.
    """
    manifest = manifest_of(folder)
    if not manifest or not manifest.get(SPECS) or not manifest.get(PLAYERS):
        return
    if schedule_of(manifest) == "swiss":
        return
    schedule = schedule_in(manifest)
    if count < schedule.total:
        yield from left_in(schedule, chain(played, _unread(folder / RECORDS)))


def left_in(schedule: Schedule, played: Iterable[RecordKey]) -> Iterator[Job]:
    """Yield the matches of a schedule that are not among those that were played.

    Of a Swiss run there are none, because its later pairs are not known.
    """
    if schedule.kind == "swiss":
        return
    is_played = bytearray(len(schedule))
    for name, players, repeat in played:
        number = schedule.number(name, players, repeat)
        if number is not None:
            is_played[number] = 1
    for number in range(len(schedule)):
        if not is_played[number]:
            yield schedule.job(number)


def _unread(path: Path) -> Iterator[RecordKey]:
    """Yield the matches whose records are not read here."""
    versions = ReadVersions()
    for _, header in headers(path) if path.exists() else ():
        if versions.unread(header.start):
            yield header.key


def _rows_of(seats: pa.Table, run: str, folder: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.compute as pc

    own = seats.select(NEEDED).filter((pc.field("run") == run) & (pc.field("seat") == 0))
    known = {"run": run, "suite": context_of(folder).name}
    versions = (manifest_of(folder) or {}).get("versions", {})
    jobs = [job for job in left(folder, _played(own), len(own)) if job.spec.name != Unscored.task]
    if not jobs:
        return
    instances = dict(zip(own["spec"].to_pylist(), own["instance"].to_pylist(), strict=True))
    for job in jobs:
        own_version = {"version": versions.get(job.spec.name)}
        yield from _seat_rows(job, known | own_version, instances)


def _played(own: pa.Table) -> Iterator[RecordKey]:
    for batch in own.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            others = row["opponents"].split(" + ") if row["opponents"] else []
            yield RecordKey(row["spec"], (row["player"], *others), row["repeat"])


def _seat_rows(
    job: Job, run: dict[str, Any], instances: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each seat of a match, as far as it is known before it is played."""
    spec, name = job.spec, str(job.spec)
    for seat, player in enumerate(job.players):
        others = [other for place, other in enumerate(job.players) if place != seat]
        yield run | {
            "spec": name,
            "task": spec.task,
            "puzzle": spec.name,
            "level": drawing.level_name(spec),
            "split": spec.split,
            "seed": spec.seed,
            "instance": instances.get(name, name),
            "listed_starts": listed_starts(spec),
            "seat": seat,
            "seats": len(job.players),
            "player": player,
            "opponents": " + ".join(others),
            "repeat": job.repeat,
            "cause": UNPLAYED,
        }
