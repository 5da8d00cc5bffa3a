"""Merges runs into a new one, which has the players and instances of all of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError

from .drawn_programs import DrawnProgram, store_programs, stored_programs
from .headers import RecordKey, lines
from .journal import JOURNAL
from .journal import PICTURES as PICTURE_FOLDER
from .jsonl import is_torn
from .manifest import (
    BY_NAME,
    PER_PAIR,
    PICTURES,
    PLAYERS,
    SANDBOX,
    SERVERS,
    SPECS,
    check_puzzles,
    differences,
    schedule_of,
)
from .schedule import Schedule
from .store import RECORDS, Store, manifest_of
from .suite import Entry, Suite


class Merged(NamedTuple):
    """The result of a merge."""

    matches: int  # stored
    repeated: int  # that were in more than one run; the first one is kept
    left: int  # of the merged run, not played yet


def merge(
    folders: Sequence[Path], out: Path, notify: Callable[[str], None] = lambda message: None
) -> Merged:
    """Write the records of several runs into a new folder; nothing is played again."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"{out} is not empty; choose another --out.")
    manifests = [_manifest(folder) for folder in folders]
    for folder, known in zip(folders[1:], manifests[1:], strict=True):
        names = str(folders[0]), str(folder)
        if differing := list(differences(manifests[0], known, names)):
            raise UserError(
                f"{folders[0]} and {folder} cannot be merged, because they differ in "
                f"{'; '.join(differing)}."
            )
    programs = _programs(folders)
    merged = reduce(_united, manifests)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        draft = out.with_name(f"{out.name}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        try:
            found = _write(folders, merged, draft, notify)
            if programs:
                store_programs(draft, programs)
            draft.replace(out)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as reason:
        raise UserError(
            f"the runs cannot be merged in {out}: {reason.strerror or reason}; choose another "
            f"--out."
        ) from None
    return found


def _manifest(folder: Path) -> dict[str, Any]:
    known = manifest_of(folder)
    if known is None or not known.get(PLAYERS) or not known.get(SPECS):
        raise UserError(f"{folder} contains no run; name the --out of a `quandary run`.")
    if schedule_of(known) == "swiss":
        raise UserError(
            f"{folder} contains a Swiss run, which cannot be merged, because its pairs follow from "
            f"its own results."
        )
    return known


def _programs(folders: Sequence[Path]) -> list[DrawnProgram]:
    """Return the programs that models wrote in several runs; UserError if a name means two
    of them.
    """
    found = dict[tuple[str, str], tuple[DrawnProgram, Path]]()
    for folder in folders:
        for program in stored_programs(folder):
            one, first = found.setdefault((program.puzzle, program.player), (program, folder))
            if one.hash != program.hash:
                raise UserError(
                    f"{first} and {folder} cannot be merged, because {program.player} is another "
                    f"program in each, for {program.puzzle}."
                )
    return [program for program, _ in found.values()]


def _united(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the union of two manifests."""
    united = {**one, **other, "schedule": schedule_of(one)}
    for key in (PLAYERS, SPECS, PICTURES, SANDBOX):
        if key in united:
            united[key] = list(dict.fromkeys([*one.get(key, ()), *other.get(key, ())]))
    for key in BY_NAME:
        if key in united:
            united[key] = {**one.get(key, {}), **other.get(key, {})}
    if SERVERS in united:
        sides = one.get(SERVERS, {}), other.get(SERVERS, {})
        united[SERVERS] = {
            provider: list(dict.fromkeys(each for side in sides for each in side.get(provider, ())))
            for provider in {**sides[0], **sides[1]}
        }
    suites = one.get("suite", {}), other.get("suite", {})
    united["suite"] = {**suites[0], "repeats": max(each.get("repeats", 1) for each in suites)}
    return united


def _write(
    folders: Sequence[Path],
    manifest: dict[str, Any],
    draft: Path,
    notify: Callable[[str], None],
) -> Merged:
    seen, matches, repeated = Seen(schedule_in(manifest)), 0, 0
    with Store(draft, manifest, notify) as store:
        for folder in folders:
            for key, line in _results(folder / RECORDS, notify):
                if seen.add(key):
                    store.append_json(line)
                    matches += 1
                else:
                    repeated += 1
    # A reply that is in several journals is found in the last one, and records come from the first.
    journals = [folder / JOURNAL for folder in reversed(folders) if (folder / JOURNAL).exists()]
    if journals:
        with (draft / JOURNAL).open("wb") as journal:
            for path in journals:
                _copy(path, journal)
    for folder in folders:
        if (folder / PICTURE_FOLDER).exists():
            shutil.copytree(folder / PICTURE_FOLDER, draft / PICTURE_FOLDER, dirs_exist_ok=True)
    return Merged(matches, repeated, seen.left)


def schedule_in(manifest: Mapping[str, Any]) -> Schedule:
    """Return the schedule of a run, as far as its manifest tells it."""
    check_puzzles(manifest)
    specs, settings = manifest[SPECS], manifest.get("suite", {})
    entries = tuple(Entry(Spec.parse(spec)) for spec in specs)
    suite = Suite("merged", "merged", entries, repeats=settings.get("repeats", 1))
    return Schedule(
        suite,
        manifest[PLAYERS],
        schedule_of(manifest),
        stored=specs,
        programs_per_pair=manifest.get(PER_PAIR, 0),
    )


class Seen:
    """The matches that are merged already: one byte per match of the schedule."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule, self.known = schedule, bytearray(len(schedule))
        self.others = set[RecordKey]()  # that are not in the schedule of all players

    def add(self, key: RecordKey) -> bool:
        """Return whether a match is new."""
        number = self.schedule.number(*key)
        if number is None:
            is_new = key not in self.others
            self.others.add(key)
        else:
            is_new = not self.known[number]
            self.known[number] = True
        return is_new

    @property
    def left(self) -> int:
        return self.known.count(0)


def _results(path: Path, notify: Callable[[str], None]) -> Iterator[tuple[RecordKey, str]]:
    """Yield the lines of records that have a result; a match that was cut off, or whose line is
    damaged, is played again.
    """
    if not path.exists():  # nothing was finished
        return
    damaged = list[int]()
    with path.open("rb") as file:
        for number, offset, header in lines(path):
            if header is None:
                damaged.append(number)
            elif not header.is_cut_off:
                file.seek(offset)
                yield header.key, file.readline().rstrip(b"\n").decode()
    if damaged:
        which = f"line {damaged[0]} is" if len(damaged) == 1 else f"{len(damaged)} lines are"
        notify(f"{which} left out of {path}, because of damage; the matches are left to play.")


def _copy(path: Path, target: BinaryIO) -> None:
    with path.open("rb") as file:
        for line in file:
            if not is_torn(line):
                target.write(line.rstrip(b"\n") + b"\n")
