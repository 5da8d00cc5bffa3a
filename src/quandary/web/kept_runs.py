"""Finished matches, kept as ordinary runs: one per way of playing, below the site's folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from quandary.arena.headers import Header, RecordKey, header_in, is_header
from quandary.arena.jsonl import lock
from quandary.arena.manifest import PLAYERS, manifest
from quandary.arena.schedule import Schedule
from quandary.arena.store import MANIFEST, RECORDS, Store, manifest_of
from quandary.arena.suite import Entry, Suite
from quandary.catalogue.spec import Spec
from quandary.core.errors import UserError
from quandary.matches.codec import record_from_json, record_json
from quandary.matches.record import Record
from quandary.players.people import is_person
from quandary.results.run_folders import TABLES

from .tables import Settings

FOLDER = "runs"
SET_ASIDE = ".damaged.jsonl"  # of the file with lines of a run that cannot be read
STUDY = "study-"  # before the name of the suite
DELETED = "human/deleted"


class _Known:
    """What a run has, told by its store."""

    def __init__(self) -> None:
        self.keys = set[RecordKey]()

    def clear(self) -> None:
        self.keys.clear()

    def add(self, offset: int, header: Header) -> None:
        self.keys.add(header.key)


@dataclass
class _KeptRun:
    store: Store
    known: _Known
    suite: Suite
    players: dict[str, None]
    specs: dict[str, None]
    has_grown: bool = False  # since its manifest was written

    def add(self, spec: Spec, record: Record) -> None:
        """Note what a record has that the manifest may lack."""
        before = len(self.specs), len(self.players), self.suite.repeats
        self.specs[str(spec)] = None
        self.players.update(dict.fromkeys(record.players))
        self.suite = replace(self.suite, repeats=max(self.suite.repeats, record.repeat + 1))
        self.has_grown |= before != (len(self.specs), len(self.players), self.suite.repeats)

    def grow(self) -> None:
        """Say in the manifest what the next records have."""
        if self.has_grown:
            self.store.grow(_manifest(self.suite, self.players, self.specs))
            self.has_grown = False


class Finished(NamedTuple):
    """A finished match."""

    id: str
    record: Record
    spec: Spec
    settings: Settings


class KeptRuns:
    """The runs to which the site adds, each opened when a match of it is over."""

    def __init__(
        self, folder: Path, notify: Callable[[str], None], study: Suite | None = None
    ) -> None:
        """`study` is the suite of the study on the site."""
        self.folder, self.notify, self.study = folder / FOLDER, notify, study
        self._runs = dict[str, _KeptRun]()

    def names(self) -> list[str]:
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if path.is_dir())

    def keep(self, finished: Iterable[Finished]) -> None:
        """Append records, unless they are there; the manifest of a run is written once for all."""
        new = list[tuple[_KeptRun, Record]]()
        for _, record, spec, settings in finished:
            run = self._run(record, spec, settings)
            key = RecordKey(record.name, record.players, record.repeat)
            if key not in run.known.keys:
                run.known.keys.add(key)
                run.add(spec, record)
                new.append((run, record))
        for run in {id(run): run for run, _ in new}.values():
            run.grow()
        for run, record in new:
            run.store.append(record)

    def free_repeat(self, record: Record, spec: Spec, settings: Settings) -> Record:
        """The record with a number that no other of these players on this instance has."""
        run, repeat = self._run(record, spec, settings), record.repeat
        while RecordKey(record.name, record.players, repeat) in run.known.keys:
            repeat += 1
        return record if repeat == record.repeat else replace(record, repeat=repeat)

    def _run(self, record: Record, spec: Spec, settings: Settings) -> _KeptRun:
        suite = self._suite(spec, settings)
        name = f"{STUDY}{suite.name}" if settings.is_study else suite.name
        if name not in self._runs:
            self._runs[name] = self._opened(name, suite, spec, record.players)
        return self._runs[name]

    def _suite(self, spec: Spec, settings: Settings) -> Suite:
        """The settings of a run: those of the study, or those of ordinary play."""
        if settings.is_study and self.study:
            return self.study
        return Suite(
            f"play-{settings.language}",
            "Played on the site",
            (Entry(spec),),
            attempts=settings.attempts,
            tries=settings.tries,
            language=settings.language,
            count_unreadable=settings.count_unreadable,
        )

    def forget(self, player: str) -> None:
        """Remove the matches of a person from all studies; in those with another person, who has
        agreed too, the name alone is removed.
        """
        for name in self.names():
            if not name.startswith(STUDY):
                continue
            if opened := self._runs.pop(name, None):
                opened.store.__exit__(None, None, None)
            _forget(self.folder / name, player)

    def _opened(self, name: str, suite: Suite, spec: Spec, players: Iterable[str]) -> _KeptRun:
        known = _Known()
        folder = self.folder / name
        before = _before(folder)
        specs = dict.fromkeys([*before.get("specs", ()), str(spec)])
        every = dict.fromkeys([*before.get("players", ()), *players])
        suite = replace(suite, repeats=before.get("suite", {}).get("repeats", 1))
        store = Store(folder, _manifest(suite, every, specs), self.notify, [known])
        store.__enter__()
        return _KeptRun(store, known, suite, every, specs)

    def close(self) -> None:
        for run in self._runs.values():
            run.store.__exit__(None, None, None)
        self._runs.clear()


def _before(folder: Path) -> dict[str, Any]:
    return manifest_of(folder) or {}


def _forget(folder: Path, player: str) -> None:
    """Rewrite a run without a person, and delete the tables that were made of it."""
    records = folder / RECORDS
    for path in (records, records.with_suffix(SET_ASIDE)):
        if path.exists():
            _rewrite(path, player)
    if manifest := _before(folder):
        players = manifest.get(PLAYERS, [])
        manifest[PLAYERS] = [name for name in players if _who(name) != _who(player)]
        text = json.dumps(manifest, indent=1, ensure_ascii=False)
        _replace(folder / MANIFEST, [f"{text}\n".encode()])
    if (folder / TABLES).exists():
        shutil.rmtree(folder / TABLES)


def _rewrite(path: Path, player: str) -> None:
    """Rewrite a file of records without a person."""
    with path.open("rb") as file:
        if not lock(file, wait=False):
            raise UserError(f"another process writes to {path}.")
        _replace(path, (_without(line, player) for line in file))


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file anew, all or nothing: it is as it was if that is not possible."""
    draft = path.with_suffix(".draft")
    try:
        with draft.open("wb") as kept:
            kept.writelines(lines)
            kept.flush()
            os.fsync(kept.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)  # it may name the person


def _without(line: bytes, player: str) -> bytes:
    """What stays of a line; nothing of one that is damaged and names the person."""
    if not is_header(line):
        return b"" if player.rpartition("/")[2].encode() in line else line
    if _who(player) not in map(_who, header_in(line).players):
        return line
    try:
        return _renamed(line, player)
    except Exception:  # however it is damaged, nobody can read it
        return b""


def _renamed(line: bytes, player: str) -> bytes:
    """A record without the name of a person, for the others in it; nothing if there are none."""
    record = record_from_json(line)
    others = [name for name in record.players if _who(name) != _who(player)]
    if not any(map(is_person, others)):
        return b""
    players = tuple(DELETED if _who(name) == _who(player) else name for name in record.players)
    return record_json(replace(record, players=players)).encode() + b"\n"


def _who(name: str) -> str:
    """A player without what helped."""
    return name.partition(",")[0]


def _manifest(suite: Suite, players: Iterable[str], specs: Iterable[str]) -> dict[str, Any]:
    entries = tuple(Entry(Spec.parse(spec)) for spec in specs)
    return manifest(Schedule(replace(suite, entries=entries), list(players), "free"))
