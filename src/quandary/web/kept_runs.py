"""Finished matches, kept as ordinary runs: one per way of playing, below the site's folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from quandary.arena.headers import Header, RecordKey
from quandary.arena.manifest import manifest
from quandary.arena.schedule import Schedule
from quandary.arena.store import Store, manifest_of
from quandary.arena.suite import Entry, Suite
from quandary.catalogue.spec import Spec
from quandary.core.contract import Seat
from quandary.matches.record import Record
from quandary.players.people import PERSON, own_name

from .rewriting import Gone, forget
from .tables import Settings

FOLDER = "runs"
STUDY = "study-"  # before the name of the suite


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
        """Return the record with a number that no other of these players on this instance has."""
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
        """Return the settings of a run: those of the study, or those of ordinary play."""
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

    def forget_in_studies(self, player: str) -> None:
        """Remove the matches of a person from all studies."""

        def seats(key: RecordKey) -> list[Seat]:
            return [at for at, name in enumerate(key.players) if own_name(name) == player]

        pseudonym = player.rpartition("/")[2].encode()
        gone = Gone(seats, lambda name: own_name(name) == player, lambda line: pseudonym in line)
        for name in self.names():
            if name.startswith(STUDY):
                self._forget(name, gone)

    def forget_matches(self, own: Mapping[RecordKey, Collection[Seat]]) -> dict[RecordKey, int]:
        """Remove a person from these matches outside studies, and return the new numbers of those
        that stay.
        """
        names = {key.players[seat] for key, seats in own.items() for seat in seats}
        # An unnamed person cannot be told from others in a line that is damaged.
        marks = [
            (key.name.encode(), key.players[seat].encode())
            for key, seats in own.items()
            for seat in seats
            if own_name(key.players[seat]) != PERSON
        ]
        gone = Gone(
            lambda key: own.get(key, ()),
            names.__contains__,
            lambda line: any(name in line and player in line for name, player in marks),
        )
        renumbered = dict[RecordKey, int]()
        for name in self.names() if own else ():
            if not name.startswith(STUDY):
                renumbered |= self._forget(name, gone)
        return renumbered

    def _forget(self, name: str, gone: Gone) -> dict[RecordKey, int]:
        if opened := self._runs.pop(name, None):
            opened.store.__exit__(None, None, None)
        return forget(self.folder / name, gone)

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


def _manifest(suite: Suite, players: Iterable[str], specs: Iterable[str]) -> dict[str, Any]:
    entries = tuple(Entry(Spec.parse(spec)) for spec in specs)
    return manifest(Schedule(replace(suite, entries=entries), list(players), "free"))
