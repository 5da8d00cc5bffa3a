"""Runs read from their folders, each record decoded once."""

from __future__ import annotations

from pathlib import Path

from quandary.arena.left_out import LeftOut
from quandary.arena.store import RECORDS, tell_left_out

from .lines import header_of, lines
from .run_columns import PlayedRun, RunColumns
from .unplayed import left


def read_run(folder: Path) -> PlayedRun:
    """Return the run in a folder, without the records that are not read here; UserError if one of
    the others cannot be scored.
    """
    columns, left_out = RunColumns(), LeftOut()
    for line in lines(folder / RECORDS):
        header = header_of(line)
        if not left_out.add(header.start):
            columns.add(line.begin, header)
    columns.check()
    tell_left_out(folder / RECORDS, left_out.needed, left_out.records)
    return PlayedRun(folder, columns, list(left(folder, columns.keys(), columns.counted)))
