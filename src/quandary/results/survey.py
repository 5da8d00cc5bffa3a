"""A quick look at all records of a run: which of them count, and which moves are judged."""

from __future__ import annotations

from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import msgspec

from quandary.arena.headers import RecordKey
from quandary.arena.left_out import LeftOut
from quandary.arena.store import tell_left_out
from quandary.matches.record import NO_RESULT
from quandary.matches.versions import PuzzleVersion

from .judging import Choice, Selection
from .lines import header_of, lines

KEPT = "survey.json"  # beside the tables of a run


class Survey(msgspec.Struct, frozen=True):
    records: int
    superseded: frozenset[int]  # matches without a result that were played again later
    chosen: list[Choice]  # seats whose moves are judged
    end: int | None = None  # offset up to which it looked
    # Records that are left out, by the versions of puzzles that they need: puzzle, version, number.
    unread: list[tuple[str, int, int]] = []

    @property
    def left_out(self) -> dict[PuzzleVersion, int]:
        return {PuzzleVersion(puzzle, version): number for puzzle, version, number in self.unread}


def survey(path: Path, end: int | None = None) -> Survey:
    """Look through a file of records up to an offset, without their positions, moves and words."""
    superseded, selection, left_out = set[int](), Selection(), LeftOut()
    without_result = dict[RecordKey, int]()
    for line in takewhile(lambda line: end is None or line.end <= end, lines(path)):
        header = header_of(line)
        if left_out.add(header.start):
            continue
        selection.see(line, header)
        if header.cause in NO_RESULT or without_result:
            if (earlier := without_result.pop(header.key, None)) is not None:
                superseded.add(earlier)
            if header.cause in NO_RESULT:
                without_result[header.key] = line.match
    tell_left_out(path, left_out.needed, left_out.records)
    unread = [(*needed, number) for needed, number in sorted(left_out.needed.items())]
    return Survey(left_out.records, frozenset(superseded), selection.chosen(), end, unread)


def kept_survey(path: Path, end: int, tables: Path) -> Survey:
    """Return the survey of a file up to an offset, cached in the folder of the tables."""
    kept = tables / KEPT
    with suppress(OSError, msgspec.DecodeError, UnicodeError):
        known = msgspec.json.decode(kept.read_bytes(), type=Survey)
        if known.end == end:
            tell_left_out(path, known.left_out, known.records)
            return known
    made = survey(path, end)
    draft = kept.with_suffix(".draft")
    draft.write_bytes(msgspec.json.encode(made))
    draft.replace(kept)
    return made
