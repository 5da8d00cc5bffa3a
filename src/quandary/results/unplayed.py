"""Rows for the matches of a run that are not played yet, so that scores count them as missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quandary.arena.job import Job
from quandary.arena.manifest import schedule_of
from quandary.arena.merge import schedule_in
from quandary.arena.schedule import Schedule
from quandary.arena.store import manifest_of

from .columns import SEATS, columns_of, schema
from .run_names import run_names
from .starts import listed_starts

if TYPE_CHECKING:
    import pyarrow as pa

CAUSE = "unplayed"
NEEDED = ("run", "spec", "seat", "player", "opponents", "repeat", "instance")
EMPTY = {str: "", int: 0, float: 0.0, bool: False}


def with_unplayed(seats: pa.Table, folders: Sequence[Path]) -> pa.Table:
    """The table of seats of some runs, with rows without a score for what is left to play.

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


def _rows_of(seats: pa.Table, run: str, folder: Path) -> Iterator[dict[str, Any]]:
    import pyarrow.compute as pc

    manifest = manifest_of(folder)
    if not manifest or not manifest.get("specs") or schedule_of(manifest) == "swiss":
        return
    schedule = schedule_in(manifest)
    own = seats.select(NEEDED).filter((pc.field("run") == run) & (pc.field("seat") == 0))
    if len(own) >= schedule.total:
        return
    played, instances = _played(own, schedule)
    suite = manifest["suite"].get("name", "")
    for number in range(len(schedule)):
        if not played[number]:
            yield from _seat_rows(schedule.job(number), {"run": run, "suite": suite}, instances)


def _played(own: pa.Table, schedule: Schedule) -> tuple[bytearray, dict[str, str]]:
    """Which matches of the schedule were played, and the instances of the specs in them."""
    played, instances = bytearray(len(schedule)), dict[str, str]()
    for batch in own.to_batches(max_chunksize=10_000):
        for row in batch.to_pylist():
            others = row["opponents"].split(" + ") if row["opponents"] else []
            instances[row["spec"]] = row["instance"]
            number = schedule.number(row["spec"], (row["player"], *others), row["repeat"])
            if number is not None:
                played[number] = 1
    return played, instances


def _seat_rows(
    job: Job, run: dict[str, Any], instances: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """A row for each seat of a match, as far as it is known before it is played."""
    spec, name = job.spec, str(job.spec)
    changes = "".join(f",{key}={value}" for key, value in spec.changes)
    for seat, player in enumerate(job.players):
        others = [other for place, other in enumerate(job.players) if place != seat]
        yield run | {
            "spec": name,
            "task": spec.task,
            "puzzle": spec.name,
            "level": spec.level + changes,
            "split": spec.split,
            "seed": spec.seed,
            "instance": instances.get(name, name),
            "listed": listed_starts(spec),
            "seat": seat,
            "seats": len(job.players),
            "player": player,
            "opponents": " + ".join(others),
            "repeat": job.repeat,
            "cause": CAUSE,
        }
