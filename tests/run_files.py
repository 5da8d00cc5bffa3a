"""What tests of runs read from their folders."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from quandary.arena.store import RECORDS, read
from quandary.matches.record import Record


def stored(folder: Path) -> list[bytes]:
    """The records of a run as they are stored, sorted; those of strategies contain no times."""
    return sorted((folder / RECORDS).read_bytes().splitlines())


def without_times(folder: Path) -> Counter[Record]:
    """The records of a run, each without how long its replies took."""
    return Counter(
        replace(record, said=tuple(reply._replace(seconds=0.0) for reply in record.said))
        for record in read(folder / RECORDS)
    )
